package main

import (
	"sync"
	"time"
)

func sizeRacy() {
	c := newCache()
	done := make(chan bool)
	go func() {
		c.mu.Lock()
		c.entries["a"] = &entry{} // want race "entries"
		c.mu.Unlock()
		done <- true
	}()
	_ = len(c.entries)
	<-done
}

type sharded [4]struct {
	mu sync.Mutex
	m  map[string]int
}

// Each shard has its lock.
func shardedClean() {
	var s sharded
	for i := range s {
		s[i].m = map[string]int{}
	}
	twice(func() {
		for _, key := range []string{"a", "bb"} {
			shard := &s[len(key)%len(s)]
			shard.mu.Lock()
			shard.m[key]++
			shard.mu.Unlock()
		}
	})
}

// A goroutine throws old entries away.
func cleanerClean() {
	c := newCache()
	quit, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		t := time.NewTicker(time.Millisecond)
		defer t.Stop()
		for {
			select {
			case now := <-t.C:
				c.mu.Lock()
				for k, e := range c.entries {
					if now.After(e.expires) {
						delete(c.entries, k)
					}
				}
				c.mu.Unlock()
			case <-quit:
				return
			}
		}
	}()
	c.get("a")
	close(quit)
	<-done
	c.entries = nil
}
