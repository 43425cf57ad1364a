// A transaction is made with the lock of its database held, and gives it back when
// it ends: who works with it holds the lock.
package main

import (
	"os"
	"sync"
)

type database struct {
	mu   sync.RWMutex
	path string
	size int
}

type transaction struct {
	of    *database
	steps int
}

// begin returns with the lock held.
func (d *database) begin() *transaction {
	d.mu.RLock()
	return &transaction{of: d}
}

func (t *transaction) name() string {
	println(t.steps)
	return t.of.path + ".db"
}

func (t *transaction) end() { t.of.mu.RUnlock() }

// view does not.
func (d *database) view() *transaction {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return &transaction{of: d}
}

func (t *transaction) length() int {
	println(t.steps)
	return t.of.size + 1
}

func (d *database) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.path = ""
	d.size = 0 // want race "size"
}

type holder struct {
	mu  sync.Mutex
	now *transaction
	old *transaction
}

func (h *holder) set(now, old *transaction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now, h.old = now, old
}

func (h *holder) get() (now, old *transaction) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now, h.old
}

func main() {
	d := &database{path: os.Args[0]}
	h := &holder{}
	done := make(chan bool)
	go func() {
		h.set(d.begin(), d.view())
		now, old := h.get()
		go func() {
			println(now.name())
			now.end()
			done <- true
		}()
		go func() {
			println(old.length())
			done <- true
		}()
	}()
	d.close()
	<-done
	<-done
}
