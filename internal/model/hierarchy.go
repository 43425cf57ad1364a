package model

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Hierarchy is what a pass must know of the classes of a whole program: who
// extends whom, which methods each class declares, and which of them have code.
// It does not change once made.
type Hierarchy struct {
	supers map[string][]string        // superclass first, then interfaces
	below  map[string][]string        // direct subclasses, in the order of units
	coded  map[string]map[string]bool // class → methods it declares, but static ones → whether they have code
	bodies map[string]bool            // symbols of functions with code
}

// Hierarchy returns the classes that units define, and those that models make up
// for what the units call.
func (s *Set) Hierarchy(units []*ir.Unit) *Hierarchy {
	h := newHierarchy(units)
	for _, class := range s.madeUpFor(units) {
		h.makeUp(s, class)
	}
	return h
}

func newHierarchy(units []*ir.Unit) *Hierarchy {
	h := &Hierarchy{
		supers: make(map[string][]string),
		below:  make(map[string][]string),
		coded:  make(map[string]map[string]bool),
		bodies: make(map[string]bool),
	}
	for _, u := range units {
		h.add(u)
	}
	return h
}

func (h *Hierarchy) add(u *ir.Unit) {
	if u == nil || u.Lang != ir.LangJava {
		return
	}
	for i := range u.Funcs {
		if u.Funcs[i].HasBody() {
			h.bodies[u.Funcs[i].Symbol] = true
		}
	}
	for i := range u.TypeDecls {
		d := &u.TypeDecls[i]
		if _, dup := h.coded[d.Symbol]; dup {
			continue
		}
		methods := make(map[string]bool, len(d.Methods))
		for k := range d.Methods {
			if m := &d.Methods[k]; !m.Static {
				methods[m.Name] = h.bodies[m.Func]
			}
		}
		h.coded[d.Symbol] = methods
		for _, s := range d.Supers {
			if t := &u.Types[s]; t.Kind == ir.KindNamed {
				h.supers[d.Symbol] = append(h.supers[d.Symbol], t.Name)
				h.below[t.Name] = append(h.below[t.Name], d.Symbol)
			}
		}
	}
}

// makeUp adds a class that models make up. It declares the methods of those
// above it that rows of its own are about.
func (h *Hierarchy) makeUp(s *Set, class string) {
	x := &s.langs[ir.LangJava]
	methods := make(map[string]bool)
	for _, super := range x.classes[class].Supers {
		h.above(super, func(c string) bool {
			for m := range h.coded[c] {
				if bare, _, _ := strings.Cut(m, "("); s.findIn(x, class, bare, m) != ir.None {
					methods[m] = false
				}
			}
			return true
		})
		h.supers[class] = append(h.supers[class], super)
		h.below[super] = append(h.below[super], class)
	}
	h.coded[class] = methods
}

// above calls visit with a class and all above it, each once, until visit
// returns false.
func (h *Hierarchy) above(class string, visit func(string) bool) {
	h.walk(class, h.superclasses, visit)
}

func (h *Hierarchy) superclasses(class string) []string {
	if h == nil {
		return nil
	}
	return h.supers[class]
}

func (h *Hierarchy) walk(class string, next func(string) []string, visit func(string) bool) {
	list := []string{class}
	for i := 0; i < len(list); i++ {
		if !visit(list[i]) {
			return
		}
		for _, s := range next(list[i]) {
			if !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
}

// hasCode tells whether a function has code.
func (h *Hierarchy) hasCode(symbol string) bool { return h != nil && h.bodies[symbol] }

// maxSubclasses bounds how many classes are looked at to find out whether they
// agree.
const maxSubclasses = 400

// agree tells whether a call of a method on a receiver of a class does what a
// row says, whatever the receiver's own class is: no class below has code for it
// or another row. find returns the row of a method of a class.
func (h *Hierarchy) agree(class, method string, row *Row, find func(class string) *Row) bool {
	if h == nil {
		return true
	}
	n, ok := 0, true
	h.walk(class, func(c string) []string { return h.below[c] }, func(c string) bool {
		if n++; n > maxSubclasses || !h.bare(c, method) {
			ok = false
		} else if _, declares := h.coded[c][method]; declares {
			ok = row.sameAs(find(c))
		}
		return ok
	})
	return ok
}

// bare tells whether the method that a class has, from wherever, is one without
// code.
func (h *Hierarchy) bare(class, method string) bool {
	ok := true
	h.above(class, func(c string) bool {
		coded, declares := h.coded[c][method]
		ok = !declares || !coded
		return !declares
	})
	return ok
}
