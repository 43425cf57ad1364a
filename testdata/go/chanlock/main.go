// A channel as a lock or semaphore: with one token it excludes, with two it does
// not.
package main

import "sync"

type sem chan struct{}

func (s sem) acquire() { s <- struct{}{} }
func (s sem) release() { <-s }

func main() {
	lockClean()
	tokenClean()
	twoTokensRacy()
	methodClean()
	limitRacy()
	barrierClean()
	forgottenRacy()
	tokenOfObjectClean()
	givenBackEarlyRacy()
	secondTokenRacy()
	madeUpTokenRacy()
	closedTokenRacy()
}

func many(f func()) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(f)
	}
	wg.Wait()
}

// A send takes the only place.
func lockClean() {
	n := 0
	lock := make(chan bool, 1)
	many(func() {
		lock <- true
		n++
		<-lock
	})
}

// A receive takes the only token.
func tokenClean() {
	n := 0
	token := make(chan bool, 1)
	token <- true
	many(func() {
		<-token
		n++
		token <- true
	})
}

func twoTokensRacy() {
	two := 0
	slots := make(chan bool, 2)
	many(func() {
		slots <- true
		two++ // want race "two"
		<-slots
	})
}

func methodClean() {
	n := 0
	s := make(sem, 1)
	many(func() {
		s.acquire()
		defer s.release()
		n++
	})
}

// A limit on goroutines is no lock.
func limitRacy() {
	limited := 0
	slots := make(chan struct{}, 3)
	var wg sync.WaitGroup
	for range 8 {
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { <-slots }()
			limited++ // want race "limited"
		}()
	}
	wg.Wait()
}

// All places taken: all goroutines are over.
func barrierClean() {
	var parts [2]int
	slots := make(chan bool, 2)
	for i := range parts {
		slots <- true
		go func() {
			parts[i] = 1
			<-slots
		}()
	}
	slots <- true
	slots <- true
	_ = parts
}

func forgottenRacy() {
	careless := 0
	lock := make(chan bool, 1)
	done := make(chan bool)
	go func() {
		lock <- true
		careless++ // want race "careless"
		<-lock
		done <- true
	}()
	careless++
	<-done
}
