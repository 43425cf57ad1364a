package main

import (
	"runtime"
	"sync/atomic"
)

// spinLock is a lock made of an atomic.
type spinLock struct {
	state atomic.Int32
}

func (l *spinLock) lock() {
	for !l.state.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (l *spinLock) unlock() { l.state.Store(0) }

// both runs a function twice at the same time.
func both(f func()) {
	done := make(chan bool)
	go func() {
		f()
		done <- true
	}()
	f()
	<-done
}

type account struct {
	guard   spinLock
	balance int
	loose   int
}

func typeClean() {
	a := &account{}
	both(func() {
		a.guard.lock()
		a.balance++
		a.guard.unlock()
	})
}

func afterUnlockRacy() {
	a := &account{}
	both(func() {
		a.guard.lock()
		a.guard.unlock()
		a.loose++ // want race "loose"
	})
}

// The old value says whether it was free.
func testAndSetClean() {
	var lock int32
	n := 0
	both(func() {
		for atomic.SwapInt32(&lock, 1) != 0 {
			runtime.Gosched()
		}
		n++
		atomic.StoreInt32(&lock, 0)
	})
}

// Whoever does not get it does something else.
func tryClean() {
	var busy atomic.Bool
	n := 0
	both(func() {
		if busy.CompareAndSwap(false, true) {
			n++
			busy.CompareAndSwap(true, false)
		}
	})
}

// Somebody makes it free who does not hold it.
func freedRacy() {
	var lock atomic.Int32
	freed := 0
	both(func() {
		for !lock.CompareAndSwap(0, 1) {
			lock.Store(0)
		}
		freed++ // want race "freed"
		lock.Store(0)
	})
}

// A counter that may come back to zero while somebody is at work.
func countedRacy() {
	var lock atomic.Int32
	counted := 0
	both(func() {
		for !lock.CompareAndSwap(0, 1) {
			lock.Add(-1)
		}
		counted++ // want race "counted"
		lock.Store(0)
	})
}

// Two values mean that it is free.
func twoFreeRacy() {
	var lock atomic.Int32
	twice := 0
	both(func() {
		if lock.CompareAndSwap(0, 2) || lock.CompareAndSwap(1, 2) {
			twice++ // want race "twice"
			lock.Store(1)
		}
		if lock.CompareAndSwap(2, 0) {
			twice++
			lock.Store(1)
		}
	})
}
