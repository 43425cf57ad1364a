// Assigning a struct overwrites the locks in it.
package main

import "sync"

type session struct {
	mu   sync.Mutex
	user string
}

type stats struct {
	mu    sync.Mutex
	total int
}

func main() {
	resetRacy()
	resetFieldsClean()
	resetBeforeClean()
	resetAfterClean()
	onceRacy()
}

// The lock is replaced while the other side may hold it.
func resetRacy() {
	s := &session{}
	done := make(chan bool)
	go func() {
		s.mu.Lock()
		s.user = "a"
		s.mu.Unlock()
		done <- true
	}()
	*s = session{} // want race "s"
	<-done
}

func resetFieldsClean() {
	s := &session{}
	done := make(chan bool)
	go func() {
		s.mu.Lock()
		s.user = "a"
		s.mu.Unlock()
		done <- true
	}()
	s.mu.Lock()
	s.user = ""
	s.mu.Unlock()
	<-done
}

func resetBeforeClean() {
	s := &stats{total: 1}
	*s = stats{}
	done := make(chan bool)
	go func() {
		s.mu.Lock()
		s.total++
		s.mu.Unlock()
		done <- true
	}()
	<-done
}

func resetAfterClean() {
	s := &stats{}
	done := make(chan bool)
	go func() {
		s.mu.Lock()
		s.total++
		s.mu.Unlock()
		done <- true
	}()
	<-done
	*s = stats{}
}

// Starting anew is no business of the once itself.
func onceRacy() {
	var once sync.Once
	done := make(chan bool)
	go func() {
		once.Do(func() {})
		done <- true
	}()
	once = sync.Once{} // want none fn "once"
	<-done
}
