// Goroutines that a constructor starts: what is set before the go statement is
// there, what is set after it is a race.
package main

import "sync"

type monitor struct {
	name     string
	interval int
	late     int
	events   chan int
	mu       sync.Mutex
	count    int
	total    int
}

func newMonitor() *monitor {
	m := &monitor{name: "m", events: make(chan int)}
	m.interval = 1
	go m.run()
	m.late = 1 // want race "late"
	return m
}

func (m *monitor) run() {
	_, _, _ = m.name, m.interval, m.late
	for range m.events {
		m.mu.Lock()
		m.count++
		m.mu.Unlock()
		m.total++ // want race "total"
	}
}

func (m *monitor) Count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.count
}

// base starts the goroutine before the rest of the object is filled in.
type base struct{ handler func() }

func newBase() *base {
	b := &base{}
	go func() {
		if b.handler != nil {
			b.handler()
		}
	}()
	return b
}

type derived struct {
	*base
	hits int
}

func newDerived() *derived {
	d := &derived{base: newBase()}
	d.handler = func() { d.hits++ } // want race "handler"
	return d
}

// options are applied before anything is started.
type option func(*monitor)

func withInterval(n int) option { return func(m *monitor) { m.interval = n } }

func newWith(opts ...option) *monitor {
	m := &monitor{events: make(chan int)}
	for _, o := range opts {
		o(m)
	}
	go m.runQuietly()
	return m
}

func (m *monitor) runQuietly() {
	for range m.events {
		_ = m.interval
	}
}

func main() {
	monitorRacy()
	derivedRacy()
	optionsClean()
	optionAfterRacy()
}

func monitorRacy() {
	m := newMonitor()
	m.events <- 1
	_ = m.Count()
	_ = m.total
	close(m.events)
}

func derivedRacy() { newDerived() }

func optionsClean() {
	m := newWith(withInterval(2))
	m.events <- 1
	_ = m.interval
	close(m.events)
}

func optionAfterRacy() {
	m := &monitor{events: make(chan int)}
	go func() {
		for range m.events {
			_ = m.interval
		}
	}()
	m.events <- 1
	setLate(m)
	close(m.events)
}

func setLate(m *monitor) {
	m.interval = 3 // want race "interval"
}
