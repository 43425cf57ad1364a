// Mutexes: the same one on both sides, none on one side, two different ones,
// and one held for reading only.
package main

import "sync"

type counter struct {
	mu    sync.Mutex
	other sync.Mutex
	rw    sync.RWMutex

	good    int
	forgot  int
	wrong   int
	shared  int
	readers int
	cond    int
}

func main() {
	c := &counter{}
	go c.run()
	go c.run2()
}

func (c *counter) run() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.good++
	c.forgot++ // want race "c.forgot"
	c.wrong++  // want race "c.wrong"

	c.rw.RLock()
	c.shared++ // want race "c.shared"
	c.rw.RUnlock()

	c.rw.Lock()
	c.readers++
	c.rw.Unlock()

	c.locked()
}

func (c *counter) run2() {
	c.forgot++
	c.other.Lock()
	c.wrong++
	c.other.Unlock()

	c.rw.RLock()
	c.shared++
	_ = c.readers
	c.rw.RUnlock()

	c.mu.Lock()
	c.good++
	c.locked()
	c.mu.Unlock()
	if c.mu.TryLock() {
		c.good++
		c.mu.Unlock()
	}
}

// locked is called with mu held.
func (c *counter) locked() { c.cond++ }
