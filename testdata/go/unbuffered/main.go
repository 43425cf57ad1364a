// A channel without buffer orders both ways: the send is before the receive is
// over, and the receive before the send is.
package main

func main() {
	sendClean()
	reverseClean()
	afterSendRacy()
	beforeReceiveRacy()
	pingPongClean()
	twoChannelsClean()
	parameterClean()
	fieldClean()
	returnedClean()
	copiedRacy()
}

func sendClean() {
	x := 0
	c := make(chan bool)
	go func() {
		x = 1
		c <- true
	}()
	<-c
	_ = x
}

// The receiver's past is the sender's future.
func reverseClean() {
	x := 0
	c := make(chan bool)
	go func() {
		x = 1
		<-c
	}()
	c <- true
	_ = x
}

func afterSendRacy() {
	after := 0
	c := make(chan bool)
	go func() {
		c <- true
		after = 1 // want race "after"
	}()
	<-c
	_ = after
}

func beforeReceiveRacy() {
	before := 0
	c := make(chan bool)
	go func() {
		before = 1 // want race "before"
		c <- true
	}()
	_ = before
	<-c
}

// The variable goes back and forth.
func pingPongClean() {
	ball := 0
	ping, pong := make(chan bool), make(chan bool)
	go func() {
		for range ping {
			ball++ // want race fp "ball"
			pong <- true
		}
	}()
	for range 3 {
		ball++
		ping <- true
		<-pong
	}
	close(ping)
}

func twoChannelsClean() {
	x := 0
	a, b := make(chan bool), make(chan bool)
	go func() {
		x = 1
		a <- true
	}()
	go func() {
		<-a
		b <- true
	}()
	<-b
	_ = x
}

func finish(done chan<- bool, to *int) {
	*to = 1
	done <- true
}

func parameterClean() {
	x := 0
	done := make(chan bool)
	go finish(done, &x)
	<-done
	_ = x
}
