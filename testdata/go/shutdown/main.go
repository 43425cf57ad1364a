// Ending in order: tell everybody to stop, wait until they have, then take the
// state apart.
package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"
)

type server struct {
	wg      sync.WaitGroup
	quit    chan struct{}
	once    sync.Once
	served  int
	running bool
	state   map[string]int
}

func newServer() *server {
	return &server{quit: make(chan struct{}), state: map[string]int{}}
}

func (s *server) loop() {
	defer s.wg.Done()
	for i := 0; ; i++ {
		select {
		case <-s.quit:
			return
		default:
			s.served++ // want race "served"
		}
	}
}

func (s *server) start() {
	s.wg.Add(1)
	go s.loop()
}

func (s *server) stop() {
	s.once.Do(func() { close(s.quit) })
	s.wg.Wait()
}

func main() {
	waitClean()
	noWaitRacy()
	flagRacy()
	contextClean()
	signalClean()
	timeoutRacy()
}

func waitClean() {
	s := newServer()
	s.start()
	s.stop()
	_ = s.served
}

// Told to stop is not stopped.
func noWaitRacy() {
	s := newServer()
	s.start()
	close(s.quit)
	_ = s.served
}

func flagRacy() {
	s := newServer()
	s.running = true
	done := make(chan bool)
	go func() {
		for s.running {
			time.Sleep(time.Millisecond)
		}
		done <- true
	}()
	s.running = false // want race "running"
	<-done
}

func contextClean() {
	ctx, cancel := context.WithCancel(context.Background())
	s := newServer()
	for i := range 2 {
		s.wg.Add(1)
		go func() {
			defer s.wg.Done()
			ticks := 0
			for {
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Millisecond):
					ticks += i
				}
			}
		}()
	}
	cancel()
	s.wg.Wait()
	s.state = nil
}

func signalClean() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan bool)
	s := newServer()
	go func() {
		<-c
		s.state["stopped"] = 1
		close(done)
	}()
	c <- os.Interrupt
	<-done
	_ = s.state["stopped"]
}

// Waiting for a while is not waiting until they are done.
func timeoutRacy() {
	s := newServer()
	var slow int
	s.wg.Go(func() {
		slow = 1 // want race "slow"
	})
	done := make(chan bool)
	go func() {
		s.wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Millisecond):
	}
	_ = slow
}
