// Holders of a read lock exclude writers, not each other.
package main

import "sync"

type cache struct {
	mu    sync.RWMutex
	items map[string]int
	hits  int
	reads int
	lazy  *int
}

func newCache() *cache { return &cache{items: map[string]int{}} }

func main() {
	readersClean()
	writeUnderReadRacy()
	countUnderReadRacy()
	lazyUnderReadRacy()
	upgradeClean()
	droppedRacy()
	lockerClean()
	embeddedClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func (c *cache) get(key string) (int, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	v, ok := c.items[key]
	return v, ok
}

func (c *cache) put(key string, v int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items[key] = v
}

func readersClean() {
	c := newCache()
	twice(func() {
		c.put("a", 1)
		c.get("a")
	})
}

func writeUnderReadRacy() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		c.items["a"] = 1 // want race "items"
		c.mu.RUnlock()
	})
}

// Statistics of readers are easily forgotten.
func countUnderReadRacy() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		defer c.mu.RUnlock()
		c.hits++ // want race "hits"
	})
}

func lazyUnderReadRacy() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		if c.lazy == nil {
			c.lazy = new(int) // want race "lazy"
		}
		c.mu.RUnlock()
	})
}

// The read lock is given up before the write lock is taken, and the state
// looked at again.
func upgradeClean() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		_, ok := c.items["a"]
		c.mu.RUnlock()
		if ok {
			return
		}
		c.mu.Lock()
		if _, ok := c.items["a"]; !ok {
			c.items["a"] = 1
		}
		c.mu.Unlock()
	})
}

func droppedRacy() {
	c := newCache()
	twice(func() {
		c.mu.RLock()
		n := c.reads
		c.mu.RUnlock()
		c.reads = n + 1 // want race "reads"
	})
}

// The reader's side as a Locker still excludes writers.
func lockerClean() {
	c := newCache()
	r := c.mu.RLocker()
	twice(func() {
		r.Lock()
		_ = c.items["a"]
		r.Unlock()
		c.mu.Lock()
		c.items["a"] = 1
		c.mu.Unlock()
	})
}

type registry struct {
	sync.RWMutex
	names []string
}

func embeddedClean() {
	r := &registry{}
	twice(func() {
		r.Lock()
		r.names = append(r.names, "a")
		r.Unlock()
		r.RLock()
		defer r.RUnlock()
		_ = len(r.names)
	})
}
