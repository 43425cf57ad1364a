package main

import (
	"maps"
	"sync"
)

func pointersClean() {
	m := map[string]*entry{"a": {}}
	done := make(chan *entry)
	go func() { done <- m["a"] }()
	_ = m["a"].hits
	(<-done).hits++
}

func libraryRacy() {
	m := map[string]int{}
	done := make(chan map[string]int)
	go func() { done <- maps.Clone(m) }()
	m["a"] = 1 // want race "m"
	<-done
}

// The variable is assigned before the goroutine knows of it.
func replacedClean() {
	m := map[string]int{}
	m["a"] = 1
	done := make(chan int)
	go func() { done <- m["a"] }()
	<-done
	m = map[string]int{"b": 1}
	m["c"] = 2
}

func resultsRacy() {
	squares := map[int]int{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { squares[i] = i * i }) // want race "squares"
	}
	wg.Wait()
}

func resultsClean() {
	var mu sync.Mutex
	squares := map[int]int{}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			squares[i] = i * i
		})
	}
	wg.Wait()
	_ = squares[0]
}
