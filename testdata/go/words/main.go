// Interface, string and func variables take two machine words or a pointer: they
// race like any variable. A call through a func variable reads it.
package main

type shape interface{ area() int }

type square struct{ side int }

func (s square) area() int { return s.side * s.side }

type circle struct{ radius int }

func (c *circle) area() int { return c.radius }

func main() {
	interfaceRacy()
	interfaceCallRacy()
	interfaceClean()
	stringRacy()
	stringClean()
	funcRacy()
	funcClean()
	boxedRacy()
	boxedClean()
}

func interfaceRacy() {
	var held shape
	done := make(chan bool)
	go func() {
		held = square{1} // want race "held"
		done <- true
	}()
	held = &circle{1}
	<-done
	_ = held
}

func interfaceCallRacy() {
	var called shape = square{1}
	done := make(chan int)
	go func() { done <- called.area() }()
	called = &circle{1} // want race "called"
	<-done
}

func interfaceClean() {
	var ready shape = square{1}
	done := make(chan int)
	go func() { done <- ready.area() }()
	_ = ready.area()
	<-done
}

func stringRacy() {
	text := "a"
	done := make(chan bool)
	go func() {
		text += "b" // want race "text"
		done <- true
	}()
	_ = len(text)
	<-done
}

// Strings do not change: both sides have their own header.
func stringClean() {
	text := "a"
	other := text
	done := make(chan int)
	go func() { done <- len(other) }()
	text += "b"
	<-done
}

func funcRacy() {
	hook := func() {}
	done := make(chan bool)
	go func() {
		hook()
		done <- true
	}()
	hook = func() { println() } // want race "hook"
	<-done
}

func funcClean() {
	hook := func() {}
	done := make(chan bool)
	go func(f func()) {
		f()
		done <- true
	}(hook)
	hook = func() { println() }
	<-done
	hook()
}

// The interface holds a pointer; what it leads to is shared.
func boxedRacy() {
	c := &circle{}
	var s shape = c
	done := make(chan int)
	go func() { done <- s.area() }()
	c.radius = 2 // want race "radius"
	<-done
}

func boxedClean() {
	q := square{1}
	var s any = q
	done := make(chan int)
	go func() { done <- s.(square).side }()
	q.side = 2
	<-done
}
