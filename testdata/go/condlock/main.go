// Locks that are taken on some ways only.
package main

import "sync"

type store struct {
	mu     sync.Mutex
	shared bool
	safe   int
	unsafe int
}

func main() {
	alwaysClean()
	neverRacy()
	pairedClean()
	deferClean()
	returnsClean()
	leakRacy()
	loopClean()
	switchClean()
}

func start(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(f)
	}
	wg.Wait()
}

func (s *store) add(lock bool) {
	if lock {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.safe++
}

// Every caller says that the lock is to be taken.
func alwaysClean() {
	s := &store{}
	start(2, func() { s.add(true) })
}

func (s *store) addLoose(lock bool) {
	if lock {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	s.unsafe++ // want race "unsafe"
}

// Every caller says that it is not.
func neverRacy() {
	s := &store{}
	start(2, func() { s.addLoose(false) })
}

// The same condition guards lock, access and unlock.
func pairedClean() {
	s := &store{shared: true}
	start(2, func() {
		if s.shared {
			s.mu.Lock()
		}
		if s.shared {
			s.safe++
		}
		if s.shared {
			s.mu.Unlock()
		}
	})
}

func deferClean() {
	s := &store{shared: true}
	start(2, func() {
		if s.shared {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.safe++
		}
	})
}

func returnsClean() {
	s := &store{}
	start(2, func() {
		s.mu.Lock()
		if s.safe > 1 {
			s.mu.Unlock()
			return
		}
		s.safe++
		s.mu.Unlock()
	})
}

// One branch unlocks too early.
func leakRacy() {
	s := &store{}
	start(2, func() {
		s.mu.Lock()
		if !s.shared {
			s.mu.Unlock()
		}
		s.unsafe++ // want none fn "unsafe"
		if s.shared {
			s.mu.Unlock()
		}
	})
}

func loopClean() {
	s := &store{}
	start(2, func() {
		s.mu.Lock()
		for s.safe < 5 {
			s.safe++
			s.mu.Unlock()
			s.mu.Lock()
		}
		s.mu.Unlock()
	})
}

func switchClean() {
	s := &store{}
	start(2, func() {
		s.mu.Lock()
		switch {
		case s.safe == 0:
			s.safe = 1
		case s.safe == 1:
			s.safe = 2
		}
		s.mu.Unlock()
	})
}
