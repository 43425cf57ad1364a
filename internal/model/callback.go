package model

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// A library that is handed an object of one of its own types, or whose method is
// called on one, may call the methods of that type which the program's class
// overrides. Only those: objects of the library's own classes do what rows say of
// the call as a whole.

// overrider is a class of the program below one of a library, with the methods
// of the latter that it has code for.
type overrider struct {
	class   string
	methods []string // with descriptors, sorted
}

// maxOverriders bounds the classes that one call may call back. Where there are
// more, the type says too little about who is meant.
const maxOverriders = 24

// overriders returns the classes below a class of a library that override what
// it and those above it declare, without those whose superclass does it for them.
// What Object declares does not count: everything has it.
func (h *Hierarchy) overriders(class string) []overrider {
	if h == nil || class == objectClass || h.below[class] == nil {
		return nil
	}
	open := make(map[string]bool)
	h.above(class, func(c string) bool {
		for m, coded := range h.coded[c] {
			if _, common := h.coded[objectClass][m]; !coded && !common {
				open[m] = true
			}
		}
		return true
	})
	if len(open) == 0 {
		return nil
	}
	var list []overrider
	done := make(map[scopedName]bool)
	n := 0
	h.walk(class, func(c string) []string { return h.below[c] }, func(c string) bool {
		var methods []string
		for m, coded := range h.coded[c] {
			if coded && open[m] && !h.inherits(c, m, done) {
				methods = append(methods, m)
			}
			if coded && open[m] {
				done[scopedName{c, m}] = true
			}
		}
		if len(methods) > 0 {
			slices.Sort(methods)
			list = append(list, overrider{c, methods})
		}
		n++
		return n <= maxSubclasses && len(list) <= maxOverriders
	})
	if n > maxSubclasses || len(list) > maxOverriders {
		return nil
	}
	return list
}

// inherits tells whether a class above one is known to override a method.
func (h *Hierarchy) inherits(class, method string, done map[scopedName]bool) bool {
	found := false
	h.above(class, func(c string) bool {
		found = found || c != class && done[scopedName{c, method}]
		return !found
	})
	return found
}

// back is a class of the program that a call may call back, as a unit names it.
type back struct {
	ref   ir.TypeID // references to the class
	calls []callee
}

// overriders remembers what the hierarchy says: the same types are asked about
// by every unit.
func (d *dispatcher) overriders(h *Hierarchy, class string) []overrider {
	d.mu.Lock()
	defer d.mu.Unlock()
	list, ok := d.backs[class]
	if !ok {
		list = h.overriders(class)
		d.backs[class] = list
	}
	return list
}

// callsBack tells whether a row's callbacks do anything where it stands for a
// method.
func (p *preparer) callsBack(symbol string) bool {
	class, params := declared(symbol)
	for _, t := range append([]string{class}, params...) {
		if len(p.pass.dispatch.overriders(p.pass.Classes, t)) > 0 {
			return true
		}
	}
	return false
}

// backs returns the classes that a callback to a value may mean, or, for args,
// those of each argument.
func (r *resolver) backs(x *Expr) [][]back {
	class, params := declared(r.use.symbol)
	switch x.Op {
	case opRecv:
		if _, name, _ := cutLast(r.use.symbol); isConstructor(name) {
			return nil // the object is not there yet
		}
		params = []string{class}
	case opArg:
		if x.N > len(params) {
			return nil
		}
		params = params[x.N-1 : x.N]
	case opLast:
		params = params[max(0, len(params)-1):]
	}
	list := make([][]back, len(params))
	for i, t := range params {
		list[i] = r.backsOf(t)
	}
	return list
}

// backsOf returns what a value of a class may be called back by. The method that
// makes it a function value is left to call.
func (r *resolver) backsOf(class string) (list []back) {
	b, called := r.p.b, ""
	if row := r.p.v.set.function(r.p.pass.Classes, class); row != nil {
		called = row.Method.key()
	}
	for _, o := range r.p.pass.dispatch.overriders(r.p.pass.Classes, class) {
		x := back{ref: b.Pointer(b.Named(o.class))}
		for _, m := range o.methods {
			_, params, result, ok := splitDescriptor(m)
			if !ok || m == called {
				continue
			}
			c := callee{known: true, result: r.p.v.base.none}
			for _, t := range params {
				c.params = append(c.params, r.typ(typeOfName(t)))
			}
			var results []ir.TypeID
			if result != "void" {
				c.result = r.typ(typeOfName(result))
				results = []ir.TypeID{c.result}
			}
			c.method = b.Method(m, b.FuncType(c.params, results, false))
			x.calls = append(x.calls, c)
		}
		if len(x.calls) > 0 {
			list = append(list, x)
		}
	}
	return list
}

// callBack emits the calls of a callback: the value as each of the classes, and
// its methods with fresh arguments.
func (m *emitter) callBack(e *Expr) {
	backs := m.use.ids[e.id].backs
	values := m.args
	if e.X[0].Op != opArgs {
		values = []typed{m.value(e.X[0], 0, ir.None)}
	}
	for i, x := range values {
		if i >= len(backs) || x.v.Const() != ir.None || x.v == ir.NoValue {
			continue
		}
		for _, b := range backs[i] {
			obj := m.def(ir.Instr{Op: ir.OpCast, Type: b.ref}, b.ref, ir.None, x.v)
			for _, c := range b.calls {
				args := []ir.Value{obj.v}
				for _, t := range c.params {
					args = append(args, m.fresh(t, ir.None).v)
				}
				m.emit(ir.Instr{Op: ir.OpInvoke, Flags: ir.FlagMany | ir.FlagMaybe, Type: c.result, Aux: int32(c.method)}, args...)
			}
		}
	}
}
