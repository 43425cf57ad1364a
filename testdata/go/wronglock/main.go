// Locks that do not exclude each other: two different ones, copies, one for each
// instance.
package main

import "sync"

type account struct {
	mu      sync.Mutex
	balance int
}

// deposit has a copy of the lock but shares the balance.
type wallet struct {
	mu   sync.Mutex
	cash *int
}

func (w wallet) deposit() {
	w.mu.Lock()
	defer w.mu.Unlock()
	*w.cash++ // want race "cash"
}

func (w *wallet) depositShared() {
	w.mu.Lock()
	defer w.mu.Unlock()
	*w.cash++
}

var (
	inner, outer sync.Mutex
	table        = map[string]int{}
)

func main() {
	differentRacy()
	localRacy()
	byValueRacy()
	byPointerClean()
	otherInstanceRacy()
	sameInstanceClean()
	nestedClean()
	mutexAgainstRWRacy()
	perElementClean()
}

func start(f func()) func() {
	var wg sync.WaitGroup
	wg.Go(f)
	return wg.Wait
}

func differentRacy() {
	wait := start(func() {
		inner.Lock()
		table["a"]++ // want race "table"
		inner.Unlock()
	})
	outer.Lock()
	table["a"]++
	outer.Unlock()
	wait()
}

// Each call has a lock of its own.
func localRacy() {
	n := 0
	add := func() {
		var mu sync.Mutex
		mu.Lock()
		n++ // want race "n"
		mu.Unlock()
	}
	wait := start(add)
	add()
	wait()
}

func byValueRacy() {
	w := wallet{cash: new(int)}
	wait := start(func() { w.deposit() })
	w.deposit()
	wait()
}

func byPointerClean() {
	w := &wallet{cash: new(int)}
	wait := start(func() { w.depositShared() })
	w.depositShared()
	wait()
}

func otherInstanceRacy() {
	a, b := &account{}, &account{}
	wait := start(func() {
		b.mu.Lock()
		a.balance++ // want race "balance"
		b.mu.Unlock()
	})
	a.mu.Lock()
	a.balance++
	a.mu.Unlock()
	wait()
}

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
