// A close is before the receives that notice it, all of them.
package main

import "sync"

func main() {
	closeClean()
	deferClean()
	afterCloseRacy()
	broadcastClean()
	rangeClean()
	commaOkClean()
	drainedRacy()
	closeTwoClean()
	gateClean()
	sendBeforeCloseClean()
}

func closeClean() {
	x := 0
	c := make(chan struct{})
	go func() {
		x = 1
		close(c)
	}()
	<-c
	_ = x
}

func deferClean() {
	x := 0
	c := make(chan struct{})
	go func() {
		defer close(c)
		x = 1
	}()
	<-c
	_ = x
}

func afterCloseRacy() {
	late := 0
	c := make(chan struct{})
	go func() {
		close(c)
		late = 1 // want race "late"
	}()
	<-c
	_ = late
}

func broadcastClean() {
	config := ""
	ready := make(chan struct{})
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			<-ready
			_ = config
		})
	}
	config = "set"
	close(ready)
	wg.Wait()
}

// The loop ends when the channel is closed.
func rangeClean() {
	sum := 0
	c := make(chan int)
	go func() {
		for i := range 3 {
			c <- i
		}
		sum = 3
		close(c)
	}()
	for range c {
	}
	_ = sum
}

func commaOkClean() {
	x := 0
	c := make(chan int, 1)
	go func() {
		c <- 1
		x = 1
		close(c)
	}()
	for {
		if _, ok := <-c; !ok {
			break
		}
	}
	_ = x
}
