// Whoever arrives last, as an atomic counter says, comes after all the others.
package main

import (
	"sync"
	"sync/atomic"
)

func main() {
	lastClean()
	notLastRacy()
	referenceClean()
	comeAndGoRacy()
	afterwardsRacy()
	undoneRacy()
	ticketClean()
	winnerClean()
	winnerRacy()
}

func twice(f func(i int)) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

func lastClean() {
	x, y := 0, 0
	var arrived atomic.Int32
	done := make(chan bool, 1)
	go func() {
		x = 1
		if arrived.Add(1) == 2 {
			done <- true
		}
	}()
	go func() {
		y = 1
		if arrived.Add(1) == 2 {
			done <- true
		}
	}()
	<-done
	_ = x + y
}

// The first to arrive goes on.
func notLastRacy() {
	x, y := 0, 0
	var arrived atomic.Int32
	done := make(chan bool, 2)
	go func() {
		x = 1 // want race "x"
		if arrived.Add(1) == 1 {
			done <- true
		}
	}()
	go func() {
		y = 1 // want race "y"
		if arrived.Add(1) == 1 {
			done <- true
		}
	}()
	<-done
	_ = x + y
}

type shared struct {
	users atomic.Int32
	open  bool
}

func (s *shared) release() {
	if s.users.Add(-1) == 0 {
		s.open = false
	}
}

// Only the last user closes.
func referenceClean() {
	s := &shared{open: true}
	s.users.Store(2)
	twice(func(int) {
		_ = s.open
		s.release()
	})
}

type visited struct {
	users atomic.Int32
	live  bool
}

// Users come and go: the last may be followed by others.
func comeAndGoRacy() {
	v := &visited{live: true}
	twice(func(int) {
		v.users.Add(1)
		_ = v.live
		if v.users.Add(-1) == 0 {
			v.live = false // want race "live"
		}
	})
}

// Who is the last has counted down before.
func afterwardsRacy() {
	v := &visited{live: true}
	v.users.Store(2)
	used := 0
	twice(func(int) {
		if v.users.Add(-1) == 0 {
			_ = used
		}
		used++ // want race "used"
	})
}

// Each ticket is drawn once.
func ticketClean() {
	var next atomic.Int32
	var seats [8]int
	twice(func(i int) {
		for {
			n := next.Add(1) - 1
			if int(n) >= len(seats) {
				return
			}
			seats[n] = i // want race fp "seats"
		}
	})
}

// One of them wins.
func winnerClean() {
	var taken atomic.Bool
	winner := 0
	twice(func(i int) {
		if taken.CompareAndSwap(false, true) {
			winner = i
		}
	})
	_ = winner
}

// The next may win too.
func undoneRacy() {
	var taken atomic.Bool
	undone := 0
	twice(func(i int) {
		if taken.CompareAndSwap(false, true) {
			taken.Store(false)
			undone = i // want race "undone"
		}
	})
	_ = undone
}

func winnerRacy() {
	var taken atomic.Bool
	claimed := 0
	twice(func(i int) {
		if !taken.Load() {
			taken.Store(true)
			claimed = i // want race "claimed"
		}
	})
	_ = claimed
}
