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
