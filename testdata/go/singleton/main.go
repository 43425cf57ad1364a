// One instance, made when it is first asked for.
package main

import (
	"sync"
	"sync/atomic"
)

type registry struct {
	mu    sync.Mutex
	names map[string]int
}

func newRegistry() *registry { return &registry{names: map[string]int{}} }

func main() {
	nilCheckRacy()
	onceClean()
	lockClean()
	doubleRacy()
	doubleAtomicClean()
	onceValueClean()
	eagerClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

var plain *registry

func getPlain() *registry {
	if plain == nil {
		plain = newRegistry() // want race "plain"
	}
	return plain
}

func nilCheckRacy() {
	twice(func() { getPlain() })
}

var (
	once   sync.Once
	lazily *registry
)

func getOnce() *registry {
	once.Do(func() { lazily = newRegistry() })
	return lazily
}

func onceClean() {
	twice(func() { _ = getOnce().names })
}

var (
	mu     sync.Mutex
	locked *registry
)

func getLocked() *registry {
	mu.Lock()
	defer mu.Unlock()
	if locked == nil {
		locked = newRegistry()
	}
	return locked
}

func lockClean() {
	twice(func() { _ = getLocked().names })
}

var double *registry

// The first look is without the lock.
func getDouble() *registry {
	if double == nil {
		mu.Lock()
		defer mu.Unlock()
		if double == nil {
			double = newRegistry() // want race "double"
		}
	}
	return double
}

func doubleRacy() {
	twice(func() { getDouble() })
}

var published atomic.Pointer[registry]

// The first look is atomic.
func getPublished() *registry {
	if r := published.Load(); r != nil {
		return r
	}
	mu.Lock()
	defer mu.Unlock()
	if r := published.Load(); r != nil {
		return r
	}
	r := newRegistry()
	r.names["a"] = 1
	published.Store(r)
	return r
}

func doubleAtomicClean() {
	twice(func() { _ = getPublished().names["a"] })
}

var get = sync.OnceValue(newRegistry)

func onceValueClean() {
	twice(func() { _ = get().names })
}

var eager = newRegistry()

func (r *registry) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.names[name]++
}

func eagerClean() {
	twice(func() { eager.add("a") })
}
