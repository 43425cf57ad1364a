// Package containers holds maps and slices behind a lock, and out of it.
package containers

import "sync"

// Box leaks its map.
type Box struct {
	mu    sync.Mutex
	m     map[string]int
	items []int
}

func (b *Box) Put(k string, v int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m[k] = v
}

func (b *Box) Get(k string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m[k]
}

func (b *Box) raw() map[string]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.m
}

func (b *Box) Sum() int {
	n := 0
	for _, v := range b.raw() { // want race "b.m"
		n += v
	}
	return n
}

func (b *Box) Add(v int) {
	b.mu.Lock()
	b.items = append(b.items, v)
	b.items[0] = v
	b.mu.Unlock()
}

func (b *Box) First() int {
	b.mu.Lock()
	items := b.items
	b.mu.Unlock()
	return items[0] // want race "b.items"
}

func (b *Box) Second() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.items[1]
}
