// Order that goes through files, sockets or other processes is not seen.
package main

import (
	"io"
	"net"
	"os"
	"os/exec"
)

func main() {
	pipeClean()
	memoryPipeClean()
	socketClean()
	processClean()
	fileRacy()
}

// The reader cannot go on before the writer has written.
func pipeClean() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	x := 0
	go func() {
		x = 1 // want race fp "x"
		w.Write([]byte{1})
	}()
	r.Read(make([]byte, 1))
	_ = x
}

func memoryPipeClean() {
	r, w := io.Pipe()
	x := 0
	go func() {
		x = 1
		w.Write([]byte{1})
	}()
	r.Read(make([]byte, 1))
	_ = x
}

func socketClean() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	x := 0
	go func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return
		}
		x = 1 // want race fp "x"
		c.Write([]byte{1})
	}()
	c, err := l.Accept()
	if err != nil {
		return
	}
	c.Read(make([]byte, 1))
	_ = x
}

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	return len(p), nil
}

// The goroutine that copies the output is over when Wait returns.
func processClean() {
	s := &sink{}
	cmd := exec.Command("echo", "a")
	cmd.Stdout = s
	if cmd.Start() != nil {
		return
	}
	cmd.Wait()
	_ = s.n
}

// A file that somebody else may have made orders nothing.
func fileRacy() {
	unordered := 0
	go func() {
		unordered = 1 // want race "unordered"
	}()
	if _, err := os.Stat("/nonexistent"); err == nil {
		unordered = 2
	}
	_ = unordered
}
