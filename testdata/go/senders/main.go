// A receive orders one send. With several senders one has to receive as often.
package main

import "sync"

func main() {
	oneOfTwoRacy()
	twoOfTwoClean()
	loopClean()
	loopShortRacy()
	collectClean()
	closerClean()
	twoSendsRacy()
	everySendClean()
}

func oneOfTwoRacy() {
	x, y := 0, 0
	c := make(chan bool, 2)
	go func() {
		x = 1 // want race "x"
		c <- true
	}()
	go func() {
		y = 1 // want race "y"
		c <- true
	}()
	<-c
	_, _ = x, y
}

func twoOfTwoClean() {
	x, y := 0, 0
	c := make(chan bool, 2)
	go func() {
		x = 1
		c <- true
	}()
	go func() {
		y = 1
		c <- true
	}()
	<-c
	<-c
	_, _ = x, y
}

func loopClean() {
	const n = 4
	var mu sync.Mutex
	total := 0
	c := make(chan bool)
	for range n {
		go func() {
			mu.Lock()
			total++
			mu.Unlock()
			c <- true
		}()
	}
	for range n {
		<-c
	}
	_ = total
}

// One of them is not waited for.
func loopShortRacy() {
	const n = 4
	var mu sync.Mutex
	short := 0
	c := make(chan bool, n)
	for range n {
		go func() {
			mu.Lock()
			short++ // want race "short"
			mu.Unlock()
			c <- true
		}()
	}
	for range n - 1 {
		<-c
	}
	_ = short
}

// Only the receiver touches the sum.
func collectClean() {
	sum := 0
	c := make(chan int)
	for i := range 4 {
		go func() { c <- i }()
	}
	for range 4 {
		sum += <-c
	}
	_ = sum
}

// The channel is closed when all senders are done.
func closerClean() {
	var last [4]int
	c := make(chan int)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			last[i] = i
			c <- i
		})
	}
	go func() {
		wg.Wait()
		close(c)
	}()
	for range c {
	}
	_ = last
}

// The receive may take the first of two values.
func twoSendsRacy() {
	second := 0
	c := make(chan bool, 2)
	go func() {
		c <- true
		second = 1 // want race "second"
		c <- true
	}()
	<-c
	_ = second
}

func everySendClean() {
	first, second := 0, 0
	c := make(chan bool, 2)
	go func() {
		first = 1
		c <- true
		second = 1
		c <- true
	}()
	<-c
	_ = first
	<-c
	_ = second
}
