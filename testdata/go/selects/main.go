// The case that is chosen gives its order on its branch only; a default gives
// none.
package main

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
