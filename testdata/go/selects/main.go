// The case that is chosen gives its order on its branch only; a default gives
// none.
package main

import "time"

func main() {
	caseClean()
	otherCaseRacy()
	defaultRacy()
	defaultClean()
	loopClean()
	sendCaseClean()
	timeoutRacy()
	timeoutClean()
	nilChannelClean()
	bothSameClean()
	emptyClean()
}

func caseClean() {
	x := 0
	done, never := make(chan bool), make(chan bool)
	go func() {
		x = 1
		done <- true
	}()
	select {
	case <-done:
		_ = x
	case <-never:
	}
}

func otherCaseRacy() {
	other := 0
	done, stop := make(chan bool, 1), make(chan bool, 1)
	go func() {
		other = 1 // want race "other"
		done <- true
	}()
	go func() { stop <- true }()
	select {
	case <-done:
	case <-stop:
		_ = other
	}
}

func defaultRacy() {
	missed := 0
	done := make(chan bool, 1)
	go func() {
		missed = 1 // want race "missed"
		done <- true
	}()
	select {
	case <-done:
	default:
		_ = missed
	}
}

func defaultClean() {
	x := 0
	done := make(chan bool, 1)
	go func() {
		x = 1
		done <- true
	}()
	select {
	case <-done:
		_ = x
	default:
	}
}

// The loop is left by the case that orders.
func loopClean() {
	sum := 0
	data, quit := make(chan int), make(chan bool)
	go func() {
		for i := range 3 {
			data <- i
		}
		sum = 3
		close(quit)
	}()
	for {
		select {
		case <-data:
		case <-quit:
			_ = sum
			return
		}
	}
}

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
