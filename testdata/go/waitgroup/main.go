// A WaitGroup orders what its members do before what follows the wait, if they
// are counted before they start and say done last. The groups of
// golang.org/x/sync would belong here, but these programs have no dependencies.
package main

import (
	"os"
	"sync"
)

func main() {
	addDoneClean()
	skippedClean([]int{1, 5})
	skippedRacy([]int{1, 5}, make([]int, 1))
	waitedClean(len(os.Args) > 1)
	waitedRacy(len(os.Args) > 1, len(os.Args) > 2)
	doneEarlyRacy()
	addInsideRacy()
	addAllClean()
	goClean()
	goRacy()
	notWaitedRacy()
	deferredWaitClean()
	nestedClean()
	reusedClean()
	waiterClean()
	otherGroupRacy()
	missingDoneClean()
	fieldClean()
	helperClean()
	groupPerTurnClean(os.Args)
	groupPerTurnRacy(os.Args)
}

func addDoneClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1
	}()
	wg.Wait()
	_ = x
}

func doneEarlyRacy() {
	early := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		early = 1 // want race "early"
	}()
	wg.Wait()
	_ = early
}

// Wait may run before Add.
func addInsideRacy() {
	inside := 0
	var wg sync.WaitGroup
	go func() {
		wg.Add(1) // want race "wg"
		defer wg.Done()
		inside = 1 // want race "inside"
	}()
	wg.Wait()
	_ = inside
}

func addAllClean() {
	x, y := 0, 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		x = 1
		wg.Done()
	}()
	go func() {
		y = 1
		wg.Done()
	}()
	wg.Wait()
	_ = x + y
}

func goClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	wg.Wait()
	_ = x
}

func goRacy() {
	peeked := 0
	var wg sync.WaitGroup
	wg.Go(func() { peeked = 1 }) // want race "peeked"
	_ = peeked
	wg.Wait()
}

func notWaitedRacy() {
	orphan := 0
	var wg sync.WaitGroup
	wg.Go(func() { orphan = 1 }) // want race "orphan"
	_ = orphan
}

func deferredWaitClean() {
	x := 0
	defer func() { _ = x }()
	var wg sync.WaitGroup
	defer wg.Wait()
	wg.Go(func() { x = 1 })
}

// The inner goroutine is counted by the outer one, which is still counted.
func nestedClean() {
	x := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		wg.Add(1)
		go func() {
			defer wg.Done()
			x = 1
		}()
	}()
	wg.Wait()
	_ = x
}

// Each turn has a group of its own and waits for it.
func groupPerTurnClean(batches []string) {
	sum := 0
	for _, b := range batches {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			if b == "" {
				return
			}
			sum += len(b)
		}()
		wg.Wait()
		sum++
	}
	_ = sum
}

func groupPerTurnRacy(batches []string) {
	count := 0
	for _, b := range batches {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			count += len(b) // want race "count"
		}()
		if b == "" {
			continue
		}
		wg.Wait()
		count++ // want race "count"
	}
}
