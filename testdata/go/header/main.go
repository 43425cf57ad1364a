// A slice header that is copied outside the lock: the copy reads the header,
// whatever happens to the elements later.
package main

import "sync"

type journal struct {
	mu    sync.Mutex
	lines []string
}

func main() {
	passedRacy()
	passedClean()
	returnedRacy()
	clonedClean()
	elementsRacy()
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line) // want race "j.lines"
}

func size(lines []string) int { return len(lines) }

// The argument is evaluated without the lock.
func passedRacy() {
	j := &journal{}
	done := make(chan bool)
	go func() {
		j.add("a")
		done <- true
	}()
	_ = size(j.lines)
	<-done
}

func passedClean() {
	j := &journal{}
	done := make(chan bool)
	go func() {
		j.add("a")
		done <- true
	}()
	j.mu.Lock()
	n := size(j.lines)
	j.mu.Unlock()
	_ = n
	<-done
}

type ring struct {
	mu    sync.Mutex
	items []int
}

func (r *ring) all() []int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.items
}

func (r *ring) set(i, v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.items[i] = v // want race "items"
}

// The header is read under the lock, the elements are not.
func returnedRacy() {
	r := &ring{items: make([]int, 4)}
	done := make(chan bool)
	go func() {
		r.set(1, 2)
		done <- true
	}()
	for _, v := range r.all() {
		_ = v
	}
	<-done
}

type shelf struct {
	mu    sync.Mutex
	items []int
}

func (s *shelf) snapshot() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]int(nil), s.items...)
}

func (s *shelf) set(i, v int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[i] = v
}

func clonedClean() {
	s := &shelf{items: make([]int, 4)}
	done := make(chan bool)
	go func() {
		s.set(1, 2)
		done <- true
	}()
	for _, v := range s.snapshot() {
		_ = v
	}
	<-done
}

func elementsRacy() {
	var mu sync.Mutex
	table := make([]int, 4)
	done := make(chan bool)
	go func() {
		mu.Lock()
		table[1] = 1 // want race "table"
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	view := table[:2]
	mu.Unlock()
	_ = view[1]
	<-done
}
