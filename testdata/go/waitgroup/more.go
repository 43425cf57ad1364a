package main

import "sync"

func reusedClean() {
	x := 0
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x++
		}()
		wg.Wait()
	}
	_ = x
}

// Somebody else waits, and says so on a channel.
func waiterClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	<-done
	_ = x
}

// The wait is for a group in which nobody is counted.
func otherGroupRacy() {
	copied := 0
	var wg, other sync.WaitGroup
	other.Add(1)
	go func() {
		defer other.Done()
		copied = 1 // want race "copied"
	}()
	wg.Wait()
	_ = copied
}

// The wait never returns if the work fails: what follows it is still ordered.
func missingDoneClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		x = 1 // want race fp "x"
		if x > 1 {
			return
		}
		wg.Done()
	}()
	wg.Wait()
	_ = x
}

type group struct {
	wg  sync.WaitGroup
	sum []int
}

func (g *group) start(i int) {
	g.wg.Add(1)
	go g.run(i)
}

func (g *group) run(i int) {
	defer g.wg.Done()
	g.sum[0] += 0 * i
}

func fieldClean() {
	g := &group{sum: make([]int, 1)}
	g.start(1)
	g.wg.Wait()
	_ = g.sum[0]
}

// forkJoin runs f in two goroutines and returns when both are done. It is called
// by main and by a goroutine: each waits for its own.
func forkJoin(f func(int)) {
	var wg sync.WaitGroup
	defer func() { recover() }()
	for i := range 2 {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func helperClean() {
	go func() {
		y := [2]int{}
		forkJoin(func(i int) { y[i] = 1 })
		println(y[0])
	}()
	var mu sync.Mutex
	x := 0
	forkJoin(func(i int) {
		mu.Lock()
		x += i
		mu.Unlock()
	})
	println(x)
}
