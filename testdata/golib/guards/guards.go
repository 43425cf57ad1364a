// Package guards holds order and protection of other kinds.
package guards

import (
	"sync"
	"sync/atomic"
)

// Mixed uses a field atomically here and plainly there.
type Mixed struct {
	n int64
}

func (m *Mixed) Inc() { atomic.AddInt64(&m.n, 1) }

func (m *Mixed) Get() int64 {
	return m.n // want race "m.n"
}

// Atomic uses it atomically everywhere.
type Atomic struct {
	n atomic.Int64
	p atomic.Pointer[int]
}

func (a *Atomic) Inc()       { a.n.Add(1) }
func (a *Atomic) Get() int64 { return a.n.Load() }

// Lazy makes its value once.
type Lazy struct {
	once sync.Once
	v    map[string]int
}

func (l *Lazy) init() { l.v = map[string]int{"a": 1} }

func (l *Lazy) Get(k string) int {
	l.once.Do(l.init)
	return l.v[k]
}

func (l *Lazy) Len() int {
	l.once.Do(func() { l.v = map[string]int{} })
	return len(l.v)
}

// Double checks twice, the first time without the lock.
type Double struct {
	mu sync.Mutex
	v  *int
}

func (d *Double) Get() *int {
	if d.v == nil { // want race "d.v"
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.v == nil {
			d.v = new(int)
		}
	}
	return d.v
}

func (d *Double) Reset() {
	d.mu.Lock()
	d.v = nil
	d.mu.Unlock()
}

// table is written by initialisation only.
var table = map[string]int{}

var tableMu sync.Mutex

func init() { table["a"] = 1 }

func Lookup(k string) int { return table[k] }

// counters is a global with its lock.
var (
	counters   = map[string]int{}
	countersMu sync.Mutex
)

func Count(k string) {
	countersMu.Lock()
	counters[k]++
	countersMu.Unlock()
}

func Drop(k string) {
	countersMu.Lock()
	delete(counters, k)
	countersMu.Unlock()
}

func Counted(k string) int {
	return counters[k] // want race "counters"
}

// Outer embeds Inner: its fields are Inner's.
type Inner struct {
	mu sync.Mutex
	n  int
}

func (i *Inner) Inc() {
	i.mu.Lock()
	i.n++
	i.mu.Unlock()
}

func (i *Inner) Dec() {
	i.mu.Lock()
	i.n--
	i.mu.Unlock()
}

type Outer struct {
	Inner
	name string
}

func (o *Outer) Peek() int {
	return o.n // want race "n"
}
