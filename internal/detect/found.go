package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Who has found a certain thing in memory, such as the storage of the kind that a
// server has, is in a run of the program in which somebody has put it there. If
// only one write can have done that, the way to the write was taken, with all its
// conditions.

// maxFound bounds the steps by which a value is followed to where it is found.
const maxFound = 6

// foundNeeds returns points that are passed before a point because it is only
// executed if something is there that they lead to the putting of.
func (d *detector) foundNeeds(p runs.Point) []runs.Point {
	p.How = ir.Now
	list, known := d.found[p]
	if known {
		return list
	}
	d.eachFound(p, func(v ir.Value, wanted []pointer.ObjectID) bool {
		if wanted == nil {
			wanted = d.targetsOf(p.Inst, v)
		}
		if len(wanted) == maxKnown {
			return false
		}
		if w, ok := d.putBy(p.Inst, v, wanted, maxFound); ok && len(w) == 1 {
			list = append(list, d.waysTo(w[0], wanted)...)
		}
		return false
	})
	d.found[p] = list
	return list
}

// eachFound visits the values that must be there for a point to be executed, with
// what they must lead to: nil if that does not matter. It stops if is is true.
func (d *detector) eachFound(p runs.Point, is func(v ir.Value, wanted []pointer.ObjectID) bool) bool {
	fn := d.Points.Instances[p.Inst].Func
	body := d.Points.Body(p.Inst)
	for _, c := range d.conditions(p) {
		var wanted []pointer.ObjectID
		v := c.value
		switch {
		case c.equals == ir.NoValue && c.holds:
			// The second result of an assertion.
			k := d.Points.Prog.Definition(fn, v)
			if k < 0 || body.Instrs[k].Op != ir.OpExtract || body.Instrs[k].Aux != 1 {
				continue
			}
			v = body.Args(&body.Instrs[k])[0]
			if k = d.Points.Prog.Definition(fn, v); k < 0 || body.Instrs[k].Op != ir.OpAssert {
				continue
			}
			wanted = d.targetsOf(p.Inst, v)
			v = body.Args(&body.Instrs[k])[0]
		case c.equals != ir.NoValue && !c.holds && d.constant(p.Inst, c.equals) == "nil":
		default:
			continue
		}
		if is(v, wanted) {
			return true
		}
	}
	return false
}

// writtenBy returns the value that an access of a single slot writes.
func (d *detector) writtenBy(w sharing.Access) (ir.Value, bool) {
	body := d.Points.Body(w.Inst)
	in := &body.Instrs[w.Instr]
	args := body.Args(in)
	switch in.Op {
	case ir.OpStore:
		return args[1], d.Points.Prog.Layout(d.Points.Prog.TypeOf(d.Points.Instances[w.Inst].Func, in.Type)).Size == 1
	case ir.OpAtomic:
		return args[len(args)-1], true
	}
	return ir.NoValue, false
}

// put is a write of a value.
type put struct {
	runs.Point
	value ir.Value
}

// putBy returns the writes that a value which is one of the wanted objects may be
// found by. ok is false if it may come from elsewhere.
func (d *detector) putBy(inst pointer.InstID, v ir.Value, wanted []pointer.ObjectID, depth int) (list []put, ok bool) {
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	if k < 0 || depth == 0 {
		return nil, false
	}
	body := d.Points.Body(inst)
	in := &body.Instrs[k]
	switch args := body.Args(in); in.Op {
	case ir.OpExtract, ir.OpAssert, ir.OpCopy, ir.OpCast, ir.OpBox:
		return d.putBy(inst, args[0], wanted, depth-1)
	case ir.OpLoad:
		if values, ok := d.local(inst, args[0]); ok {
			return d.putByAny(inst, values, wanted, depth-1)
		}
		return d.putAt(inst, args[0], wanted)
	case ir.OpPhi:
		return d.putByAny(inst, args, wanted, depth-1)
	case ir.OpCall, ir.OpInvoke:
		if ir.How(in.Sub) == ir.Now {
			return d.returnedBy(runs.Point{Inst: inst, Instr: k}, wanted, depth-1)
		}
	}
	return nil, false
}

// putByAny is putBy for a value that is one of several. Constants lead nowhere.
func (d *detector) putByAny(inst pointer.InstID, values []ir.Value, wanted []pointer.ObjectID, depth int) (list []put, ok bool) {
	for _, v := range values {
		if v.Const() != ir.None {
			continue
		}
		more, ok := d.putBy(inst, v, wanted, depth)
		if !ok {
			return nil, false
		}
		list = addPuts(list, more)
	}
	return list, len(list) > 0
}

// addPuts adds those that are not in a list yet.
func addPuts(list, more []put) []put {
	for _, w := range more {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// putAt is putBy for what is loaded from an address.
func (d *detector) putAt(inst pointer.InstID, addr ir.Value, wanted []pointer.ObjectID) (list []put, ok bool) {
	set := d.Points.PointsTo(inst, addr, 0)
	ok = !set.Empty() && set.Len() <= maxKnown
	set.Each(func(n pointer.Node) bool {
		c := d.cellAt(n)
		if ok = ok && c != nil; !ok {
			return false
		}
		for _, w := range c.Accesses {
			if !w.Kind.Writes() {
				continue
			}
			v, whole := d.writtenBy(w)
			if !whole {
				ok = false
				return false
			}
			if d.mayLead(w.Inst, v, wanted) {
				list = append(list, put{runs.Point{Inst: w.Inst, Instr: w.Instr}, v})
			}
		}
		return true
	})
	return list, ok
}

// returnedBy is putBy for what a call returns.
func (d *detector) returnedBy(c runs.Point, wanted []pointer.ObjectID, depth int) (list []put, ok bool) {
	for _, e := range d.Points.Instances[c.Inst].Calls {
		if e.Instr != c.Instr || e.How != ir.Now {
			continue
		}
		body := d.Points.Body(e.Target)
		if body == nil {
			return nil, false
		}
		for i := range body.Instrs {
			if body.Instrs[i].Op != ir.OpReturn {
				continue
			}
			for _, v := range body.Args(&body.Instrs[i]) {
				if !d.mayLead(e.Target, v, wanted) {
					continue
				}
				more, ok := d.putBy(e.Target, v, wanted, depth)
				if !ok {
					return nil, false
				}
				list = addPuts(list, more)
			}
		}
	}
	return list, len(list) > 0
}

// waysTo returns the points that are passed before a write of one of the wanted
// objects: calls of which there is one that passes such an object, and the making of
// the functions called.
func (d *detector) waysTo(w put, wanted []pointer.ObjectID) []runs.Point {
	out := []runs.Point{w.Point}
	inst, param := w.Inst, d.parameter(w.Inst, w.value)
	for range maxFound {
		var next []runs.Point
		if d.isEntry(inst) {
			if p, ok := d.onlyStart(inst); ok {
				next = append(next, p)
			}
			param = ir.None
		} else {
			next = slices.Clone(d.Runs.CallersOf(inst))
		}
		if param != ir.None {
			next = slices.DeleteFunc(next, func(c runs.Point) bool {
				v, ok := d.passedAs(c, param)
				return ok && !d.mayLead(c.Inst, v, wanted)
			})
		}
		if len(next) != 1 {
			break
		}
		c := next[0]
		out = append(out, c)
		if made := d.closureOf(c, inst); made.Inst >= 0 {
			out = append(out, made)
		}
		inst = c.Inst
		if param == ir.None {
			continue
		}
		v, ok := d.passedAs(c, param)
		if param = ir.None; ok {
			param = d.parameter(inst, v)
		}
	}
	return out
}
