package main

// The first receive may be of the value that was sent before the write.
func drainedRacy() {
	between := 0
	c := make(chan int, 1)
	go func() {
		c <- 1
		between = 1 // want race "between"
		close(c)
	}()
	<-c
	_ = between
}

func closeTwoClean() {
	x, y := 0, 0
	a, b := make(chan bool), make(chan bool)
	go func() {
		x = 1
		close(a)
	}()
	go func() {
		<-a
		y = x
		close(b)
	}()
	<-b
	_ = x + y
}

type gate struct {
	open  chan struct{}
	state int
}

func (g *gate) unlock() {
	g.state = 1
	close(g.open)
}

func (g *gate) pass() int {
	<-g.open
	return g.state
}

func gateClean() {
	g := &gate{open: make(chan struct{})}
	go g.unlock()
	_ = g.pass()
}

func sendBeforeCloseClean() {
	x := 0
	c := make(chan int, 1)
	go func() {
		x = 1
		c <- 1
		close(c)
	}()
	<-c
	_ = x
}
