// Finalizers run one after the other in a goroutine of their own, cleanups in
// goroutines of theirs.
package main

import (
	"runtime"
	"sync/atomic"
)

type handle struct {
	fd   int
	next *handle
}

var (
	closed    int
	open      int
	finalised atomic.Int32
)

func main() {
	ownClean()
	usedClean()
	globalRacy()
	atomicClean()
	serialClean()
	cleanupRacy()
	cleanupOwnClean()
	for range 3 {
		runtime.GC()
	}
	runtime.Gosched()
}

// What is finalised is known to nobody else.
func ownClean() {
	h := &handle{fd: 1}
	h.fd = 2
	runtime.SetFinalizer(h, func(h *handle) { h.fd = 0 })
}

// A finalizer waits for the last use.
func usedClean() {
	h := newHandle()
	h.fd++
	h.next = nil
}

func newHandle() *handle {
	h := &handle{next: new(handle)}
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

func (h *handle) close() { h.fd = -1 }

func globalRacy() {
	h := &handle{next: new(handle)}
	runtime.SetFinalizer(h, func(*handle) {
		closed++ // want race "closed"
	})
	closed++
}

func atomicClean() {
	h := &handle{next: new(handle)}
	runtime.SetFinalizer(h, func(*handle) { finalised.Add(1) })
	finalised.Add(1)
}

// Finalizers do not run at the same time.
func serialClean() {
	for range 4 {
		h := &handle{next: new(handle)}
		runtime.SetFinalizer(h, func(*handle) { open-- }) // want race fp "open"
	}
}

func cleanupRacy() {
	dropped := new(int)
	for range 4 {
		h := &handle{next: new(handle)}
		runtime.AddCleanup(h, func(n *int) {
			*n++ // want race "n"
		}, dropped)
	}
}

func cleanupOwnClean() {
	h := &handle{next: new(handle)}
	own := new(int)
	*own = 1
	runtime.AddCleanup(h, func(n *int) { *n++ }, own)
}
