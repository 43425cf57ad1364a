package main

import "sync"

func sameInstanceClean() {
	a, b := &account{}, &account{}
	move := func() {
		a.mu.Lock()
		a.balance--
		a.mu.Unlock()
		b.mu.Lock()
		b.balance++
		b.mu.Unlock()
	}
	wait := start(move)
	move()
	wait()
}

func nestedClean() {
	n := 0
	wait := start(func() {
		inner.Lock()
		outer.Lock()
		n++
		outer.Unlock()
		inner.Unlock()
	})
	outer.Lock()
	n++
	outer.Unlock()
	wait()
}

func mutexAgainstRWRacy() {
	var plain sync.Mutex
	var rw sync.RWMutex
	n := 0
	wait := start(func() {
		plain.Lock()
		n++ // want race "n"
		plain.Unlock()
	})
	rw.Lock()
	n++
	rw.Unlock()
	wait()
}

func perElementClean() {
	accounts := make([]account, 4)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			a := &accounts[i%4]
			a.mu.Lock()
			a.balance++
			a.mu.Unlock()
		})
	}
	wg.Wait()
}
