// Channels order what they connect.
package main

func main() {
	unbuffered()
	buffered()
	closed()
	selected()
}

func unbuffered() {
	a, b := 0, 0
	c := make(chan bool)
	go func() {
		a = 1
		c <- true
		b = 1 // want race "b"
	}()
	<-c
	_ = a
	_ = b
}

func buffered() {
	a, b := 0, 0
	c := make(chan bool, 1)
	go func() {
		a = 1
		c <- true
		b = 1 // want race "b"
	}()
	b = 2
	<-c
	_, _ = a, b
}

func closed() {
	a := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		a = 1
	}()
	<-done
	_ = a
}

func selected() {
	a, b := 0, 0
	done, stop := make(chan bool), make(chan bool)
	go func() {
		a = 1
		b = 1 // want race "b"
		done <- true
	}()
	go func() {
		stop <- true
	}()
	select {
	case <-done:
		_ = a
	case <-stop:
		_ = b
	}
}
