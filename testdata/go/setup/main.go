// Set-up ends when an object is put where others find it, even if something of it
// was let out before.
package main

import "sync"

func main() {
	holderClean()
	holderRacy()
	earlyRacy()
	boxClean()
	kindClean()
	marginClean()
	marginRacy()
}

type options struct{ size int }

type series struct{ last int }

type db struct {
	opts *options
	mu   sync.Mutex
	all  map[int]*series
	late int
}

var hooks []func() int
var hooksMu sync.Mutex

func register(f func() int) {
	hooksMu.Lock()
	hooks = append(hooks, f)
	hooksMu.Unlock()
}

// open lets a hook out that knows the database, and goes on.
func open(o *options) *db {
	d := &db{opts: o, all: map[int]*series{}}
	register(func() int { return cap(d.none()) })
	if o.size > 3 {
		d.replay()
	}
	return d
}

func (d *db) none() []int { return nil }

func (d *db) replay() {
	for i := range 3 {
		d.mu.Lock()
		s := &series{}
		d.all[i] = s
		d.mu.Unlock()
		s.last = i
	}
}

func (d *db) apply(n int) {
	d.mu.Lock()
	d.opts.size = n
	d.late++
	d.mu.Unlock()
}

type holder struct {
	mu sync.RWMutex
	d  *db
}

func (h *holder) set(d *db) {
	h.mu.Lock()
	h.d = d
	h.mu.Unlock()
}

func (h *holder) get() *db {
	h.mu.RLock()
	x := h.d
	h.mu.RUnlock()
	return x
}

func (h *holder) apply(n int) {
	if d := h.get(); d != nil {
		d.apply(n)
	}
}

func (h *holder) touch(i int) {
	if d := h.get(); d != nil {
		d.mu.Lock()
		d.all[i].last++
		d.mu.Unlock()
	}
}

// Who gets the database from the holder comes after it was opened.
func holderClean() {
	h := &holder{}
	go func() { h.set(open(&options{size: 5})) }()
	go func() { h.apply(1) }()
	go func() { h.touch(2) }()
}

// What its opener does after it is in the holder is not set-up any more.
func holderRacy() {
	h := &holder{}
	go func() {
		d := open(&options{size: 6})
		h.set(d)
		_ = d.late // want race "late"
	}()
	go func() { h.apply(1) }()
}

// The same, of the options: they are read again when the database is known.
func earlyRacy() {
	h := &holder{}
	go func() {
		o := &options{size: 7}
		d := open(o)
		h.set(d)
		_ = o.size // want race "size"
	}()
	go func() { h.apply(1) }()
}

type store interface{ write(n int) }

type disk struct{ n, m int }
type memory struct{ n int }

func (d *disk) write(n int)   { d.n = n }
func (m *memory) write(n int) { m.n = n }

type box struct {
	mu sync.Mutex
	s  store
}

func (b *box) set(s store) {
	b.mu.Lock()
	b.s = s
	b.mu.Unlock()
}

func (b *box) get() store {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.s
}

var leaked = make(chan *disk, 1)

func newDisk() *disk {
	d := &disk{}
	select {
	case leaked <- d:
	default:
	}
	return d
}

// The same through an interface.
func boxClean() {
	b := &box{}
	go func() {
		d := newDisk()
		d.n = 1
		b.set(d)
	}()
	go func() {
		if s := b.get(); s != nil {
			s.write(2)
		}
	}()
}

// Several kinds of things get into the box: the type tells by whom.
func kindClean() {
	b := &box{}
	go func() {
		d := newDisk()
		d.m = 1
		b.set(d)
	}()
	go func() { b.set(&memory{}) }()
	go func() {
		switch d := b.get().(type) {
		case *disk:
			d.m = 2
		case *memory:
			d.n = 3
		}
	}()
}

type ready struct {
	mu     sync.RWMutex
	db     *db
	margin int
	after  int
}

func (r *ready) set(d *db, margin int) {
	r.mu.Lock()
	r.db = d
	r.margin = margin
	r.mu.Unlock()
	r.after = margin // want race "after"
}

func (r *ready) get() *db {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.db
}

// Who finds the database under the lock comes after all that was done under the
// lock when it was put there.
func marginClean() {
	r := &ready{}
	go r.set(&db{}, 3)
	go func() {
		if r.get() != nil {
			_ = r.margin
		}
	}()
}

// Not after what was done when the lock was given up.
func marginRacy() {
	r := &ready{}
	go r.set(&db{}, 4)
	go func() {
		if r.get() != nil {
			_ = r.after
		}
	}()
}
