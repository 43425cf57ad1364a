// The length of a channel says nothing about order.
package main

import "runtime"

func main() {
	lenRacy()
	receivedClean()
	capClean()
}

func lenRacy() {
	polled := 0
	c := make(chan int, 1)
	go func() {
		polled = 1 // want race "polled"
		c <- 1
	}()
	for len(c) == 0 {
		runtime.Gosched()
	}
	_ = polled
}

func receivedClean() {
	polled := 0
	c := make(chan int, 1)
	go func() {
		polled = 1
		c <- 1
	}()
	for len(c) == 0 {
		runtime.Gosched()
	}
	<-c
	_ = polled
}

// Capacity and length may be asked for at any time.
func capClean() {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	_ = cap(c) + len(c)
}
