package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// A method of an object often sets its fields and then starts what works with
// them. Where a place makes many such objects, each is set up by a run of the
// method of its own: what was started for an object comes after all that the same
// run did before. That no object is set up twice cannot be shown, but it is what
// people mean: a race that needs it has a low confidence.

// beginning is an instruction without which an origin would not have an object:
// it starts the origin with it, or makes something that holds it for good.
type beginning struct {
	runs.Point
	of ir.Value // the object, as the instance names it
}

// setUpFirst tells whether a is done in setting an object up, and b by something
// that gets to know the object afterwards, in the same run of a function.
func (d *detector) setUpFirst(c *sharing.Cell, a, b *side) bool {
	if d.Runs.Unique(c.Object) || d.Points.Instances[a.Inst].Origin == d.Points.Instances[b.Inst].Origin {
		return false
	}
	list, ok := d.beginnings(c.Object, b)
	if ok {
		list, ok = d.lift(c.Object, list, d.Points.Instances[a.Inst].Origin)
	}
	if !ok {
		return false
	}
	for _, x := range list {
		if !d.setUpIn(c.Object, a, x) {
			return false
		}
	}
	return len(list) > 0
}

// beginnings returns what b has its object by.
func (d *detector) beginnings(obj pointer.ObjectID, b *side) ([]beginning, bool) {
	inst, v := b.Inst, b.Addr
	for k := 0; ; k++ {
		t := d.Locks.Paths(inst)
		p := t.Value(v)
		for id := p; id != path.None; id = t.Get(id).Parent {
			if step := t.Get(id); step.Kind == path.Deref {
				return d.givers(obj, d.Locks.Places(inst, step.Parent))
			}
		}
		if p == path.None {
			return nil, false
		}
		root := t.Get(t.Root(p))
		if root.Kind != path.Param {
			return nil, false
		}
		if k == len(b.way.Calls) {
			if !b.way.Start {
				return nil, false
			}
			return d.startsWith(inst, root)
		}
		next := b.way.Calls[k]
		if next.How != ir.Now {
			return nil, false
		}
		if v, _ = d.passedAs(next, root.N); v == ir.NoValue {
			return nil, false
		}
		inst = next.Inst
	}
}

// lift follows beginnings to an origin, through those that it has started.
func (d *detector) lift(obj pointer.ObjectID, list []beginning, to origin.ID) ([]beginning, bool) {
	seen := make(map[beginning]bool)
	var out []beginning
	for len(list) > 0 {
		x := list[0]
		list = list[1:]
		if seen[x] {
			continue
		}
		seen[x] = true
		if d.Points.Instances[x.Inst].Origin == to {
			out = append(out, x)
			continue
		}
		from, ok := d.before(obj, x)
		if !ok || len(seen) > maxBeginnings {
			return nil, false
		}
		list = append(list, from...)
	}
	return out, true
}

// maxBeginnings bounds what is looked at to find out how an origin comes by an
// object.
const maxBeginnings = 64

// before returns what a beginning has its object by.
func (d *detector) before(obj pointer.ObjectID, x beginning) ([]beginning, bool) {
	t := d.Locks.Paths(x.Inst)
	p := t.Value(x.of)
	for id := p; id != path.None; id = t.Get(id).Parent {
		if step := t.Get(id); step.Kind == path.Deref {
			return d.givers(obj, d.Locks.Places(x.Inst, step.Parent))
		}
	}
	if p == path.None || t.Get(t.Root(p)).Kind != path.Param {
		return nil, false
	}
	root := t.Get(t.Root(p))
	var list []beginning
	if d.isEntry(x.Inst) {
		starts, ok := d.startsWith(x.Inst, root)
		if !ok {
			return nil, false
		}
		list = starts
	}
	for _, c := range d.Runs.CallersOf(x.Inst) {
		v, ok := d.passedAs(c, root.N)
		if !ok || c.How != ir.Now {
			return nil, false
		}
		if d.leadsTo(c.Inst, v, obj) {
			list = append(list, beginning{runs.Point{Inst: c.Inst, Instr: c.Instr}, v})
		}
	}
	return list, len(list) > 0
}

// passedAs returns what a call passes as a parameter.
func (d *detector) passedAs(c runs.Point, k int32) (ir.Value, bool) {
	body := d.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	args := body.Args(in)
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke {
		return ir.NoValue, false
	}
	if in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	if int(k) >= len(args) {
		return ir.NoValue, false
	}
	return args[k], true
}

// startsWith returns the starts of an origin with what they pass as a parameter.
func (d *detector) startsWith(entry pointer.InstID, param path.Path) ([]beginning, bool) {
	var list []beginning
	for _, p := range d.Runs.SpawnPoints[d.Points.Instances[entry].Origin] {
		v, ok := d.passedAs(p, param.N)
		if !ok {
			return nil, false
		}
		list = append(list, beginning{p, v})
	}
	return list, true
}

