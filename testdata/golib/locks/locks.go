// Package locks holds the ways to take a lock (RELAY 3.2 and 3.3).
package locks

import "sync"

// Getter reads without the lock that its writers hold.
type Getter struct {
	mu sync.Mutex
	n  int
}

func (g *Getter) Inc() {
	g.mu.Lock()
	g.n++
	g.mu.Unlock()
}

func (g *Getter) Dec() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n--
}

func (g *Getter) Get() int {
	return g.n // want race "g.n"
}

// Wrong takes another lock than everybody else.
type Wrong struct {
	mu, other sync.Mutex
	n         int
}

func (w *Wrong) Inc() {
	w.mu.Lock()
	w.n++
	w.mu.Unlock()
}

func (w *Wrong) Reset() {
	w.mu.Lock()
	w.n = 0
	w.mu.Unlock()
}

func (w *Wrong) Set(n int) {
	w.other.Lock()
	w.n = n // want race "w.n"
	w.other.Unlock()
}

// Shared writes while it holds the lock for reading only.
type Shared struct {
	mu sync.RWMutex
	n  int
}

func (s *Shared) Get() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.n
}

func (s *Shared) Set(n int) {
	s.mu.Lock()
	s.n = n
	s.mu.Unlock()
}

func (s *Shared) Touch() {
	s.mu.RLock()
	s.n++ // want race "s.n"
	s.mu.RUnlock()
}

// Callee gives the lock back in a function it calls.
type Callee struct {
	mu sync.Mutex
	n  int
}

func (c *Callee) unlock() { c.mu.Unlock() }
func (c *Callee) lock()   { c.mu.Lock() }

func (c *Callee) Early() {
	c.mu.Lock()
	c.unlock()
	c.n++ // want race "c.n"
}

func (c *Callee) Fine() {
	c.lock()
	c.n++
	c.unlock()
}

func (c *Callee) AlsoFine() int {
	c.lock()
	defer c.unlock()
	return c.n
}

// Cond holds the lock only if a function says so.
type Cond struct {
	mu sync.Mutex
	n  int
}

func (c *Cond) try() bool { return c.mu.TryLock() }

func (c *Cond) acquire(stop bool) *Cond {
	if stop {
		return nil
	}
	c.mu.Lock()
	return c
}

func (c *Cond) begin(stop bool) error {
	if stop {
		return errStopped
	}
	c.mu.Lock()
	return nil
}

func (c *Cond) Try() {
	if c.try() {
		c.n++
		c.mu.Unlock()
	}
}

func (c *Cond) NonNil(stop bool) {
	if d := c.acquire(stop); d != nil {
		c.n++
		c.mu.Unlock()
	}
}

func (c *Cond) NoError(stop bool) error {
	if err := c.begin(stop); err != nil {
		return err
	}
	c.n++
	c.mu.Unlock()
	return nil
}

func (c *Cond) Ignored() {
	c.try()
	c.n++ // want race "c.n"
}

type stopped struct{}

func (stopped) Error() string { return "stopped" }

var errStopped error = stopped{}

// Closure returns the way to give the lock back.
type Closure struct {
	mu sync.Mutex
	n  int
}

func (c *Closure) hold() func() {
	c.mu.Lock()
	return func() { c.mu.Unlock() }
}

func (c *Closure) Inc() {
	defer c.hold()()
	c.n++
}

func (c *Closure) Dec() {
	release := c.hold()
	c.n--
	release()
}

func (c *Closure) After() {
	release := c.hold()
	release()
	c.n = 0 // want race "c.n"
}

// Bound returns the unlocking method itself.
type Bound struct {
	mu sync.Mutex
	n  int
}

func (b *Bound) hold() func() {
	b.mu.Lock()
	return b.mu.Unlock
}

func (b *Bound) Inc() {
	defer b.hold()()
	b.n++
}

func (b *Bound) Dec() {
	release := b.hold()
	b.n--
	release()
}

func (b *Bound) After() {
	release := b.hold()
	release()
	b.n = 0 // want race "b.n"
}

// Embedded has its lock embedded.
type Embedded struct {
	sync.Mutex
	n int
}

func (e *Embedded) Inc() {
	e.Lock()
	defer e.Unlock()
	e.n++
}

func (e *Embedded) Set(n int) {
	e.Lock()
	e.n = n
	e.Unlock()
}

func (e *Embedded) Get() int {
	return e.n // want race "e.n"
}

// Loop defers in a loop: the lock is given back when the function ends.
type Loop struct {
	mu sync.Mutex
	n  int
}

func (l *Loop) Sum(xs []int) {
	for _, x := range xs {
		func() {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.n += x
		}()
	}
}

func (l *Loop) Once() {
	for range 1 {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.n++
	}
}

func (l *Loop) Get() int {
	return l.n // want race "l.n"
}

// Iface locks through an interface method.
type locker interface {
	enter()
	leave()
}

type impl struct{ mu sync.Mutex }

func (i *impl) enter() { i.mu.Lock() }
func (i *impl) leave() { i.mu.Unlock() }

type Iface struct {
	l locker
	n int
}

func NewIface() *Iface { return &Iface{l: new(impl)} }

func (i *Iface) Inc() {
	i.l.enter()
	i.n++
	i.l.leave()
}

func (i *Iface) Dec() {
	i.l.enter()
	defer i.l.leave()
	i.n--
}

func (i *Iface) Get() int {
	return i.n // want race "i.n"
}

// Locker uses sync.Locker.
type Locker struct {
	l sync.Locker
	n int
}

func (l *Locker) Inc() {
	l.l.Lock()
	l.n++
	l.l.Unlock()
}

func (l *Locker) Add(d int) {
	l.l.Lock()
	l.n += d
	l.l.Unlock()
}

func (l *Locker) Get() int {
	return l.n // want race "l.n"
}

// Callback runs what it is given under the lock.
type Callback struct {
	mu sync.Mutex
	n  int
}

func (c *Callback) with(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
}

func (c *Callback) Inc()     { c.with(func() { c.n++ }) }
func (c *Callback) Dec()     { c.with(func() { c.n-- }) }
func (c *Callback) Get() int { return c.n } // want race "c.n"

// Waiter waits on a condition variable, which gives the lock back and takes it
// again.
type Waiter struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func NewWaiter() *Waiter {
	w := &Waiter{}
	w.cond = sync.NewCond(&w.mu)
	return w
}

func (w *Waiter) Wait() {
	w.mu.Lock()
	for w.n == 0 {
		w.cond.Wait()
	}
	w.n--
	w.mu.Unlock()
}

func (w *Waiter) Post() {
	w.mu.Lock()
	w.n++
	w.mu.Unlock()
	w.cond.Signal()
}
