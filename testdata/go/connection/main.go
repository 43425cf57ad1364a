// A connection with a goroutine that reads from it: fields are shared between the
// reader and those who use the connection.
package main

import (
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type conn struct {
	net.Conn
	name     string // set before the reader starts
	mu       sync.Mutex
	pending  map[int]chan []byte // guarded by mu
	err      error
	received atomic.Int64
	lastSeen time.Time
	buf      []byte // the reader's own
	done     chan struct{}
	result   error // set before done is closed
}

func dial(c net.Conn) *conn {
	cn := &conn{Conn: c, pending: map[int]chan []byte{}, done: make(chan struct{})}
	cn.name = "client"
	go cn.read()
	return cn
}

func (c *conn) read() {
	defer close(c.done)
	c.buf = make([]byte, 64)
	for {
		n, err := c.Conn.Read(c.buf)
		if err != nil {
			c.err = err // want race "err"
			c.result = err
			return
		}
		c.received.Add(int64(n))
		c.deliver(int(c.buf[0]), c.buf[:n])
		c.lastSeen = time.Now() // want race "lastSeen"
		_ = c.name
	}
}

// deliver hands out a copy: the buffer is used again.
func (c *conn) deliver(id int, data []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.pending[id]; ch != nil {
		ch <- append([]byte(nil), data...)
		delete(c.pending, id)
	}
}

func (c *conn) call(id int) <-chan []byte {
	ch := make(chan []byte, 1)
	c.mu.Lock()
	c.pending[id] = ch
	c.mu.Unlock()
	c.Conn.Write([]byte{byte(id)})
	return ch
}

// Err looks without waiting.
func (c *conn) Err() error { return c.err }

// wait looks when the reader is over.
func (c *conn) wait() error {
	<-c.done
	return c.result
}

func main() {
	readersClean(os.Args)
	feedersRacy(os.Args)
	here, there := net.Pipe()
	go echo(there)
	c := dial(here)
	answer := <-c.call(1)
	answer[0] = 2
	if c.Err() != nil || c.lastSeen.IsZero() || c.received.Load() == 0 {
		return
	}
	_ = c.wait()
}

// echo sends one message back and hangs up.
func echo(c net.Conn) {
	buf := make([]byte, 1)
	io.ReadFull(c, buf)
	c.Write(buf)
	c.Close()
}
