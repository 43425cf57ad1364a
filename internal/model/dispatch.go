package model

import (
	"sync"

	"github.com/deadheat/deadheat/internal/ir"
)

// dispatcher says which row stands for a call of a method by dispatch on a
// receiver of a Java class. It remembers what it said: the same questions come
// from every unit.
type dispatcher struct {
	set *Set

	mu    sync.Mutex
	rows  map[scopedName]*Row        // by class and method; guarded by mu
	known map[string]map[string]bool // by class: the methods it has; guarded by mu
	backs map[string][]overrider     // by class; guarded by mu
}

func newDispatcher(set *Set) *dispatcher {
	return &dispatcher{set: set, rows: make(map[scopedName]*Row), known: make(map[string]map[string]bool), backs: make(map[string][]overrider)}
}

// row returns the row for a call, or nil if the class has no such method, no row
// says what it does, or it depends on the receiver's own class.
func (d *dispatcher) row(h *Hierarchy, class, method string) *Row {
	d.mu.Lock()
	defer d.mu.Unlock()
	if methods := d.methods(h, class); methods != nil && !methods[method] {
		return nil
	}
	key := scopedName{class, method}
	r, ok := d.rows[key]
	if !ok {
		r = d.find(h, class, method)
		d.rows[key] = r
	}
	return r
}

func (d *dispatcher) find(h *Hierarchy, class, method string) *Row {
	row := func(c string) *Row {
		r, _ := d.set.FindClass(h, joinSymbol(ir.LangJava, c, method))
		return r
	}
	r := row(class)
	if r == nil || !r.replaces() || !h.agree(class, method, r, row) {
		return nil
	}
	return r
}

// methods returns the methods that a class has, inherited ones included, or nil
// if the class is not known.
func (d *dispatcher) methods(h *Hierarchy, class string) map[string]bool {
	if h == nil || h.coded[class] == nil {
		return nil
	}
	all, ok := d.known[class]
	if !ok {
		all = make(map[string]bool)
		h.above(class, func(c string) bool {
			for m := range h.coded[c] {
				all[m] = true
			}
			return true
		})
		d.known[class] = all
	}
	return all
}
