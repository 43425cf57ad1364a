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
			ball++
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

type job struct {
	result int
	done   chan struct{}
}

func (j *job) run() {
	j.result = 1
	j.done <- struct{}{}
}

func (j *job) wait() int {
	<-j.done
	return j.result
}

func fieldClean() {
	j := &job{done: make(chan struct{})}
	go j.run()
	_ = j.wait()
}

// Every call makes a channel of its own.
func async(to *int) <-chan bool {
	c := make(chan bool)
	go func() {
		*to = 1
		c <- true
	}()
	return c
}

func returnedClean() {
	x, y := 0, 0
	a, b := async(&x), async(&y)
	<-a
	<-b
	_ = x + y
}

// The wait is for the other goroutine.
func copiedRacy() {
	wrong := 0
	a, b := make(chan bool, 1), make(chan bool, 1)
	go func() {
		wrong = 1 // want race "wrong"
		a <- true
	}()
	go func() { b <- true }()
	<-b
	_ = wrong
}
