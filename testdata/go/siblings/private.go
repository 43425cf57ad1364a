package main

import "sync"

// Objects of one place of which some are shared, and others never leave the
// function that asked for them.
type backend struct {
	mu   sync.Mutex
	db   *int
	live int
	stop chan bool
}

type store interface{ close() }

func newBackend(size int) *backend { return open(size + 1) }

func open(size int) *backend {
	if size > 3 {
		println("big")
	}
	b := &backend{db: new(int), stop: make(chan bool)}
	go b.run()
	return b
}

func (b *backend) run() { <-b.stop }

func (b *backend) defrag() {
	b.mu.Lock()
	b.db = new(int)
	b.live++ // want race "live"
	b.mu.Unlock()
}

func (b *backend) close() { _ = b.db }

type keeper struct{ b *backend }

// The one that is checked is nobody else's.
func privateClean() {
	k := &keeper{newBackend(1)}
	go k.defrag()
	go k.defrag()
	check()
}

func (k *keeper) defrag() { k.b.defrag() }

func newStore(size int) store { return newBackend(size) }

func check() {
	b := newStore(3)
	defer b.close()
	println("checked")
}

// This one is.
func publicRacy() {
	k := &keeper{newBackend(1)}
	go k.defrag()
	go k.count()
}

func (k *keeper) count() { _ = k.b.live }

// Each is set up before its goroutine starts.
type shards struct {
	mu   sync.Mutex
	done chan bool
	n    int
}

func (s *shards) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done = make(chan bool)
	go s.run()
}

func (s *shards) run() { _ = s.done }

type pool struct{ all map[string]*shards }

func (p *pool) apply(names []string) {
	for _, n := range names {
		p.all[n] = &shards{}
	}
	for _, s := range p.all {
		s.start()
	}
}

var shared = &pool{map[string]*shards{}}

func restartClean() {
	for range 3 {
		shared.apply([]string{"a", "b"})
		clear(shared.all)
	}
}

type worker struct {
	mu    sync.Mutex
	again chan bool
}

func (w *worker) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = make(chan bool) // want race "again"
	go w.run()
}

func (w *worker) run() { _ = w.again }

// The same one is started twice.
func restartRacy() {
	w := &worker{}
	w.start()
	w.start()
}
