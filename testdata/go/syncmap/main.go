// A sync.Map may be used by all; what its values lead to may not.
package main

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
	safe int
}

func main() {
	mapClean()
	publishedClean()
	valueRacy()
	lockedClean()
	rangeRacy()
	replacedClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func mapClean() {
	var m sync.Map
	twice(func() {
		m.Store("a", 1)
		m.Load("a")
		m.Delete("a")
	})
}

// What is stored is complete and not changed any more.
func publishedClean() {
	var m sync.Map
	go func() {
		s := &session{}
		s.hits = 1
		m.Store("a", s)
	}()
	if v, ok := m.Load("a"); ok {
		_ = v.(*session).hits
	}
}

func valueRacy() {
	var m sync.Map
	twice(func() {
		v, _ := m.LoadOrStore("a", &session{})
		v.(*session).hits++ // want race "hits"
	})
}

func lockedClean() {
	var m sync.Map
	twice(func() {
		v, _ := m.LoadOrStore("a", &session{})
		s := v.(*session)
		s.mu.Lock()
		s.safe++
		s.mu.Unlock()
	})
}

func rangeRacy() {
	var m sync.Map
	m.Store("a", &session{})
	twice(func() {
		m.Range(func(_, v any) bool {
			v.(*session).hits++ // want race "hits"
			return true
		})
	})
}

// Values are replaced, never changed.
func replacedClean() {
	var m sync.Map
	m.Store("a", &session{})
	twice(func() {
		v, _ := m.Load("a")
		m.Store("a", &session{hits: v.(*session).hits + 1})
	})
}
