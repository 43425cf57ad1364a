package main

import (
	"runtime"
	"sync/atomic"
)

// The result of the attempt is ignored.
func casRacy() {
	var lock atomic.Int32
	tried := 0
	add := func() {
		lock.CompareAndSwap(0, 1)
		tried++ // want race "tried"
		lock.Store(0)
	}
	done := make(chan bool)
	go func() {
		add()
		done <- true
	}()
	add()
	<-done
}

const (
	idle = iota
	writing
	written
)

// The last of several states is the one that publishes.
func stateClean() {
	var state atomic.Int32
	result := 0
	go func() {
		state.Store(writing)
		result = 1
		state.Store(written)
	}()
	for state.Load() != written {
		runtime.Gosched()
	}
	_ = result
}
