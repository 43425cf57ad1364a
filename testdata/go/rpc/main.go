// Methods that are registered with a server are called by its goroutines.
package main

import (
	"net"
	"net/rpc"
	"sync"
)

type Counter struct {
	mu    sync.Mutex
	safe  int
	loose int
}

func (c *Counter) Add(n int, reply *int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.safe += n
	*reply = c.safe
	return nil
}

func (c *Counter) Bump(n int, reply *int) error {
	c.loose += n // want race "loose"
	*reply = c.loose
	return nil
}

func main() {
	server := rpc.NewServer()
	if err := server.Register(&Counter{}); err != nil {
		return
	}
	here, there := net.Pipe()
	go server.ServeConn(there)
	client := rpc.NewClient(here)
	var pending []*rpc.Call
	for range 4 {
		pending = append(pending, client.Go("Counter.Add", 1, new(int), nil), client.Go("Counter.Bump", 1, new(int), nil))
	}
	for _, c := range pending {
		<-c.Done
	}
}
