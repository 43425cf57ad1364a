// A flag that is set and tested under a lock orders like an atomic one; a
// condition variable is the way to wait for it.
package main

import "sync"

type box struct {
	mu    sync.Mutex
	cond  *sync.Cond
	full  bool
	value int
}

func newBox() *box {
	b := &box{}
	b.cond = sync.NewCond(&b.mu)
	return b
}

func main() {
	waitClean()
	outsideClean()
	outsideRacy()
	noFlagRacy()
	flagClean()
	flagRacy()
	queueClean()
	lockerClean()
	ifRacy()
}

func (b *box) put(v int) {
	b.cond.L.Lock()
	b.value = v
	b.full = true
	b.cond.L.Unlock()
	b.cond.Signal()
}

func (b *box) take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.full {
		b.cond.Wait()
	}
	b.full = false
	return b.value
}

func waitClean() {
	b := newBox()
	go b.put(1)
	_ = b.take()
}

// The data is not under the lock, but before and behind the flag.
func outsideClean() {
	b := newBox()
	x := 0
	go func() {
		x = 1
		b.mu.Lock()
		b.full = true
		b.mu.Unlock()
		b.cond.Signal()
	}()
	b.mu.Lock()
	for !b.full {
		b.cond.Wait()
	}
	b.mu.Unlock()
	_ = x
}

func outsideRacy() {
	b := newBox()
	late := 0
	go func() {
		b.mu.Lock()
		b.full = true
		b.mu.Unlock()
		b.cond.Signal()
		late = 1 // want race "late"
	}()
	b.mu.Lock()
	for !b.full {
		b.cond.Wait()
	}
	b.mu.Unlock()
	_ = late
}

// The flag is set without the lock.
func noFlagRacy() {
	b := newBox()
	go func() {
		b.full = true // want race "full"
		b.cond.Signal()
	}()
	b.mu.Lock()
	if !b.full {
		b.value = 1
	}
	b.mu.Unlock()
}

func flagClean() {
	var mu sync.Mutex
	done, x := false, 0
	go func() {
		x = 1
		mu.Lock()
		done = true
		mu.Unlock()
	}()
	for {
		mu.Lock()
		ok := done
		mu.Unlock()
		if ok {
			break
		}
	}
	_ = x
}
