package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// sameHolder tells whether two accesses get to an object of a site that makes
// many through the same thing that holds such objects: both look it up there, or
// one does and the other made it and may have put it there by then. Nothing shows
// that they look up the same one, but neither that each has its own.
func (d *detector) sameHolder(obj pointer.ObjectID, a, b *side) bool {
	if d.inOwned(a) || d.inOwned(b) {
		return false
	}
	x, y := d.lookup(obj, a.point, a.locks.Path, nil, maxLift), d.lookup(obj, b.point, b.locks.Path, nil, maxLift)
	if x.unknown || y.unknown || len(x.made) > 0 && len(y.made) > 0 {
		return false
	}
	// There must be one holder: of several, each side may have its own.
	if !d.allUnique(x.from) || !d.allUnique(y.from) {
		return false
	}
	return len(x.made) > 0 && d.putInto(obj, x.made, y.from) || len(y.made) > 0 && d.putInto(obj, y.made, x.from) ||
		overlap(x.from, y.from)
}

// madeItself tells whether one access is of an object that the calls which lead to
// it have made, and not put where the other side gets its object from.
func (d *detector) madeItself(obj pointer.ObjectID, a, b *side) bool {
	own := func(s, other *side) bool {
		x := d.lookup(obj, s.point, s.locks.Path, s.way.Calls, maxLookup)
		if x.unknown || len(x.from) > 0 || len(x.made) == 0 {
			return false
		}
		y := d.lookup(obj, other.point, other.locks.Path, other.way.Calls, maxLookup)
		return !y.unknown && len(y.from) > 0 && len(y.made) == 0 && !d.putInto(obj, x.made, y.from)
	}
	return own(a, b) || own(b, a)
}

// maxLookup bounds the calls through which a known way is followed.
const maxLookup = 8

func (d *detector) allUnique(list []pointer.ObjectID) bool {
	return !slices.ContainsFunc(list, func(h pointer.ObjectID) bool { return !d.Runs.Unique(h) && !d.growsIn(h) })
}

// growsIn tells whether an object is the array of a slice that one unique object
// holds: append makes another one now and then, with the same elements.
func (d *detector) growsIn(h pointer.ObjectID) bool {
	holders := d.Sharing.Holders(h)
	return d.Points.Objects[h].Kind == pointer.ObjectArray && len(holders) == 1 && d.Runs.Unique(holders[0])
}

// inOwned tells whether an access goes through an object that its function has
// made and nobody else knows yet.
func (d *detector) inOwned(s *side) bool {
	if s.locks.Path == path.None {
		return false
	}
	t := d.Locks.Paths(s.Inst)
	root := t.Get(t.Root(s.locks.Path))
	if root.Kind != path.Value {
		return false
	}
	return d.Owners.Owned(s.Inst, s.Instr, ir.RegValue(d.Points.Body(s.Inst).Instrs[root.N].Dst))
}

// lookedUp is how an access comes by its object.
type lookedUp struct {
	from    []pointer.ObjectID // what it is looked up in, sorted
	made    []made             // the origin itself may have made it
	unknown bool               // or in another way
}

// made is an activation that makes an object, or is given a new one, and uses it.
type made struct {
	inst    pointer.InstID
	at, use int32
}

// add adds another way. Of what may come about in an unknown way nothing else
// matters: false means that there is no need to look further.
func (l *lookedUp) add(m lookedUp) bool {
	if m.unknown {
		*l = m
		return false
	}
	l.from = union(l.from, m.from)
	for _, x := range m.made {
		if !slices.Contains(l.made, x) {
			l.made = append(l.made[:len(l.made):len(l.made)], x)
		}
	}
	return true
}

// union returns what is in either of two sorted lists, which stay as they are.
func union(a, b []pointer.ObjectID) []pointer.ObjectID {
	if len(a) == 0 || slices.Equal(a, b) {
		return b
	}
	out := make([]pointer.ObjectID, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out = append(out, a[0])
			a = a[1:]
		case b[0] < a[0]:
			out = append(out, b[0])
			b = b[1:]
		default:
			out = append(out, a[0])
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// overlap tells whether two sorted lists have something in common.
func overlap(a, b []pointer.ObjectID) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case b[0] < a[0]:
			b = b[1:]
		default:
			return true
		}
	}
	return false
}

