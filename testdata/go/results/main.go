// Named results are variables: a return assigns them, and so does a deferred
// function.
package main

import "errors"

func main() {
	returnRacy()
	localClean()
	waitedClean()
	deferredRacy()
	deferredClean()
	bareClean()
}

func returnRacy() (result int) {
	go func() {
		_ = result // want race "result"
	}()
	return 20
}

func localClean() int {
	result := 10
	done := make(chan bool)
	go func() {
		_ = result
		done <- true
	}()
	defer func() { <-done }()
	return 20
}

func waitedClean() (result int) {
	done := make(chan int)
	go func() {
		result = 10
		done <- 1
	}()
	<-done
	return 20
}

// The deferred function assigns while the goroutine may still read.
func deferredRacy() (failure error) {
	done := make(chan bool, 1)
	go func() {
		_ = failure // want race "failure"
		done <- true
	}()
	defer func() {
		failure = errors.New("late")
		<-done
	}()
	return
}

func deferredClean() (failure error) {
	done := make(chan bool)
	go func() {
		_ = failure
		done <- true
	}()
	defer func() {
		<-done
		failure = errors.New("late")
	}()
	return
}

func bareClean() (result int) {
	done := make(chan bool)
	go func() {
		result = 1
		done <- true
	}()
	<-done
	result++
	return
}
