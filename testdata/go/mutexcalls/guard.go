package main

import "sync"

// guard holds a lock until it is released.
type guard struct{ mu *sync.Mutex }

func hold(mu *sync.Mutex) *guard {
	mu.Lock()
	return &guard{mu}
}

func (g *guard) release() { g.mu.Unlock() }

type scoped struct {
	mu      sync.Mutex
	inside  int
	outside int
}

func (s *scoped) work() {
	g := hold(&s.mu)
	s.inside++
	g.release()
	s.outside++ // want race "outside"
}

func guardRacy() {
	s := &scoped{}
	go s.work()
	s.work()
}

// What is unlocked is another lock.
func otherUnlockClean() {
	s := &scoped{}
	var other sync.Mutex
	both := func() {
		g := hold(&other)
		s.mu.Lock()
		g.release()
		s.inside++
		s.mu.Unlock()
	}
	go both()
	both()
}
