package main

import "sync"

type slot struct{ sum, count int }

// Fields of the goroutine's own element.
func fieldsClean() {
	slots := make([]slot, 4)
	var wg sync.WaitGroup
	for i := range slots {
		wg.Go(func() {
			slots[i].sum += i
			slots[i].count++
		})
	}
	wg.Wait()
}

// The index is a variable that all goroutines advance.
func counterRacy() {
	slots := make([]slot, 4)
	next := 0
	var wg sync.WaitGroup
	for range slots {
		wg.Go(func() {
			slots[next].sum++ // want race "slots"
			next++            // want race "next"
		})
	}
	wg.Wait()
}

// A pointer to the goroutine's own element.
func pointersClean() {
	slots := make([]slot, 4)
	var wg sync.WaitGroup
	for i := range slots {
		own := &slots[i]
		wg.Go(func() { own.count++ })
	}
	wg.Wait()
}
