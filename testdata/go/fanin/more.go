package main

import "sync"

// Whoever is first answers; the others still write.
func lastRacy() {
	answer := 0
	done := make(chan bool, 3)
	for i := range 3 {
		go func() {
			answer = i // want race "answer"
			done <- true
		}()
	}
	<-done
	_ = answer
}

// The same event goes to all listeners.
func broadcastRacy() {
	listeners := []chan *event{make(chan *event, 1), make(chan *event, 1)}
	var wg sync.WaitGroup
	for _, l := range listeners {
		wg.Go(func() {
			e := <-l
			e.value++ // want race "value"
		})
	}
	e := &event{}
	for _, l := range listeners {
		l <- e
	}
	wg.Wait()
}

// Every listener gets a copy.
func broadcastClean() {
	listeners := []chan event{make(chan event, 1), make(chan event, 1)}
	var wg sync.WaitGroup
	for _, l := range listeners {
		wg.Go(func() {
			e := <-l
			e.value++
		})
	}
	for _, l := range listeners {
		l <- event{}
	}
	wg.Wait()
}
