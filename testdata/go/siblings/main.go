// Several objects of one place, each with its own group, channel or once: what
// one of them waits for says something about the same one only.
package main

import "sync"

type job struct {
	wg     sync.WaitGroup
	done   chan bool
	other  chan bool
	result int
	early  int
	wrong  int
	once   sync.Once
	conf   int
	peeked int
}

func startJob() *job {
	j := &job{done: make(chan bool), other: make(chan bool, 1)}
	j.wg.Add(1)
	go j.run()
	go func() {
		j.conf = 0
		j.wrong++ // want race "wrong"
		close(j.done)
	}()
	return j
}

func (j *job) run() {
	defer j.wg.Done()
	j.result++
	j.early++ // want race "early"
	j.other <- true
}

func (j *job) finish() { j.wg.Wait() }

func main() {
	privateClean()
	publicRacy()
	restartClean()
	restartRacy()
	var jobs []*job
	for range 3 {
		jobs = append(jobs, startJob())
	}
	for _, j := range jobs {
		_ = j.early
		j.finish()
		_ = j.result
	}
	for _, j := range jobs {
		<-j.done
		_ = j.conf
	}
	for _, j := range jobs {
		<-j.other
		_ = j.wrong
	}
	lazy()
	neighbours()
}

type lazyOne struct {
	once   sync.Once
	conf   int
	peeked int
}

func (l *lazyOne) init() {
	l.once.Do(func() {
		l.conf = 1
		l.peeked = 1 // want race "peeked"
	})
}

func (l *lazyOne) get() int {
	early := l.peeked
	l.init()
	return early + l.conf
}

func lazy() {
	var all []*lazyOne
	for range 3 {
		all = append(all, &lazyOne{})
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for _, l := range all {
				l.get()
			}
		})
	}
	wg.Wait()
}

type node struct {
	done chan bool
	next *node
	n    int
}

func startNode(next *node) *node {
	d := &node{done: make(chan bool), next: next}
	go func() {
		if d.next != nil {
			d.next.n = 2 // want race "n"
		}
		close(d.done)
	}()
	return d
}

// To have waited for one says nothing of what its neighbour does.
func neighbours() {
	var last *node
	for range 3 {
		last = startNode(last)
		<-last.done
		last.n++
	}
}
