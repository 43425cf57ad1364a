// A map is one cell: any insertion or deletion writes it, all else reads it.
package main

import (
	"maps"
	"sync"
)

func main() {
	writesRacy()
	readsClean()
	lenRacy()
	rangeRacy()
	deleteRacy()
	clearRacy()
	otherKeysRacy()
	valuesRacy()
	pointersClean()
	libraryRacy()
	replacedClean()
	resultsRacy()
	resultsClean()
}

func writesRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		m["a"] = 1 // want race "m"
		done <- true
	}()
	m["a"] = 2
	<-done
}

func readsClean() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["a"] }()
	_, ok := m["b"]
	_ = ok
	<-done
}

func lenRacy() {
	m := map[string]int{}
	done := make(chan int)
	go func() { done <- len(m) }()
	m["a"] = 1 // want race "m"
	<-done
}

func rangeRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		for range m {
		}
		done <- true
	}()
	m["a"] = 1 // want race "m"
	<-done
}

func deleteRacy() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["b"] }()
	delete(m, "a") // want race "m"
	<-done
}

func clearRacy() {
	m := map[string]int{"a": 1}
	done := make(chan int)
	go func() { done <- m["b"] }()
	clear(m) // want race "m"
	<-done
}

func otherKeysRacy() {
	m := map[string]int{}
	done := make(chan bool)
	go func() {
		m["a"]++ // want race "m"
		done <- true
	}()
	m["b"]++
	<-done
}

type entry struct{ hits int }

func valuesRacy() {
	m := map[string]*entry{"a": {}}
	done := make(chan bool)
	go func() {
		m["a"].hits++ // want race "hits"
		done <- true
	}()
	m["a"].hits++
	<-done
}

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
