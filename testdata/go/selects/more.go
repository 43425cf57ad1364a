package main

import "time"

func sendCaseClean() {
	x := 0
	c, never := make(chan bool), make(chan bool)
	go func() {
		x = 1
		<-c
	}()
	select {
	case c <- true:
		_ = x
	case <-never:
	}
}

func timeoutRacy() {
	slow := 0
	done := make(chan bool, 1)
	go func() {
		slow = 1 // want race "slow"
		done <- true
	}()
	select {
	case <-done:
	case <-time.After(time.Millisecond):
	}
	_ = slow
}

func timeoutClean() {
	result := make(chan int, 1)
	go func() {
		own := 1
		result <- own
	}()
	got := 0
	select {
	case got = <-result:
	case <-time.After(time.Millisecond):
	}
	_ = got
}

// A nil channel is never ready.
func nilChannelClean() {
	x := 0
	done := make(chan bool)
	var off chan bool
	go func() {
		x = 1
		done <- true
	}()
	select {
	case <-done:
	case <-off:
	}
	_ = x
}

// Whatever case is chosen, the writer is done.
func bothSameClean() {
	x := 0
	a, b := make(chan bool, 1), make(chan bool, 1)
	go func() {
		x = 1
		a <- true
		b <- true
	}()
	select {
	case <-a:
	case <-b:
	}
	_ = x
}

func emptyClean() {
	x := 0
	done := make(chan bool)
	go func() {
		x = 1
		close(done)
		select {}
	}()
	<-done
	_ = x
}
