// A method value with a value receiver copies the receiver when it is made; one
// with a pointer receiver keeps the address.
package main

import "sync"

type gauge struct{ level int }

func (g gauge) get() int   { return g.level }
func (g *gauge) set(n int) { g.level = n } // want race "level"
func (g *gauge) peek() int { return g.level }

type getter interface{ get() int }

func main() {
	boundClean()
	boundRacy()
	boundWhileSetRacy()
	expressionRacy()
	interfaceClean()
	deferredRacy()
	callbackClean()
}

func boundClean() {
	g := gauge{}
	f := g.get
	done := make(chan int)
	go func() { done <- f() }()
	g.level = 1
	<-done
}

func boundRacy() {
	g := &gauge{}
	f := g.set
	go f(1)
	g.level = 2
}

// Making the method value reads the receiver.
func boundWhileSetRacy() {
	g := gauge{}
	done := make(chan bool)
	go func() {
		g.level = 1 // want race "g.level"
		done <- true
	}()
	f := g.get
	<-done
	_ = f()
}

func expressionRacy() {
	g := &gauge{}
	peek := (*gauge).peek
	done := make(chan int)
	go func() { done <- peek(g) }()
	g.level = 3 // want race "g.level"
	<-done
}

// The interface holds a copy.
func interfaceClean() {
	g := gauge{}
	var i getter = g
	done := make(chan int)
	go func() { done <- i.get() }()
	g.level = 1
	<-done
}

func deferredRacy() {
	g := &gauge{}
	done := make(chan bool)
	go func() {
		defer close(done)
		defer g.set(4)
	}()
	g.level = 5
	<-done
}

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}

func callbackClean() {
	c := &counter{}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(c.inc)
	}
	wg.Wait()
	_ = c.n
}
