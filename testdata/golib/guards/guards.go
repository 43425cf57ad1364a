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

// Sema is guarded by a channel with room for one.
type Sema struct {
	sem chan struct{}
	n   int
}

func NewSema() *Sema { return &Sema{sem: make(chan struct{}, 1)} }

func (s *Sema) try() bool {
	select {
	case s.sem <- struct{}{}:
		return true
	default:
		return false
	}
}

func (s *Sema) release() { <-s.sem }

func (s *Sema) Inc() {
	s.sem <- struct{}{}
	s.n++
	<-s.sem
}

func (s *Sema) TryInc() {
	if s.try() {
		defer s.release()
		s.n++
	}
}

func (s *Sema) Get() int {
	return s.n // want race "s.n"
}

// Dir makes its value under the lock where it is missing.
type Dir struct {
	mu   sync.Mutex
	name string
}

func (d *Dir) Name() string {
	d.mu.Lock()
	if d.name == "" {
		d.name = "made"
	}
	d.mu.Unlock()
	return d.name
}

// Ticket gives the lock back before it reads what it has counted.
type Ticket struct {
	mu sync.Mutex
	n  int
}

func (t *Ticket) Next() int {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	return t.n // want race "t.n"
}

// Flag publishes its value by an atomic.
type Flag struct {
	mu   sync.Mutex
	done atomic.Bool
	v    int
}

func (f *Flag) Get() int {
	if f.done.Load() {
		return f.v
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.done.Load() {
		f.v = 42
		f.done.Store(true)
	}
	return f.v
}

// Early gives the lock back too early.
type Early struct {
	mu sync.Mutex
	m  map[string]int
}

func (e *Early) Put(k string, v int) {
	e.mu.Lock()
	if e.m == nil {
		e.mu.Unlock()
		e.m = map[string]int{k: v} // want race "e.m"
		return
	}
	e.m[k] = v
	e.mu.Unlock()
}

func (e *Early) Get(k string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.m[k]
}

// Address is read under the lock and set without.
type Address struct {
	mu   sync.RWMutex
	addr string
}

func (a *Address) Set(s string) {
	a.addr = s // want race "a.addr"
}

func (a *Address) Get() string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.addr
}

// Stats counts one thing under its lock and forgets it for the other.
type Stats struct {
	mu         sync.Mutex
	hits, miss int
}

func (s *Stats) Hit() {
	s.mu.Lock()
	s.hits++
	s.mu.Unlock()
}

func (s *Stats) Miss() {
	s.miss++ // want race "s.miss"
}

func (s *Stats) Misses() int { return s.miss }

// Named is set up before it is used; nothing says otherwise.
type Named struct {
	mu   sync.Mutex
	name string
	n    int
}

func (n *Named) SetName(s string) { n.name = s }

func (n *Named) Show() (string, int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.name, n.n
}

// Skipped reads without passing the once.
type Skipped struct {
	once sync.Once
	v    int
}

func (s *Skipped) Get() int {
	s.once.Do(func() { s.v = 1 })
	return s.v
}

func (s *Skipped) Peek() int {
	return s.v // want race "s.v"
}
