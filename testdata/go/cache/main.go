// Caches: what is looked up by many and filled by whoever comes first.
package main

import (
	"sync"
	"time"
)

type entry struct {
	value   int
	expires time.Time
	hits    int
	ready   chan struct{}
}

type cache struct {
	mu      sync.RWMutex
	entries map[string]*entry
	loads   int
}

func newCache() *cache { return &cache{entries: map[string]*entry{}} }

func main() {
	getClean()
	fillUnderReadRacy()
	hitsRacy()
	memoClean()
	sizeRacy()
	shardedClean()
	cleanerClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func (c *cache) get(key string) int {
	c.mu.RLock()
	e, ok := c.entries[key]
	c.mu.RUnlock()
	if ok {
		return e.value
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		return e.value
	}
	e = &entry{value: len(key)}
	c.entries[key] = e
	return e.value
}

func getClean() {
	c := newCache()
	twice(func() { c.get("a") })
}

func fillUnderReadRacy() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		defer c.mu.RUnlock()
		if c.entries["a"] == nil {
			c.entries["a"] = &entry{} // want race "entries"
		}
	})
}

// The entry is found under the lock and changed without.
func hitsRacy() {
	c := newCache()
	c.entries["a"] = &entry{}
	twice(func() {
		c.mu.RLock()
		e := c.entries["a"]
		c.mu.RUnlock()
		e.hits++ // want race "hits"
	})
}

// The first to ask computes; the others wait until the value is there.
func (c *cache) memo(key string) int {
	c.mu.Lock()
	e := c.entries[key]
	if e == nil {
		e = &entry{ready: make(chan struct{})}
		c.entries[key] = e
		c.mu.Unlock()
		e.value = len(key)
		close(e.ready)
	} else {
		c.mu.Unlock()
		<-e.ready
	}
	return e.value
}

func memoClean() {
	c := newCache()
	twice(func() { c.memo("a") })
}
