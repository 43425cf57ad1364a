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
		l.n++ // want race "n"
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
	c.n++ // want race "c.n"
}

// Tick may be called concurrently.
func (c *Counter) Tick() {
	c.ticks++ // want race "c.ticks"
}

// Except is safe for concurrent use, except for SetName.
type Except struct {
	name string
}

func (e *Except) SetName(name string) { e.name = name }
func (e *Except) Name() string        { return e.name }

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

// Counting is a handler without any lock.
type Counting struct {
	hits int
}

func (c *Counting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.hits++    // want race "c.hits"
	r.Host = "" // each request is its own
}

// Result lets its caller wait: who has done so may read.
type Result struct {
	done chan struct{}
	err  error
}

func StartResult(work func() error) *Result {
	r := &Result{done: make(chan struct{})}
	go func() {
		r.err = work()
		close(r.done)
	}()
	return r
}

func (r *Result) Done() <-chan struct{} { return r.done }
func (r *Result) Err() error            { return r.err }

// Crowd starts a goroutine for each item, all of which add to one sum.
type Crowd struct {
	sum int
}

func (c *Crowd) Add(items []int) {
	var wg sync.WaitGroup
	for _, n := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c.sum += n // want race "c.sum"
		}()
	}
	wg.Wait()
}

// Parts starts a goroutine for each item, each of which has its own.
type Parts struct {
	out []int
}

func (p *Parts) Fill(items []int) {
	var wg sync.WaitGroup
	for i, n := range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p.out[i] = n
		}()
	}
	wg.Wait()
}

// Actor keeps its state to one goroutine.
type Actor struct {
	in, out chan int
	sum     int
}

func NewActor() *Actor {
	a := &Actor{in: make(chan int), out: make(chan int)}
	go a.run()
	return a
}

func (a *Actor) run() {
	for n := range a.in {
		a.sum += n
		a.out <- a.sum
	}
}

func (a *Actor) Add(n int) int {
	a.in <- n
	return <-a.out
}
