package main

import "sync"

// The flag says that the writer has begun, not that it is done.
func flagRacy() {
	var mu sync.Mutex
	begun, unfinished := false, 0
	go func() {
		mu.Lock()
		begun = true
		mu.Unlock()
		unfinished = 1 // want race "unfinished"
	}()
	for {
		mu.Lock()
		ok := begun
		mu.Unlock()
		if ok {
			break
		}
	}
	_ = unfinished
}

type queue struct {
	mu       sync.Mutex
	nonEmpty sync.Cond
	items    []*int
}

func (q *queue) push(p *int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, p)
	q.nonEmpty.Signal()
}

func (q *queue) pop() *int {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.nonEmpty.Wait()
	}
	p := q.items[0]
	q.items = q.items[1:]
	return p
}

// What is taken out belongs to the one who took it.
func queueClean() {
	q := &queue{}
	q.nonEmpty.L = &q.mu
	go func() {
		for i := range 3 {
			p := new(int)
			*p = i
			q.push(p)
		}
	}()
	for range 3 {
		*q.pop() = 7
	}
}

// A Locker is the lock that it stands for.
func lockerClean() {
	var mu sync.Mutex
	var l sync.Locker = &mu
	n := 0
	done := make(chan bool)
	go func() {
		l.Lock()
		n++
		l.Unlock()
		done <- true
	}()
	mu.Lock()
	n++
	mu.Unlock()
	<-done
}

// Wait gives up the lock: what was read before it may be old, and what is done
// without lock afterwards is a race.
func ifRacy() {
	b := newBox()
	done := make(chan bool)
	go func() {
		b.put(1)
		done <- true
	}()
	b.mu.Lock()
	for !b.full {
		b.cond.Wait()
	}
	b.mu.Unlock()
	b.full = false
	b.value++
	<-done
	go b.put(2)
	b.value = 3 // want race "value"
}
