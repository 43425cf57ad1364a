// In a bubble, Wait returns when every other goroutine of the bubble is blocked or
// over: what they did is before it. Time that passes is no order by itself.
package bubble

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWaitClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := false
		go func() { done = true }() // want race fp "done"
		synctest.Wait()
		if !done {
			t.Error("not done")
		}
	})
}

func TestNoWaitRacy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := false
		go func() {
			seen = true // want race "seen"
		}()
		_ = seen
	})
}

func TestTimerClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fired := 0
		time.AfterFunc(time.Second, func() { fired++ }) // want race fp "fired"
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if fired != 1 {
			t.Error(fired)
		}
	})
}

func TestSelfRacy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		count := 0
		for range 3 {
			go func() { count++ }() // want race "count"
		}
		synctest.Wait()
		_ = count
	})
}

func TestContextClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		called := false
		context.AfterFunc(ctx, func() { called = true }) // want race fp "called"
		cancel()
		synctest.Wait()
		if !called {
			t.Error("not called")
		}
	})
}

func TestGroupClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		n := 0
		wg.Go(func() { n++ })
		wg.Wait()
		_ = n
	})
}
