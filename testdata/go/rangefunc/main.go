// The body of a range over a function is a closure, which the iterator may run in
// another goroutine.
package main

import (
	"iter"
	"maps"
	"slices"
	"sync"
)

func main() {
	serialClean()
	spawnRacy()
	spawnLockedClean()
	togetherRacy()
	bodyGoRacy()
	pullClean()
	libraryClean()
	libraryRacy()
}

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func serialClean() {
	sum := 0
	for i := range count(3) {
		sum += i
	}
	_ = sum
}

// elsewhere runs the loop's body in a goroutine while the iterator goes on.
func elsewhere(work func()) iter.Seq[int] {
	return func(yield func(int) bool) {
		done := make(chan bool)
		go func() {
			yield(1)
			done <- true
		}()
		work()
		<-done
	}
}

func spawnRacy() {
	seen := 0
	for i := range elsewhere(func() { seen++ }) { // want race "seen"
		seen = i
	}
}

func spawnLockedClean() {
	var mu sync.Mutex
	safe := 0
	work := func() {
		mu.Lock()
		safe++
		mu.Unlock()
	}
	for range elsewhere(work) {
		work()
	}
}

// together runs the body several times at once.
func together(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { yield(i) })
		}
		wg.Wait()
	}
}

func togetherRacy() {
	total := 0
	together(3)(func(i int) bool {
		total += i // want race "total"
		return true
	})
}

// The goroutine outlives its turn.
func bodyGoRacy() {
	last := 0
	var wg sync.WaitGroup
	for i := range count(3) {
		wg.Go(func() { last = i }) // want race "last"
	}
	wg.Wait()
	_ = last
}

// The iterator runs in step with the one who pulls.
func pullClean() {
	state := 0
	seq := func(yield func(int) bool) {
		for state < 3 {
			state++
			if !yield(state) {
				return
			}
		}
	}
	next, stop := iter.Pull(seq)
	defer stop()
	next()
	_ = state
	next()
}

func libraryClean() {
	m := map[string]int{"a": 1}
	done := make(chan []string)
	go func() { done <- slices.Sorted(maps.Keys(m)) }()
	_ = m["a"]
	<-done
}

func libraryRacy() {
	m := map[string]int{"a": 1}
	done := make(chan []string)
	go func() { done <- slices.Collect(maps.Keys(m)) }()
	m["b"] = 2 // want race "m"
	<-done
}
