// A mutex that is unlocked by somebody else is a signal, not a critical section.
package main

import "sync"

func main() {
	semaphoreClean()
	semaphoreRacy()
	startedLockedClean()
	passedClean()
	lentClean()
	lentEarlyRacy()
	lentSelfRacy()
	deputyClean()
	deputyRacy()
}

// The second Lock waits for the goroutine's Unlock.
func semaphoreClean() {
	var mu sync.Mutex
	data := 0
	mu.Lock()
	go func() {
		data = 1
		mu.Unlock()
	}()
	mu.Lock()
	_ = data
}

// Nobody locks first: the second side need not wait.
func semaphoreRacy() {
	var mu sync.Mutex
	lost := 0
	done := make(chan bool)
	go func() {
		lost = 1 // want race "lost"
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	_ = lost
	mu.Unlock()
	<-done
}

func startedLockedClean() {
	var begin sync.Mutex
	config := ""
	done := make(chan bool)
	begin.Lock()
	go func() {
		begin.Lock()
		defer begin.Unlock()
		_ = config
		done <- true
	}()
	config = "ready"
	begin.Unlock()
	<-done
}

// The lock travels with the work: whoever is told owns it.
func passedClean() {
	var mu sync.Mutex
	total := 0
	turn := make(chan bool)
	go func() {
		<-turn
		total++ // want race fp "total"
		mu.Unlock()
		turn <- true
	}()
	mu.Lock()
	total++
	turn <- true
	mu.Lock()
	total++
	mu.Unlock()
	<-turn
}
