// Deferred calls run on every way out; recover ends the panic.
package main

import (
	"errors"
	"sync"
)

type stack struct {
	mu    sync.Mutex
	items []int
	depth int
}

func main() {
	deferredDoneClean()
	recoveredRacy()
	unlockClean()
	unlockSkippedRacy()
	resultClean()
	afterPanicClean()
	recoverOrderClean()
	deferredWriteRacy()
}

func start(f func()) func() {
	var wg sync.WaitGroup
	wg.Go(f)
	return wg.Wait
}

func risky(n int) {
	if n > 0 {
		panic(errors.New("risky"))
	}
}

// Done is said even if the work panics.
func deferredDoneClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { recover() }()
		x = 1
		risky(1)
	}()
	wg.Wait()
	_ = x
}

// What follows the recovery is not before Done.
func recoveredRacy() {
	survived := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		func() {
			defer func() { recover() }()
			defer wg.Done()
			risky(1)
		}()
		survived = 1 // want race "survived"
	}()
	wg.Wait()
	_ = survived
}

func (s *stack) push(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	risky(n)
	s.items = append(s.items, n)
}

func unlockClean() {
	s := &stack{}
	push := func() {
		defer func() { recover() }()
		s.push(0)
	}
	wait := start(push)
	push()
	wait()
}

// The deferred function runs after the lock was given up.
func unlockSkippedRacy() {
	s := &stack{}
	visit := func() {
		defer func() {
			s.depth-- // want race "depth"
		}()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.depth++
	}
	wait := start(visit)
	visit()
	wait()
}
