// An atomic flag publishes what was written before it was set, to those who have
// seen it set.
package main

import (
	"runtime"
	"sync/atomic"
)

type service struct {
	ready atomic.Bool
	addr  string
}

func main() {
	spinClean()
	ifClean()
	elseRacy()
	plainFlagRacy()
	setEarlyRacy()
	pointerClean()
	swapClean()
	casClean()
	casRacy()
	typeClean()
	afterUnlockRacy()
	testAndSetClean()
	tryClean()
	freedRacy()
	countedRacy()
	twoFreeRacy()
	stateClean()
}

func spinClean() {
	var flag atomic.Bool
	data := 0
	go func() {
		data = 1
		flag.Store(true)
	}()
	for !flag.Load() {
		runtime.Gosched()
	}
	_ = data
}

func ifClean() {
	s := &service{}
	go func() {
		s.addr = "a"
		s.ready.Store(true)
	}()
	if s.ready.Load() {
		_ = s.addr
	}
}

func elseRacy() {
	s := &service{}
	go func() {
		s.addr = "a" // want race "addr"
		s.ready.Store(true)
	}()
	if !s.ready.Load() {
		_ = s.addr
	}
}

// Neither the flag nor the data is ordered.
func plainFlagRacy() {
	stop := false
	data := 0
	go func() {
		data = 1    // want race "data"
		stop = true // want race "stop"
	}()
	for !stop {
		runtime.Gosched()
	}
	_ = data
}

func setEarlyRacy() {
	var flag atomic.Bool
	early := 0
	go func() {
		flag.Store(true)
		early = 1 // want race "early"
	}()
	for !flag.Load() {
		runtime.Gosched()
	}
	_ = early
}

// The pointer is published when it is complete.
func pointerClean() {
	var current atomic.Pointer[service]
	go func() {
		s := &service{}
		s.addr = "a"
		current.Store(s)
	}()
	if s := current.Load(); s != nil {
		_ = s.addr
	}
}

func swapClean() {
	var flag int32
	data := 0
	go func() {
		data = 1
		atomic.StoreInt32(&flag, 1)
	}()
	for atomic.SwapInt32(&flag, 0) == 0 {
		runtime.Gosched()
	}
	_ = data
}

// A lock made of an atomic.
func casClean() {
	var lock atomic.Int32
	n := 0
	add := func() {
		for !lock.CompareAndSwap(0, 1) {
			runtime.Gosched()
		}
		n++
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
