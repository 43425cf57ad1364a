// Package threads holds origins that a library starts itself (RacerD 5.2.2).
package threads

import (
	"net/http"
	"sync"
)

// Loop runs a goroutine of its own.
type Loop struct {
	done chan struct{}
	n    int
	last string
}

func NewLoop() *Loop {
	l := &Loop{done: make(chan struct{})}
	l.last = "made"
	go l.run()
	return l
}

func (l *Loop) run() {
	for range l.done {
		l.n++ // want none fn "n"
	}
}

func (l *Loop) Count() int { return l.n }

func (l *Loop) Last() string { return l.last }

// Pool starts goroutines and waits for them while it holds the lock: they run
// under it.
type Pool struct {
	mu sync.Mutex
	n  int
}

func (p *Pool) Run() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		p.n++
	}()
	wg.Wait()
}

func (p *Pool) Inc() {
	p.mu.Lock()
	p.n++
	p.mu.Unlock()
}

func (p *Pool) Get() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.n
}

// Late writes after it has started the goroutine.
type Late struct {
	mu sync.Mutex
	n  int
}

func StartLate() *Late {
	l := &Late{}
	go l.work()
	l.n = 1 // want race "n"
	return l
}

func (l *Late) work() {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
}

func (l *Late) Get() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// Counter is safe for concurrent use by multiple goroutines.
type Counter struct {
	n     int
	ticks int
}

func (c *Counter) Inc() {
	c.n++ // want none fn "c.n"
}

// Tick may be called concurrently.
func (c *Counter) Tick() {
	c.ticks++ // want none fn "c.ticks"
}

// Plain shows no evidence: it is meant for one goroutine.
type Plain struct {
	n int
}

func (p *Plain) Inc()     { p.n++ }
func (p *Plain) Get() int { return p.n }

// Handler is called for many requests at once.
type Handler struct {
	mu   sync.Mutex
	hits int
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.hits++ // want race "h.hits"
}

func (h *Handler) Hits() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.hits
}

func (h *Handler) Reset() {
	h.mu.Lock()
	h.hits = 0
	h.mu.Unlock()
}
