package main

import (
	"context"
	"sync"
)

// A lock that its holder keeps while he waits for a goroutine holds for that
// goroutine too.
type manager struct {
	mu    sync.Mutex
	conf  map[string]int
	pools []string
	early int
	first int
}

func (m *manager) apply(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conf = map[string]int{name: 1}
	var wg sync.WaitGroup
	for range m.pools {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_ = m.conf[name]
		}()
	}
	wg.Wait()
}

func lentClean() {
	m := &manager{pools: []string{"a"}}
	go m.apply("a")
	go m.apply("b")
}

// The lock is given up before the goroutine is waited for.
func (m *manager) applyEarly() {
	m.mu.Lock()
	m.early++ // want race "early"
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		_ = m.early
	}()
	m.mu.Unlock()
	wg.Wait()
}

func lentEarlyRacy() {
	m := &manager{}
	go m.applyEarly()
	go m.applyEarly()
}

// The lock does not keep its holder away from what he has started.
func (m *manager) applyFirst() {
	m.mu.Lock()
	defer m.mu.Unlock()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		_ = m.first
	}()
	m.first++ // want race "first"
	wg.Wait()
}

func lentSelfRacy() {
	m := &manager{}
	go m.applyFirst()
	go m.applyFirst()
}

// A goroutine takes the lock for the function that starts it.
type client struct {
	mu   sync.RWMutex
	conn *int
	lost *int
}

func (c *client) start() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn = new(int)
	c.lost = new(int) // want race "lost"
}

func (c *client) stop(ctx context.Context) {
	got := make(chan struct{})
	go func() {
		c.mu.Lock()
		close(got)
	}()
	select {
	case <-ctx.Done():
		<-got
	case <-got:
	}
	defer c.mu.Unlock()
	c.conn = nil
}

// It has only been asked to.
func (c *client) abort(ctx context.Context) {
	got := make(chan struct{})
	go func() {
		c.mu.Lock()
		close(got)
	}()
	select {
	case <-ctx.Done():
		c.lost = nil
	case <-got:
		c.mu.Unlock()
	}
}

func deputyClean() {
	c := &client{}
	go c.start()
	go c.stop(context.Background())
	go c.stop(context.TODO())
}

func deputyRacy() {
	ctx, cancel := context.WithCancel(context.Background())
	c := &client{}
	go c.start()
	go c.abort(ctx)
	cancel()
}
