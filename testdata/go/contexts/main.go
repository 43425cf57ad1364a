// Cancelling a context is before whoever notices it.
package main

import (
	"context"
	"time"
)

type state struct{ reason string }

func main() {
	cancelClean()
	afterCancelRacy()
	pollRacy()
	childClean()
	timeoutRacy()
	timeoutClean()
	valueRacy()
	afterFuncClean()
	afterFuncRacy()
	workerClean()
}

func cancelClean() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	go func() {
		s.reason = "stop"
		cancel()
	}()
	<-ctx.Done()
	_ = s.reason
}

func afterCancelRacy() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	go func() {
		cancel()
		s.reason = "late" // want race "reason"
	}()
	<-ctx.Done()
	_ = s.reason
}

// Err may be nil: nothing is known then.
func pollRacy() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	go func() {
		s.reason = "stop" // want race "reason"
		cancel()
	}()
	if ctx.Err() == nil {
		_ = s.reason
	}
}

// The end of the parent is the end of the child.
func childClean() {
	parent, cancel := context.WithCancel(context.Background())
	child, stop := context.WithCancel(parent)
	defer stop()
	s := &state{}
	go func() {
		s.reason = "stop" // want race fp "reason"
		cancel()
	}()
	<-child.Done()
	_ = s.reason
}

// Time may run out before the writer is done.
func timeoutRacy() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	s := &state{}
	go func() {
		s.reason = "slow" // want race "reason"
		cancel()
	}()
	<-ctx.Done()
	_ = s.reason
}

func timeoutClean() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	result := make(chan *state, 1)
	go func() { result <- &state{"done"} }()
	select {
	case s := <-result:
		s.reason = "taken"
	case <-ctx.Done():
	}
}

type key struct{}

// What a context carries is shared by all who have it.
func valueRacy() {
	ctx := context.WithValue(context.Background(), key{}, &state{})
	done := make(chan bool)
	go func() {
		ctx.Value(key{}).(*state).reason = "a" // want race "reason"
		done <- true
	}()
	ctx.Value(key{}).(*state).reason = "b"
	<-done
}

func afterFuncClean() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	context.AfterFunc(ctx, func() { _ = s.reason })
	s.reason = "set"
	cancel()
}

func afterFuncRacy() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &state{}
	context.AfterFunc(ctx, func() {
		s.reason = "ended" // want race "reason"
	})
	cancel()
	_ = s.reason
}

// The worker ends when it is told to, and says so.
func workerClean() {
	ctx, cancel := context.WithCancel(context.Background())
	turns := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			turns++
		}
	}()
	cancel()
	<-done
	_ = turns
}
