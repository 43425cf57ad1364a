package main

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