// putInto tells whether an activation that makes an object may have put it into
// one of some holders before it uses it, or in using it.
func (d *detector) putInto(obj pointer.ObjectID, list []made, holders []pointer.ObjectID) bool {
	var writers []runs.Point
	for _, h := range holders {
		o := &d.Points.Objects[h]
		for k := range o.Size {
			n := o.Base + pointer.Node(k)
			if o.Kind == pointer.ObjectCell && !d.lead(d.Points.Content(n), []pointer.ObjectID{obj}) {
				continue
			}
			list, ok := d.writersAt(n)
			if !ok {
				return true
			}
			writers = append(writers, list...)
		}
	}
	for _, m := range list {
		body := d.Points.Body(m.inst)
		before := func(i int32) bool {
			return i != m.at && i != m.use && runs.Reaches(body, m.at, i, ir.None) && runs.Reaches(body, i, m.use, m.at)
		}
		if slices.ContainsFunc(writers, func(w runs.Point) bool { return w.Inst == m.inst && before(w.Instr) }) {
			return true
		}
		var inside []pointer.InstID
		for _, e := range d.Points.Instances[m.inst].Calls {
			if e.How != ir.Spawned && (e.Instr == m.use || before(e.Instr)) {
				inside = append(inside, e.Target)
			}
		}
		if d.callsAny(inside, writers) {
			return true
		}
	}
	return false
}

// freshMarks returns the first of two marks of instances that none has.
func (d *detector) freshMarks() int32 {
	if d.marks == nil {
		d.marks = make([]int32, len(d.Points.Instances))
	}
	d.mark += 2
	return d.mark
}

// callsAny tells whether some instances are, or call, one that a point is in.
func (d *detector) callsAny(from []pointer.InstID, points []runs.Point) bool {
	if len(from) == 0 || len(points) == 0 {
		return false
	}
	wanted := d.freshMarks()
	seen := wanted + 1
	for _, p := range points {
		d.marks[p.Inst] = wanted
	}
	for work := from; len(work) > 0; {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		switch d.marks[id] {
		case wanted:
			return true
		case seen:
			continue
		}
		d.marks[id] = seen
		for _, e := range d.Points.Instances[id].Calls {
			if e.How != ir.Spawned && d.marks[e.Target] != seen {
				work = append(work, e.Target)
			}
		}
	}
	return false
}

// lookup finds out how a path that is used at a point comes by an object: by the
// last load on the way to it, in the same origin. way holds the calls that lead to
// the point, as far as they are known.
func (d *detector) lookup(obj pointer.ObjectID, use runs.Point, p path.ID, way []runs.Point, depth int) lookedUp {
	if p == path.None || depth == 0 {
		return lookedUp{unknown: true}
	}
	if len(way) > 0 {
		return d.lookUp(obj, use, p, way, depth)
	}
	// Callers of callers meet again and again.
	key := lookupKey{obj, use, p, depth}
	l, known := d.lookups[key]
	if !known {
		l = d.lookUp(obj, use, p, nil, depth)
		if d.lookups == nil {
			d.lookups = make(map[lookupKey]lookedUp)
		}
		d.lookups[key] = l
	}
	return l
}

// lookupKey is a question to lookup that no way narrows.
type lookupKey struct {
	obj   pointer.ObjectID
	use   runs.Point
	path  path.ID
	depth int
}

func (d *detector) lookUp(obj pointer.ObjectID, use runs.Point, p path.ID, way []runs.Point, depth int) lookedUp {
	inst := use.Inst
	t := d.Locks.Paths(inst)
	for id := p; id != path.None; id = t.Get(id).Parent {
		step := t.Get(id)
		if step.Kind == path.Elem && d.handedOut(inst, ir.RegValue(ir.Reg(step.N))) {
			return lookedUp{unknown: true} // who has received an index has it alone
		}
		if step.Kind != path.Deref || d.isVariable(inst, t.Get(step.Parent)) {
			continue
		}
		return lookedUp{from: d.objectsAt(d.Locks.Places(inst, step.Parent))}
	}
	root := t.Get(t.Root(p))
	switch root.Kind {
	case path.Value:
		return d.lookupValue(obj, use, root.N, depth)
	case path.Param:
		return d.lookupOperand(obj, inst, root, way, depth)
	}
	return lookedUp{unknown: true}
}

// lookupOperand is lookup for what the callers of an instance pass.
func (d *detector) lookupOperand(obj pointer.ObjectID, inst pointer.InstID, root path.Path, way []runs.Point, depth int) lookedUp {
	callers := d.Runs.CallersOf(inst)
	if len(way) > 0 {
		callers, way = way[:1], way[1:]
	} else if d.isEntry(inst) {
		return lookedUp{unknown: true}
	}
	var all lookedUp
	for _, c := range callers {
		v, ok := d.operandOf(c, root)
		if body := d.Points.Body(c.Inst); body.Instrs[c.Instr].Op == ir.OpInvoke && int(root.N) < len(body.Args(&body.Instrs[c.Instr])) {
			v, ok = body.Args(&body.Instrs[c.Instr])[root.N], true
		}
		if !ok || !d.mayLead(c.Inst, v, []pointer.ObjectID{obj}) {
			continue
		}
		if !all.add(d.lookup(obj, c, d.Locks.Paths(c.Inst).Value(v), way, depth-1)) {
			break
		}
	}
	return all
}