// givers returns what makes the objects that have some places, and gives them an
// object to hold there for good.
func (d *detector) givers(obj pointer.ObjectID, places []pointer.Node) ([]beginning, bool) {
	var list []beginning
	for _, n := range places {
		if !d.mayHold(n, obj) {
			continue
		}
		id, _ := d.Points.Object(n)
		holder := &d.Points.Objects[id]
		stores, ok := d.stores(n)
		if !ok || holder.Inst < 0 || len(stores) == 0 {
			return nil, false
		}
		for _, s := range stores {
			body := d.Points.Body(s.Inst)
			v, ok := d.givenBy(s.Inst, body.Args(&body.Instrs[s.Instr])[1], id, maxLift)
			if !ok {
				return nil, false
			}
			list = append(list, beginning{runs.Point{Inst: holder.Inst, Instr: holder.Site.Instr}, v})
		}
	}
	return list, true
}

func (d *detector) contains(n pointer.Node, obj pointer.ObjectID) bool {
	return d.Points.Leads(d.Points.Content(n), obj)
}

// givenBy returns what the instance that makes an object names a value that is
// stored in it: the store is there, or in a constructor that it calls.
func (d *detector) givenBy(inst pointer.InstID, v ir.Value, holder pointer.ObjectID, depth int) (ir.Value, bool) {
	if inst == d.Points.Objects[holder].Inst {
		return v, true
	}
	t := d.Locks.Paths(inst)
	p := t.Value(v)
	if p == path.None || t.Get(p).Kind != path.Param || depth == 0 || d.isEntry(inst) {
		return ir.NoValue, false
	}
	out := ir.NoValue
	for _, c := range d.Runs.CallersOf(inst) {
		self, ok := d.passedAs(c, 0)
		if ok && !d.leadsTo(c.Inst, self, holder) {
			continue // of another object
		}
		v, is := d.passedAs(c, t.Get(p).N)
		if !ok || !is {
			return ir.NoValue, false
		}
		w, ok := d.givenBy(c.Inst, v, holder, depth-1)
		if !ok || out != ir.NoValue && w != out {
			return ir.NoValue, false
		}
		out = w
	}
	return out, out != ir.NoValue
}

// setUpIn tells whether a lies in a run of a function, before all that leads to a
// beginning, through which everything that does leads; and both have the object
// from what that function was given.
func (d *detector) setUpIn(obj pointer.ObjectID, a *side, x beginning) bool {
	leads := d.callersOf(x.Inst)
	at, inst, v := a.Instr, a.Inst, a.Addr
	for k := 0; ; k++ {
		t := d.Locks.Paths(inst)
		p := t.Value(v)
		if p == path.None {
			return false
		}
		root := t.Get(t.Root(p))
		if root.Kind != path.Param {
			return false
		}
		if leads[inst] {
			if d.mayHaveBegun(inst, at, x, leads) {
				return false
			}
			if d.alwaysBy(obj, x, inst) {
				return true
			}
		}
		if k == len(a.way.Calls) || a.way.Calls[k].How != ir.Now {
			return false
		}
		c := a.way.Calls[k]
		if v, _ = d.passedAs(c, root.N); v == ir.NoValue {
			return false
		}
		at, inst = c.Instr, c.Inst
	}
}

// mayHaveBegun tells whether an activation may have come by a beginning when it
// comes to an instruction.
func (d *detector) mayHaveBegun(inst pointer.InstID, at int32, x beginning, leads map[pointer.InstID]bool) bool {
	body := d.Points.Body(inst)
	if inst == x.Inst && runs.Reaches(body, x.Instr, at, ir.None) {
		return true
	}
	for _, e := range d.Points.Instances[inst].Calls {
		if e.How != ir.Spawned && leads[e.Target] && e.Instr != at && runs.Reaches(body, e.Instr, at, ir.None) {
			return true
		}
	}
	return false
}

// alwaysBy tells whether all calls that lead to a beginning with an object go
// through an instance, which was given what it has the object from.
func (d *detector) alwaysBy(obj pointer.ObjectID, x beginning, by pointer.InstID) bool {
	type question struct {
		inst pointer.InstID
		v    ir.Value
	}
	seen := map[question]bool{}
	queue := []question{{x.Inst, x.of}}
	for len(queue) > 0 {
		q := queue[0]
		queue = queue[1:]
		t := d.Locks.Paths(q.inst)
		p := t.Value(q.v)
		if p == path.None {
			return false
		}
		root := t.Get(t.Root(p))
		if root.Kind != path.Param {
			return false
		}
		if q.inst == by {
			continue
		}
		callers := d.Runs.CallersOf(q.inst)
		if len(callers) == 0 || d.isEntry(q.inst) {
			return false
		}
		for _, c := range callers {
			v, ok := d.passedAs(c, root.N)
			if !ok || c.How != ir.Now {
				return false
			}
			if t.Get(p).Kind == path.Param && !d.leadsTo(c.Inst, v, obj) || !d.Values.Runs(c.Inst, c.Instr) {
				continue
			}
			if next := (question{c.Inst, v}); !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true
}
