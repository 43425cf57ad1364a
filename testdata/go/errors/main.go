// Errors that goroutines leave behind for those who started them.
package main

import (
	"errors"
	"fmt"
	"sync"
)

func main() {
	reusedRacy()
	redeclaredClean()
	firstRacy()
	firstLockedClean()
	firstOnceClean()
	byChannelClean()
	perTaskClean()
	joinedClean()
}

func work(n int) error {
	if n > 0 {
		return errors.New("failed")
	}
	return nil
}

// The closure assigns the variable of the outer function.
func reusedRacy() {
	done := make(chan bool)
	err := work(0)
	go func() {
		err = work(1) // want race "err"
		done <- true
	}()
	if err = work(2); err != nil {
		fmt.Println(err)
	}
	<-done
}

func redeclaredClean() {
	done := make(chan bool)
	err := work(0)
	go func() {
		err := work(1)
		done <- err == nil
	}()
	if err = work(2); err != nil {
		fmt.Println(err)
	}
	<-done
}

func firstRacy() error {
	var first error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if err := work(i); err != nil {
				first = err // want race "first"
			}
		})
	}
	wg.Wait()
	return first
}

func firstLockedClean() error {
	var mu sync.Mutex
	var first error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if err := work(i); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = err
				}
			}
		})
	}
	wg.Wait()
	return first
}

func firstOnceClean() error {
	var once sync.Once
	var first error
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			if err := work(i); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	wg.Wait()
	return first
}

func byChannelClean() error {
	errs := make(chan error, 3)
	for i := range 3 {
		go func() { errs <- work(i) }()
	}
	var first error
	for range 3 {
		if err := <-errs; err != nil {
			first = err
		}
	}
	return first
}

func perTaskClean() error {
	errs := make([]error, 3)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = work(i) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

func joinedClean() error {
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		err = work(1)
	}()
	<-done
	return err
}
