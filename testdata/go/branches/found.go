package main

import (
	"os"
	"sync"
)

// A store that is found there was put there in one of two modes.

type store interface{ size() int }

type disk struct{ n int }

func (d *disk) size() int { return d.n }

type memory struct{ n int }

func (m *memory) size() int { return m.n }

type holder struct {
	mu     sync.Mutex
	store  store
	margin int
	limit  int
}

func (h *holder) put(s store, margin int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.store = s
	h.margin = margin
}

func (h *holder) get() store {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.store
}

// The margin is read where a disk was found, so that nobody puts a memory; the
// limit where a memory was, which sets it later.
func (h *holder) look() int {
	switch s := h.get().(type) {
	case *disk:
		return s.n + h.margin
	case *memory:
		return s.n + h.limit
	}
	return 0
}

var inMemory = len(os.Args) > 2

func foundRacy() {
	h := &holder{}
	done := make(chan int)
	if !inMemory {
		go func() { h.put(&disk{}, 1) }()
	}
	if inMemory {
		go func() {
			h.put(&memory{}, 2)
			h.limit = 3 // want race "limit"
		}()
	}
	go func() { done <- h.look() }()
	<-done
}
