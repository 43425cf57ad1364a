// AfterFunc starts a goroutine when its time has come; timers and tickers send.
package main

import (
	"sync"
	"time"
)

const soon = time.Millisecond

type watch struct {
	mu    sync.Mutex
	timer *time.Timer
	fired int
	loose int
}

func main() {
	beforeClean()
	afterRacy()
	lockedClean()
	stopRacy()
	joinedClean()
	selfRacy()
	timerFieldRacy()
	resetRacy()
	tickerClean()
	sleepRacy()
	afterClean()
}

func beforeClean() {
	x := 0
	x = 1
	time.AfterFunc(soon, func() { _ = x })
}

func afterRacy() {
	shared := 0
	time.AfterFunc(soon, func() {
		shared = 1 // want race "shared"
	})
	_ = shared
}

func (w *watch) fire() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fired++
}

func lockedClean() {
	w := &watch{}
	time.AfterFunc(soon, w.fire)
	w.fire()
}

// Stop does not wait for a function that has begun.
func stopRacy() {
	stopped := 0
	t := time.AfterFunc(soon, func() {
		stopped = 1 // want race "stopped"
	})
	t.Stop()
	stopped = 2
	_ = stopped
}

func joinedClean() {
	x := 0
	done := make(chan bool)
	time.AfterFunc(soon, func() {
		x = 1
		close(done)
	})
	<-done
	_ = x
}

// Two timers may go off at once.
func selfRacy() {
	w := &watch{}
	tick := func() {
		w.loose++ // want race "loose"
	}
	time.AfterFunc(soon, tick)
	time.AfterFunc(soon, tick)
}

// The function may run before the variable is assigned.
func timerFieldRacy() {
	w := &watch{}
	w.timer = time.AfterFunc(soon, func() { // want race "timer"
		w.timer.Stop()
	})
}

func resetRacy() {
	again := 0
	t := time.AfterFunc(soon, func() {
		again++ // want race "again"
	})
	t.Reset(soon)
}

// Only one goroutine takes the ticks.
func tickerClean() {
	t := time.NewTicker(soon)
	defer t.Stop()
	ticks := 0
	for range 3 {
		<-t.C
		ticks++
	}
	_ = ticks
}

// Sleeping long enough is no order.
func sleepRacy() {
	slept := 0
	go func() {
		slept = 1 // want race "slept"
	}()
	time.Sleep(10 * soon)
	_ = slept
}

// What was done before the timer was started is before its tick.
func afterClean() {
	x := 1
	c := time.After(soon)
	done := make(chan bool)
	go func() {
		<-c
		_ = x
		done <- true
	}()
	<-done
	x = 2
	_ = x
}
