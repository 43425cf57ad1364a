// Configuration that is replaced while it is in use.
package main

import (
	"sync"
	"sync/atomic"
)

type config struct {
	limit int
	hosts []string
	extra map[string]string
}

func main() {
	fieldRacy()
	pointerRacy()
	atomicPointerClean()
	atomicValueClean()
	changedAfterRacy()
	copyOnWriteClean()
	rwmutexClean()
	swapClean()
}

func start(f func()) func() {
	var wg sync.WaitGroup
	wg.Go(f)
	return wg.Wait
}

var current = config{limit: 1}

// Fields are assigned one by one under the readers.
func fieldRacy() {
	wait := start(func() { _ = current.limit })
	current.limit = 2 // want race "limit"
	wait()
}

var plain = &config{}

func pointerRacy() {
	wait := start(func() { _ = plain.limit })
	plain = &config{limit: 2} // want race "plain"
	wait()
}

var published atomic.Pointer[config]

func atomicPointerClean() {
	published.Store(&config{limit: 1})
	wait := start(func() { _ = published.Load().limit })
	next := &config{limit: 2}
	next.hosts = append(next.hosts, "a")
	published.Store(next)
	wait()
}

func atomicValueClean() {
	var value atomic.Value
	value.Store(&config{limit: 1})
	wait := start(func() { _ = value.Load().(*config).hosts })
	next := &config{limit: 2}
	next.hosts = append(next.hosts, "a")
	value.Store(next)
	wait()
}

// What is published already is changed.
func changedAfterRacy() {
	var live atomic.Pointer[config]
	live.Store(&config{extra: map[string]string{}})
	wait := start(func() { _ = live.Load().extra["a"] })
	live.Load().extra["a"] = "b" // want race "extra"
	wait()
}

func copyOnWriteClean() {
	var live atomic.Pointer[config]
	live.Store(&config{extra: map[string]string{}})
	wait := start(func() { _ = live.Load().extra["a"] })
	next := *live.Load()
	next.extra = map[string]string{"a": "b"}
	live.Store(&next)
	wait()
}

type holder struct {
	mu  sync.RWMutex
	cfg *config
}

func (h *holder) get() *config {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.cfg
}

func (h *holder) set(c *config) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cfg = c
}

// The lock guards the pointer, and what it leads to does not change.
func rwmutexClean() {
	h := &holder{cfg: &config{}}
	wait := start(func() { _ = h.get().limit })
	h.set(&config{limit: 2})
	wait()
}

func swapClean() {
	var live atomic.Pointer[config]
	live.Store(&config{})
	wait := start(func() { _ = live.Load().limit })
	old := live.Swap(&config{limit: 3})
	_ = old.limit
	wait()
}
