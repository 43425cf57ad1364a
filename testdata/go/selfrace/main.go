// Several goroutines of one go statement, or of a recursive function, race with
// each other.
package main

import "sync"

func main() {
	loopRacy()
	loopOwnClean()
	onceStartedClean()
	recursionRacy()
	recursionClean()
	calledTwiceRacy()
	singleTurnClean()
	joinedTurnsClean()
	constructedClean()
}

func loopRacy() {
	total := 0
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { total++ }) // want race "total"
	}
	wg.Wait()
}

func loopOwnClean() {
	var wg sync.WaitGroup
	for range 4 {
		own := 0
		wg.Go(func() { own++ })
	}
	wg.Wait()
}

func onceStartedClean() {
	single := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 4 {
			single++
		}
	})
	wg.Wait()
}

func recursionRacy() {
	visited := map[int]bool{}
	var wg sync.WaitGroup
	crawl(1, visited, &wg)
	wg.Wait()
}

func crawl(n int, visited map[int]bool, wg *sync.WaitGroup) {
	if n > 4 {
		return
	}
	visited[n] = true // want race "visited"
	for _, next := range []int{2 * n, 2*n + 1} {
		wg.Go(func() { crawl(next, visited, wg) })
	}
}

func recursionClean() {
	var mu sync.Mutex
	seen := map[int]bool{}
	var wg sync.WaitGroup
	var visit func(n int)
	visit = func(n int) {
		mu.Lock()
		seen[n] = true
		mu.Unlock()
		if n < 4 {
			wg.Go(func() { visit(n + 1) })
		}
	}
	visit(1)
	wg.Wait()
}

func calledTwiceRacy() {
	hits := 0
	count(&hits)
	count(&hits)
}

func count(to *int) {
	go func() { *to++ }() // want race "to"
}

// The loop ends after its first turn.
func singleTurnClean() {
	n := 0
	done := make(chan bool)
	for i := 0; i < 1; i++ {
		go func() {
			n++
			done <- true
		}()
	}
	<-done
	_ = n
}

// Each turn waits for its goroutine.
func joinedTurnsClean() {
	turns := 0
	done := make(chan bool)
	for range 3 {
		go func() {
			turns++
			done <- true
		}()
		<-done
	}
	_ = turns
}

type task struct{ state int }

func (t *task) run() { t.state++ }

// Every goroutine gets a task of its own.
func constructedClean() {
	var wg sync.WaitGroup
	for range 4 {
		t := newTask()
		wg.Go(t.run)
	}
	wg.Wait()
}

func newTask() *task { return &task{state: 1} }
