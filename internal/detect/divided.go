package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Work is divided by cutting slices. That two parts do not overlap is seldom to be
// seen; that they are cut at places which are computed speaks for it.

// division says how a slice was cut from another one.
type division uint8

const (
	undivided division = iota
	byEnd              // it ends where something computed says
	byStart            // it begins there
)

// divided tells whether two accesses are each to a part that somebody has cut for
// their origin, in instances of one origin another one in each.
func (d *detector) divided(a, b *side) bool {
	if d.Points.Instances[a.Inst].Origin == d.Points.Instances[b.Inst].Origin {
		return d.divisionOf(a, true) == byStart && d.divisionOf(b, true) == byStart
	}
	x, y := d.divisionOf(a, false), d.divisionOf(b, false)
	return x != undivided && y != undivided && (x == byStart || y == byStart)
}

// divisionOf tells how the slice was cut that an access is to. If anew is true, only cuts
// count that begin elsewhere in each instance of the origin.
func (d *detector) divisionOf(s *side, anew bool) division {
	fn := d.Points.Instances[s.Inst].Func
	body := d.Points.Body(s.Inst)
	v := s.Addr
	for range maxTrace {
		k := d.Points.Prog.Definition(fn, v)
		if k < 0 {
			return undivided
		}
		switch in := &body.Instrs[k]; in.Op {
		case ir.OpIndex:
			t := cutting{detector: d, of: s, anew: anew}
			return t.value(s.Inst, body.Args(in)[0], maxTrace)
		case ir.OpField:
			v = body.Args(in)[0]
		default:
			return undivided
		}
	}
	return undivided
}

// cutting traces the slice of an access to where it was cut.
type cutting struct {
	*detector
	of   *side
	anew bool
}

func (t *cutting) value(inst pointer.InstID, v ir.Value, depth int) division {
	if depth == 0 {
		return undivided
	}
	body := t.Points.Body(inst)
	k := t.Points.Prog.Definition(t.Points.Instances[inst].Func, v)
	if k < 0 {
		return t.parameter(inst, v, depth)
	}
	in := &body.Instrs[k]
	args := body.Args(in)
	switch in.Op {
	case ir.OpSlice:
		switch low, high := args[1], args[2]; {
		case t.anew && high != ir.NoValue && t.overlaps(inst, in):
			return undivided
		case t.computed(inst, low):
			return byStart
		case !t.anew && t.computed(inst, high):
			return max(byEnd, t.value(inst, args[0], depth-1))
		}
		return t.value(inst, args[0], depth-1)
	case ir.OpCopy:
		return t.value(inst, args[0], depth-1)
	case ir.OpLoad:
		return t.variable(inst, args[0], depth)
	}
	return undivided
}

// computed tells whether a bound is not always the same.
func (t *cutting) computed(inst pointer.InstID, bound ir.Value) bool {
	switch {
	case bound == ir.NoValue || bound.Const() != ir.None:
		return false
	case !t.anew:
		return true
	case t.Points.Instances[inst].Origin == t.Points.Instances[t.of.Inst].Origin:
		return t.fromStart(inst, bound, 4)
	}
	return !t.once(inst, bound)
}

// parameter is value for a parameter: all callers must have cut it. If a function
// divides its work by calling itself, who called it first does not count, for it is
// done with the whole before and after.
func (t *cutting) parameter(inst pointer.InstID, v ir.Value, depth int) division {
	param := int32(v.Reg())
	if v.Reg() == ir.None || param >= t.Points.Body(inst).Params {
		return undivided
	}
	var callers []runs.Point
	if t.isEntry(inst) {
		callers = t.Runs.SpawnPoints[t.Points.Instances[inst].Origin]
		if t.anew && len(callers) != 1 {
			return undivided
		}
	} else {
		callers = t.Runs.CallersOf(inst)
		if own := t.recursive(inst, callers); len(own) > 0 {
			callers = own
		}
	}
	all := undivided
	for i, c := range callers {
		arg, ok := t.startedWith(c, argument{path.Param, param})
		if !ok {
			return undivided
		}
		if by := t.value(c.Inst, arg, depth-1); i == 0 || by < all {
			all = by
		}
	}
	return all
}

// recursive returns those callers of an instance that are of the same function, or
// of one inside of it.
func (t *cutting) recursive(inst pointer.InstID, callers []runs.Point) []runs.Point {
	prog := t.Points.Prog
	def := prog.Def(t.Points.Instances[inst].Func)
	var own []runs.Point
	for _, c := range callers {
		fn := t.Points.Instances[c.Inst].Func
		by := prog.Def(fn)
		if by != nil && (by == def || by.Parent != ir.None && &prog.Unit(fn).Funcs[by.Parent] == def) {
			own = append(own, c)
		}
	}
	return own
}

// variable is value for what a variable holds that is given a value once.
func (t *cutting) variable(inst pointer.InstID, addr ir.Value, depth int) division {
	n, ok := t.Points.PointsTo(inst, addr, 0).Single()
	if !ok {
		return undivided
	}
	stores, known := t.stores(n)
	if !known || len(stores) != 1 {
		return undivided
	}
	body := t.Points.Body(stores[0].Inst)
	return t.value(stores[0].Inst, body.Args(&body.Instrs[stores[0].Instr])[1], depth-1)
}

// divides tells whether an origin starts others of a kind with parts of its work,
// which start others of their kind with parts of that, or is of that kind.
func (d *detector) divides(by, o origin.ID) bool {
	entries := d.Points.Origins.Get(o).Entries
	isKind := func(o origin.ID) bool { return slices.Equal(d.Points.Origins.Get(o).Entries, entries) }
	var first, again []link.FuncID // that start one of the kind: the one asked about, and those of the kind
	for k := range d.Runs.SpawnPoints {
		if !isKind(origin.ID(k)) {
			continue
		}
		for _, p := range d.Runs.SpawnPoints[k] {
			in := &d.Points.Instances[p.Inst]
			if isKind(in.Origin) {
				again = append(again, in.Func)
			}
			if in.Origin == by {
				first = append(first, in.Func)
			}
		}
	}
	return len(again) > 0 && isKind(by) || slices.ContainsFunc(first, func(fn link.FuncID) bool { return slices.Contains(again, fn) })
}
