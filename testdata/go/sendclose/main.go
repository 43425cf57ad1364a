// Closing a channel while somebody may send on it, or close it, is a race on
// the channel itself.
package main

import "sync"

func main() {
	sendCloseRacy()
	closeAfterClean()
	closeAfterGroupClean()
	closeTwiceRacy()
	closeOnceClean()
	stopSignalClean()
	receiverClosesRacy()
}

// The send may panic.
func sendCloseRacy() {
	c := make(chan int, 1)
	go func() {
		defer func() { recover() }()
		c <- 1 // want race "c"
	}()
	close(c)
}

func closeAfterClean() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		done <- true
	}()
	<-done
	close(c)
}

func closeAfterGroupClean() {
	c := make(chan int, 4)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { c <- i })
	}
	wg.Wait()
	close(c)
}

func closeTwiceRacy() {
	twice := make(chan int)
	stop := func() {
		defer func() { recover() }()
		close(twice) // want race "twice"
	}
	done := make(chan bool)
	go func() {
		stop()
		done <- true
	}()
	stop()
	<-done
}

func closeOnceClean() {
	c := make(chan int)
	var once sync.Once
	stop := func() { once.Do(func() { close(c) }) }
	go stop()
	stop()
}

// The data channel is never closed; a second one says when to stop.
func stopSignalClean() {
	c, quit := make(chan int), make(chan bool)
	go func() {
		for i := 0; ; i++ {
			select {
			case c <- i:
			case <-quit:
				return
			}
		}
	}()
	<-c
	close(quit)
}

func receiverClosesRacy() {
	data := make(chan int, 1)
	go func() {
		defer func() { recover() }()
		for i := range 3 {
			data <- i
		}
	}()
	<-data
	close(data) // want race "data"
}
