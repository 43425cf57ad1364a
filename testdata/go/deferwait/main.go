// A deferred function waits only if something went wrong: together with the wait of
// the ordinary way, all ways out of the function have waited, or not.
package main

import (
	"errors"
	"os"
	"sync"
)

type broken struct{ at int }

func (*broken) Error() string { return "broken" }

var chance = len(os.Args)

func main() {
	waitsIfErrorClean()
	waitsByTypeClean()
	waitsByFlagClean()
	otherTypeRacy()
	leavesEarlyRacy()
	setBackRacy()
}

var first int

// An error makes the deferred function wait; without one the function does.
func waitsIfErrorClean() {
	_ = waitsIfError()
	first = 2
}

func waitsIfError() (err error) {
	var wg sync.WaitGroup
	defer func() {
		if err != nil {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		first = 1
		wg.Done()
	}()
	if chance > 2 {
		return errors.New("no")
	}
	wg.Wait()
	return nil
}

var second int

// The only errors are of the type that the deferred function looks for.
func waitsByTypeClean() {
	_ = waitsByType()
	second = 2
}

func waitsByType() (err error) {
	var wg sync.WaitGroup
	var failed error
	defer func() {
		if _, ok := err.(*broken); ok {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		second = 1
		wg.Done()
	}()
	if chance > 2 {
		failed = &broken{chance}
	}
	if failed != nil {
		return failed
	}
	wg.Wait()
	return nil
}

var third int

// Another variable says so.
func waitsByFlagClean() {
	_ = waitsByFlag()
	third = 2
}

func waitsByFlag() (err error) {
	var wg sync.WaitGroup
	var failed error
	defer func() {
		if failed != nil {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		third = 1
		wg.Done()
	}()
	if _, err := os.Stat("x"); err != nil {
		failed = err
	}
	if failed != nil {
		return failed
	}
	wg.Wait()
	return nil
}

var fourth int

// An error of another type is not looked for.
func otherTypeRacy() {
	_ = otherType()
	fourth = 2 // want race "fourth"
}

func otherType() (err error) {
	var wg sync.WaitGroup
	defer func() {
		if _, ok := err.(*broken); ok {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		fourth = 1
		wg.Done()
	}()
	if chance > 2 {
		return errors.New("no")
	}
	wg.Wait()
	return nil
}

var fifth int

// One way out has neither waited nor an error.
func leavesEarlyRacy() {
	_ = leavesEarly()
	fifth = 2 // want race "fifth"
}

func leavesEarly() (err error) {
	var wg sync.WaitGroup
	defer func() {
		if err != nil {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		fifth = 1
		wg.Done()
	}()
	if chance > 2 {
		return errors.New("no")
	}
	if chance > 1 {
		return nil
	}
	wg.Wait()
	return nil
}

var sixth int

// What was seen does not hold any more.
func setBackRacy() {
	setBack()
	sixth = 2 // want race "sixth"
}

func setBack() {
	var wg sync.WaitGroup
	var failed error
	defer func() {
		if failed != nil {
			wg.Wait()
		}
	}()
	wg.Add(1)
	go func() {
		sixth = 1
		wg.Done()
	}()
	if chance > 2 {
		failed = errors.New("no")
	}
	if failed != nil {
		if chance > 3 {
			failed = nil
		}
		return
	}
	wg.Wait()
}
