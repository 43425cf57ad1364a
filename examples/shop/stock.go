package main

import "sync"

// stock counts what is on the shelves.
type stock struct {
	mu    sync.RWMutex
	items map[string]int // guarded by mu
	looks int            // race: counted while mu is only held for reading
}

func newStock(items map[string]int) *stock {
	s := &stock{items: make(map[string]int)}
	for item, n := range items {
		s.items[item] = n
	}
	return s
}

// reserve takes n pieces off the shelf, if they are there.
func (s *stock) reserve(item string, n int) bool {
	if s.left(item) < n {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items[item] < n {
		return false
	}
	s.items[item] -= n
	return true
}

// left tells how many pieces there are.
func (s *stock) left(item string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.looks++
	return s.items[item]
}
