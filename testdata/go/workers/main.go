// Worker pools: jobs come through one channel, results go back through another,
// or into memory.
package main

import "sync"

type job struct {
	id     int
	input  int
	output int
}

func main() {
	resultsClean()
	inPlaceClean()
	statsRacy()
	statsClean()
	sharedJobRacy()
	perWorkerClean()
	stopFlagRacy()
	countedClean()
}

func resultsClean() {
	jobs, results := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range jobs {
				results <- j * j
			}
		})
	}
	go func() {
		for i := range 10 {
			jobs <- i
		}
		close(jobs)
	}()
	go func() {
		wg.Wait()
		close(results)
	}()
	sum := 0
	for r := range results {
		sum += r
	}
	_ = sum
}

// Each job is in the hands of one worker at a time.
func inPlaceClean() {
	jobs := make(chan *job, 10)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				j.output = j.input * 2
			}
		}()
	}
	var all []*job
	for i := range 10 {
		j := &job{id: i, input: i}
		all = append(all, j)
		jobs <- j
	}
	close(jobs)
	wg.Wait()
	for _, j := range all {
		_ = j.output
	}
}

func statsRacy() {
	jobs := make(chan int, 10)
	done := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range jobs {
				done++ // want race "done"
			}
		})
	}
	for i := range 10 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
}

func statsClean() {
	jobs := make(chan int, 10)
	var mu sync.Mutex
	seen := map[int]int{}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range jobs {
				mu.Lock()
				seen[j]++
				mu.Unlock()
			}
		})
	}
	for i := range 10 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	_ = seen[1]
}

// The same job is sent again and again.
func sharedJobRacy() {
	jobs := make(chan *job, 10)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for j := range jobs {
				j.output++ // want race "output"
			}
		})
	}
	one := &job{}
	for range 10 {
		jobs <- one
	}
	close(jobs)
	wg.Wait()
}
