package main

import "sync"

type worker struct {
	id    int
	jobs  <-chan int
	count int
}

func (w *worker) run() {
	for range w.jobs {
		w.count++
	}
}

// Every worker counts for itself; the counts are added up at the end.
func perWorkerClean() {
	jobs := make(chan int, 10)
	workers := make([]*worker, 3)
	var wg sync.WaitGroup
	for i := range workers {
		w := &worker{id: i, jobs: jobs}
		workers[i] = w
		wg.Go(w.run)
	}
	for i := range 10 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	sum := 0
	for _, w := range workers {
		sum += w.count
	}
	_ = sum
}

// A plain variable tells nobody to stop.
func stopFlagRacy() {
	stop := false
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range jobs {
			if stop {
				return
			}
		}
	})
	jobs <- 1
	stop = true // want race "stop"
	close(jobs)
	wg.Wait()
}

// One answer for each question: none is left when all have come.
func countedClean() {
	const n = 5
	answers := make(chan *job)
	for i := range n {
		go func() {
			j := &job{id: i}
			j.output = i
			answers <- j
		}()
	}
	for range n {
		j := <-answers
		j.output++
	}
}