// lookupValue is lookup for the result of an instruction.
func (d *detector) lookupValue(obj pointer.ObjectID, use runs.Point, instr int32, depth int) lookedUp {
	inst := use.Inst
	body := d.Points.Body(inst)
	in := &body.Instrs[instr]
	args := body.Args(in)
	of := func(v ir.Value) lookedUp {
		var at []pointer.Node
		d.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
			at = append(at, n)
			return true
		})
		return lookedUp{from: d.objectsAt(at)}
	}
	switch in.Op {
	case ir.OpAlloc:
		if o := &d.Points.Objects[obj]; o.Inst == inst && o.Site.Instr == instr {
			return lookedUp{made: []made{{inst, instr, use.Instr}}}
		}
		return d.lookupVariable(obj, use, in.Dst, depth)
	case ir.OpLoad, ir.OpMapGet:
		if k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, args[0]); k >= 0 && in.Op == ir.OpLoad && body.Instrs[k].Op == ir.OpAlloc {
			return d.lookupVariable(obj, use, body.Instrs[k].Dst, depth)
		}
		if in.Op == ir.OpMapGet && d.handedOut(inst, args[1]) {
			return lookedUp{unknown: true}
		}
		return of(args[0])
	case ir.OpExtract:
		if k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, args[0]); k >= 0 {
			return d.lookupValue(obj, use, k, depth)
		}
	case ir.OpNext:
		if k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, args[0]); k >= 0 && body.Instrs[k].Op == ir.OpRange {
			return of(body.Args(&body.Instrs[k])[0])
		}
	case ir.OpPhi:
		var all lookedUp
		for _, v := range args {
			if d.mayLead(inst, v, []pointer.ObjectID{obj}) && v != ir.RegValue(in.Dst) && depth > 1 {
				if !all.add(d.lookup(obj, use, d.Locks.Paths(inst).Value(v), nil, depth-1)) {
					break
				}
			}
		}
		return all
	case ir.OpBox, ir.OpAssert:
		if depth > 1 {
			return d.lookup(obj, use, d.Locks.Paths(inst).Value(args[0]), nil, depth-1)
		}
	case ir.OpCall, ir.OpInvoke:
		if ir.How(in.Sub) == ir.Now && depth > 1 {
			l := d.lookupResult(obj, runs.Point{Inst: inst, Instr: instr}, depth-1)
			if len(l.made) > 0 {
				l.made = append(l.made[:len(l.made):len(l.made)], made{inst, instr, use.Instr})
			}
			return l
		}
	}
	return lookedUp{unknown: true}
}

// lookupVariable is lookup for what a variable of the function holds.
func (d *detector) lookupVariable(obj pointer.ObjectID, use runs.Point, cell ir.Reg, depth int) lookedUp {
	inst := use.Inst
	body := d.Points.Body(inst)
	all := lookedUp{}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op == ir.OpStore && body.Args(in)[0] == ir.RegValue(cell) && d.mayLead(inst, body.Args(in)[1], []pointer.ObjectID{obj}) {
			if !all.add(d.lookup(obj, use, d.Locks.Paths(inst).Value(body.Args(in)[1]), nil, depth-1)) {
				break
			}
		}
	}
	return all
}

// lookupResult is lookup for what a call returns.
func (d *detector) lookupResult(obj pointer.ObjectID, c runs.Point, depth int) lookedUp {
	var all lookedUp
	for _, e := range d.Points.Instances[c.Inst].Calls {
		if e.Instr != c.Instr || e.How != ir.Now {
			continue
		}
		body := d.Points.Body(e.Target)
		if body == nil {
			return lookedUp{unknown: true}
		}
		for i := range body.Instrs {
			if body.Instrs[i].Op != ir.OpReturn {
				continue
			}
			for _, v := range body.Args(&body.Instrs[i]) {
				if d.mayLead(e.Target, v, []pointer.ObjectID{obj}) &&
					!all.add(d.lookup(obj, runs.Point{Inst: e.Target, Instr: int32(i)}, d.Locks.Paths(e.Target).Value(v), nil, depth)) {
					return all
				}
			}
		}
	}
	return all
}

// objectsAt returns the objects of some places.
func (d *detector) objectsAt(at []pointer.Node) []pointer.ObjectID {
	var out []pointer.ObjectID
	for _, n := range at {
		if id, _ := d.Points.Object(n); id != pointer.NoObject {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// handedOut tells whether a value was received over a channel, or counted by an
// atomic: nobody else has the same.
func (d *detector) handedOut(inst pointer.InstID, v ir.Value) bool {
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	for range maxLift {
		if k < 0 {
			return false
		}
		body := d.Points.Body(inst)
		in := &body.Instrs[k]
		switch in.Op {
		case ir.OpRecv, ir.OpSelect, ir.OpAtomic:
			return true
		case ir.OpExtract, ir.OpConvert, ir.OpCopy, ir.OpBinary:
			k = d.Points.Prog.Definition(d.Points.Instances[inst].Func, body.Args(in)[0])
		default:
			return false
		}
	}
	return false
}
