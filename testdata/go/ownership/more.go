package main

import "sync"

// The message goes to the worker and comes back.
func returnedClean() {
	to, back := make(chan *message), make(chan *message)
	go func() {
		for m := range to {
			m.text += "!" // want race fp "text"
			back <- m
		}
	}()
	m := &message{}
	for range 3 {
		m.text += "?"
		to <- m
		m = <-back
	}
	close(to)
}

func selectClean() {
	c, quit := make(chan *message), make(chan bool)
	go func() {
		m := &message{text: "a"}
		select {
		case c <- m:
		case <-quit:
			m.text = "kept"
		}
	}()
	m := <-c
	m.text = "b" // want race fp "text"
}

// Messages that nobody needs are kept for the next one who asks.
func freeListClean() {
	free := make(chan *message, 4)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var m *message
			select {
			case m = <-free:
			default:
				m = &message{}
			}
			m.text = "used"
			select {
			case free <- m:
			default:
			}
		})
	}
	wg.Wait()
}

// What was sent leads to what was kept.
func aliasRacy() {
	c := make(chan *message, 1)
	go func() {
		tail := &message{}
		c <- &message{next: tail}
		tail.text = "late" // want race "text"
	}()
	m := <-c
	_ = m.next.text
}
