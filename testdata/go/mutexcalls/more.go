package main

import "sync"

func callbackClean() {
	w := &wrapped{}
	both(func() { w.with(func() { w.value++ }) }, func() { w.with(func() { w.value-- }) })
}

func guardClean() {
	w := &wrapped{}
	add := func() {
		defer w.guard()()
		w.value++
	}
	both(add, add)
}

func helperClean() {
	w := &wrapped{}
	add := func() {
		w.mu.Lock()
		defer w.release()
		w.value++
	}
	both(add, add)
}

func pointerLockClean() {
	mu := new(sync.Mutex)
	s := &shard{mu: mu}
	both(func() {
		s.mu.Lock()
		s.n++
		s.mu.Unlock()
	}, func() {
		mu.Lock()
		s.n++
		mu.Unlock()
	})
}

func earlyUnlockRacy() {
	w := &wrapped{}
	add := func() {
		w.mu.Lock()
		n := w.value
		w.mu.Unlock()
		w.value = n + 1 // want race "value"
	}
	both(add, add)
}

// The lock is given up before the second access.
func capturedRacy() {
	w := &wrapped{}
	done := make(chan bool)
	go func() {
		w.mu.Lock()
		w.loose = 1
		w.mu.Unlock()
		done <- true
	}()
	w.mu.Lock()
	w.value = 1
	w.mu.Unlock()
	w.loose = 2 // want race "loose"
	<-done
}
