// Tokens are made by a ticker and taken by callers.
package main

import (
	"sync"
	"time"
)

const period = time.Millisecond

func main() {
	channelClean()
	bucketRacy()
	bucketClean()
	stopClean()
	tickRacy()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

// The channel holds the tokens.
func channelClean() {
	tokens := make(chan struct{}, 2)
	quit := make(chan struct{})
	go func() {
		t := time.NewTicker(period)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				select {
				case tokens <- struct{}{}:
				default:
				}
			case <-quit:
				return
			}
		}
	}()
	twice(func() { <-tokens })
	close(quit)
}

type bucket struct {
	mu     sync.Mutex
	tokens int
	loose  int
	last   time.Time
}

func (b *bucket) refill(quit <-chan struct{}) {
	t := time.NewTicker(period)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			b.loose = 5 // want race "loose"
			b.mu.Lock()
			b.tokens = 5
			b.mu.Unlock()
		case <-quit:
			return
		}
	}
}

func bucketRacy() {
	b := &bucket{}
	quit := make(chan struct{})
	go b.refill(quit)
	time.Sleep(5 * period)
	if b.loose > 0 {
		b.loose--
	}
	close(quit)
}

// The tokens are computed from the time that has passed.
func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.last) > period {
		b.tokens, b.last = 5, now
	}
	if b.tokens == 0 {
		return false
	}
	b.tokens--
	return true
}

func bucketClean() {
	b := &bucket{}
	twice(func() { b.take() })
}

// The ticker is stopped by the goroutine that uses it.
func stopClean() {
	quit, done := make(chan bool), make(chan bool)
	beats := 0
	go func() {
		t := time.NewTicker(period)
		for {
			select {
			case <-t.C:
				beats++
			case <-quit:
				t.Stop()
				close(done)
				return
			}
		}
	}()
	close(quit)
	<-done
	_ = beats
}

// A tick is no signal from the one who reads.
func tickRacy() {
	updated := 0
	t := time.NewTicker(period)
	done := make(chan bool)
	go func() {
		updated = 1 // want race "updated"
		done <- true
	}()
	<-t.C
	_ = updated
	<-done
}
