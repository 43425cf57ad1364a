package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Two accesses conflict only if they are to the same object. So whatever belongs
// to the object is one thing for the two of them, however many objects the place
// makes: its once, its group, the channel that is made with it. What an access
// has waited for is named relative to what it accesses (c.done for c.v), as locks
// are; what the other side does is looked at in the frame that made the object.

// onceOfObject tells whether two accesses go by the once of the object they
// touch: both lie in its run, or one does and the other comes after it.
func (d *detector) onceOfObject(a, b *side) bool {
	if len(a.past) == 0 || len(b.past) == 0 {
		return false
	}
	_, ok := d.Locks.Common(a.inPast(lockset.Once), b.inPast(lockset.Once), d.Runs)
	return ok
}

func (s *side) inPast(kind lockset.Kind) lockset.Side {
	out := lockset.Side{Inst: s.Inst, Path: s.locks.Path}
	for _, l := range s.past {
		if l.Kind == kind {
			out.Locks = append(out.Locks, l)
		}
	}
	return out
}

// pastOf returns the waits and onces behind an access that are named from where
// the access's own address begins.
func (d *detector) pastOf(s *side) []lockset.Lock {
	if s.locks.Path == path.None {
		return nil
	}
	t := d.Locks.Paths(s.Inst)
	root := t.Root(s.locks.Path)
	if t.Get(root).Kind == path.Global {
		return nil
	}
	var out []lockset.Lock
	for _, l := range d.Locks.PastVia(s.Inst, s.Instr, s.way) {
		if t.Root(l.Path) == root {
			out = append(out, l)
		}
	}
	return out
}

// awaited tells whether one access has waited for something of the object it
// touches that comes after the other access of the same object.
func (d *detector) awaited(c *sharing.Cell, a, b *side) bool {
	return d.awaitedBy(c, a, b) || d.awaitedBy(c, b, a)
}

func (d *detector) awaitedBy(c *sharing.Cell, first, second *side) bool {
	for _, w := range second.past {
		if !w.Kind.Waits() {
			continue
		}
		if n, ok := d.partOf(c.Object, second, w.Path); ok && d.endsWait(c.Object, first, waitOps[w.Kind], n) {
			return true
		}
	}
	return false
}

var waitOps = [...]ir.Op{lockset.Group: ir.OpGroup, lockset.Receive: ir.OpRecv, lockset.Join: ir.OpJoin}

// partOf returns what a path names, if it begins in the object that an access
// touches: a field of it, or what such a field refers to.
func (d *detector) partOf(obj pointer.ObjectID, s *side, p path.ID) (pointer.Node, bool) {
	t := d.Locks.Paths(s.Inst)
	part, acc := t.Steps(p), t.Steps(s.locks.Path)
	n := 0
	for n < len(part) && n < len(acc) && part[n].Kind == acc[n].Kind && part[n].N == acc[n].N {
		n++
	}
	at, ok := d.nodeIn(obj, s)
	if n == 0 || !ok {
		return 0, false
	}
	for _, step := range acc[n:] {
		if step.Kind != path.Field {
			return 0, false
		}
		at -= pointer.Node(step.N)
	}
	for k, step := range part[n:] {
		switch {
		case step.Kind == path.Field:
			at += pointer.Node(step.N)
		case step.Kind == path.Deref && n+k == len(part)-1:
			return d.Points.Content(at).Single()
		default:
			return 0, false
		}
	}
	return at, true
}

// nodeIn returns the place in an object that an access's address leads to.
func (d *detector) nodeIn(obj pointer.ObjectID, s *side) (pointer.Node, bool) {
	var at pointer.Node
	found := 0
	d.Points.PointsTo(s.Inst, s.Addr, 0).Each(func(n pointer.Node) bool {
		if id, _ := d.Points.Object(n); id == obj {
			at = n
			found++
		}
		return found < 2
	})
	return at, found == 1
}

// endsWait tells whether a wait for a part of an object cannot
// have ended before an access of the same object was over.
func (d *detector) endsWait(obj pointer.ObjectID, first *side, wait ir.Op, n pointer.Node) bool {
	if d.Runs.Unique(obj) {
		return d.Runs.UniqueNode(n) && d.Order.Ended(d.moment(view{d.Runs, d.Order}, first), wait, n)
	}
	o := &d.Points.Objects[obj]
	if o.Inst < 0 {
		return false
	}
	return d.inMaker(runs.Frame{Inst: o.Inst, Made: o.Site.Instr}, first, maxLift, func(f runs.Frame, rs *runs.Result) bool {
		if !rs.UniqueNode(n) && !d.isMade(f, n) || !d.ownOf(f, first.Inst, first.locks.Path, maxTrace) {
			return false
		}
		if wait == ir.OpJoin && !d.startedUnderOwn(f, rs, first) {
			return false
		}
		for _, s := range d.Order.Signals(n) {
			in := d.Points.Body(s.Inst)
			if !rs.Inside(s.Inst) || in.Instrs[s.Instr].Op == ir.OpSelect ||
				!d.ownOf(f, s.Inst, d.Locks.Paths(s.Inst).Value(in.Args(&in.Instrs[s.Instr])[0]), maxTrace) {
				return false
			}
		}
		v := d.frameView(f)
		when := d.moment(v, first)
		return v.order.Ended(when, wait, n) || wait == ir.OpGroup && d.countedFirst(v.order.Pending(when, n))
	})
}

// isMade tells whether a place is in the object that a frame is about. There is
// one such object in a frame, though the place that makes it makes others too.
func (d *detector) isMade(f runs.Frame, n pointer.Node) bool {
	id, _ := d.Points.Object(n)
	if id == pointer.NoObject {
		return false
	}
	o := &d.Points.Objects[id]
	return o.Inst == f.Inst && o.Site.Instr == f.Made && o.Kind != pointer.ObjectArray
}

// startedUnderOwn tells whether the origin of an access is started under what
// its own frame made: a join of that waits for it.
func (d *detector) startedUnderOwn(f runs.Frame, rs *runs.Result, s *side) bool {
	for _, p := range rs.SpawnsOf(d.Points.Instances[s.Inst].Origin) {
		body := d.Points.Body(p.Inst)
		in := &body.Instrs[p.Instr]
		if in.Flags&ir.FlagGroup == 0 || !d.ownOf(f, p.Inst, d.Locks.Paths(p.Inst).Value(body.Args(in)[0]), maxTrace) {
			return false
		}
	}
	return true
}

// countedFirst tells whether a group in an object was told of work before anybody
// else knew the object: who waits for it then waits for that work.
func (d *detector) countedFirst(adds []runs.Point) bool {
	return slices.ContainsFunc(adds, func(p runs.Point) bool {
		body := d.Points.Body(p.Inst)
		return d.Owners.Owned(p.Inst, p.Instr, body.Args(&body.Instrs[p.Instr])[0])
	})
}

// inMaker asks a question in the frame that makes an object and has an instance
// inside: the activation with the allocation or, of functions that return what
// they made, all their callers.
func (d *detector) inMaker(f runs.Frame, s *side, lift int, ask func(runs.Frame, *runs.Result) bool) bool {
	rs := d.frameRuns(f)
	if rs == nil {
		return false
	}
	if rs.Inside(s.Inst) {
		return ask(f, rs)
	}
	callers := d.Runs.CallersOf(f.Inst)
	if lift == 0 || len(callers) == 0 || d.Runs.Entry(f.Inst) {
		return false
	}
	for _, c := range callers {
		if c.How != ir.Now || !d.inMaker(runs.Frame{Inst: c.Inst, Made: c.Instr}, s, lift-1, ask) {
			return false
		}
	}
	return true
}

// maxTrace bounds the calls and variables through which a value is traced to
// where it was made.
const maxTrace = 8

// ownOf tells whether an address surely leads into what its own frame made, and
// not into what another run of the same code made: from the instruction that
// makes the object it is passed on as operand, captured value, or variable or
// field that holds nothing else. The last step may be the load of a channel that
// is made with the object and stays in it.
func (d *detector) ownOf(f runs.Frame, inst pointer.InstID, p path.ID, depth int) bool {
	if p == path.None || depth == 0 {
		return false
	}
	rs := d.frameRuns(f)
	t := d.Locks.Paths(inst)
	steps := t.Steps(p)
	for k, s := range steps {
		if s.Kind != path.Deref {
			continue
		}
		if k == 1 && d.isVariable(inst, steps[0]) {
			continue // of the variable itself
		}
		if k == len(steps)-1 && d.leadsToOwnChannel(rs, inst, p) {
			continue
		}
		if !d.fieldHoldsOwn(f, inst, d.prefix(inst, p, len(steps)-k), depth) {
			return false
		}
	}
	root := steps[0]
	switch root.Kind {
	case path.Value:
		switch {
		case len(steps) > 1 && steps[1].Kind == path.Deref && d.isVariable(inst, root):
			return d.holdsOwn(f, inst, root.N, depth)
		case d.Points.Body(inst).Instrs[root.N].Op == ir.OpLoad:
			return d.loadsOwn(f, inst, root.N, depth)
		case inst != f.Inst:
			return false
		}
		return d.resultOf(inst, root.N) == f.Made || d.makesOne(rs, inst, root.N)
	case path.Param, path.Capture:
		return inst != f.Inst && d.passedOwn(f, inst, root, depth)
	}
	return false
}

// loadsOwn tells whether a load, of a field that its function stores to as well, finds
// what the frame made.
func (d *detector) loadsOwn(f runs.Frame, inst pointer.InstID, load int32, depth int) bool {
	body := d.Points.Body(inst)
	p := d.Locks.Paths(inst).Value(body.Args(&body.Instrs[load])[0])
	return p != path.None && d.fieldHoldsOwn(f, inst, p, depth)
}

// resultOf returns the call that an instruction takes one of several results of,
// or the instruction.
func (d *detector) resultOf(inst pointer.InstID, instr int32) int32 {
	body := d.Points.Body(inst)
	if in := &body.Instrs[instr]; in.Op == ir.OpExtract {
		if k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, body.Args(in)[0]); k >= 0 && body.Instrs[k].Op == ir.OpCall {
			return k
		}
	}
	return instr
}

// prefix returns a path without its last steps.
func (d *detector) prefix(inst pointer.InstID, p path.ID, n int) path.ID {
	for range n {
		p = d.Locks.Paths(inst).Get(p).Parent
	}
	return p
}

// fieldHoldsOwn tells whether a field of what the frame made is only ever given
// what the frame made, by code of the frame.
func (d *detector) fieldHoldsOwn(f runs.Frame, inst pointer.InstID, p path.ID, depth int) bool {
	at := d.Locks.Places(inst, p)
	if len(at) != 1 || !d.ownOf(f, inst, p, depth-1) {
		return false
	}
	writes, ok := d.writersAt(at[0])
	rs := d.frameRuns(f)
	for _, w := range writes {
		body := d.Points.Body(w.Inst)
		in := &body.Instrs[w.Instr]
		t := d.Locks.Paths(w.Inst)
		if in.Op != ir.OpStore || !rs.Inside(w.Inst) || !d.ownOf(f, w.Inst, t.Value(body.Args(in)[0]), depth-1) ||
			!d.ownOf(f, w.Inst, t.Value(body.Args(in)[1]), depth-1) {
			return false
		}
	}
	return ok && len(writes) > 0
}

// makesOne tells whether an instruction makes one object in a frame.
func (d *detector) makesOne(rs *runs.Result, inst pointer.InstID, instr int32) bool {
	in := &d.Points.Body(inst).Instrs[instr]
	switch in.Op {
	case ir.OpAlloc, ir.OpMakeChan, ir.OpMakeMap, ir.OpMakeSlice:
	default:
		return false
	}
	own := true
	d.Points.PointsTo(inst, ir.RegValue(in.Dst), 0).Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		own = own && rs.MadeWithin(id) && rs.Unique(id)
		return own
	})
	return own
}

// isVariable tells whether a root is the address of a variable: one captured, or
// one of the function.
func (d *detector) isVariable(inst pointer.InstID, root path.Path) bool {
	return root.Kind == path.Capture || root.Kind == path.Value && d.Points.Body(inst).Instrs[root.N].Op == ir.OpAlloc
}

// leadsToOwnChannel tells whether an address is that of channels which each
// frame makes one of.
func (d *detector) leadsToOwnChannel(rs *runs.Result, inst pointer.InstID, p path.ID) bool {
	at := d.Locks.Places(inst, p)
	if len(at) != 1 {
		return false
	}
	id, _ := d.Points.Object(at[0])
	return d.Points.Objects[id].Kind == pointer.ObjectChan && rs.UniqueNode(at[0]) && rs.MadeWithin(id)
}

// holdsOwn tells whether an instruction makes a variable that only ever holds
// what the frame made.
func (d *detector) holdsOwn(f runs.Frame, inst pointer.InstID, instr int32, depth int) bool {
	body := d.Points.Body(inst)
	in := &body.Instrs[instr]
	if in.Op != ir.OpAlloc {
		return false
	}
	t := d.Locks.Paths(inst)
	found := false
	for i := range body.Instrs {
		s := &body.Instrs[i]
		if s.Op != ir.OpStore || body.Args(s)[0] != ir.RegValue(in.Dst) {
			continue
		}
		if !d.ownOf(f, inst, t.Value(body.Args(s)[1]), depth-1) {
			return false
		}
		found = true
	}
	return found
}

// passedOwn tells whether whatever calls or starts an instance within a frame
// passes it what the frame made.
func (d *detector) passedOwn(f runs.Frame, inst pointer.InstID, root path.Path, depth int) bool {
	rs := d.frameRuns(f)
	points := rs.CallersOf(inst)
	if d.isEntry(inst) {
		points = append(points[:len(points):len(points)], rs.SpawnsOf(d.Points.Instances[inst].Origin)...)
	}
	for _, c := range points {
		v, ok := d.operandOf(c, root)
		if !ok || !d.ownOf(f, c.Inst, d.Locks.Paths(c.Inst).Value(v), depth-1) {
			return false
		}
	}
	return len(points) > 0
}

// isReference tells whether a value is itself the receiver of what is called on
// it, and not an interface that holds the receiver.
func (d *detector) isReference(inst pointer.InstID, v ir.Value) bool {
	reg := v.Reg()
	return reg != ir.None && d.Points.Prog.Unit(d.Points.Instances[inst].Func).Types[d.Points.Body(inst).Regs[reg].Type].Kind == ir.KindPointer
}

// operandOf returns what a call or spawn passes as a parameter or captured
// value.
func (d *detector) operandOf(c runs.Point, to path.Path) (ir.Value, bool) {
	body := d.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	args := body.Args(in)
	if in.Op != ir.OpOnce && in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	var closure ir.Value
	switch in.Op {
	case ir.OpCall:
		if to.Kind == path.Param && int(to.N) < len(args) {
			return args[to.N], true
		}
		return ir.NoValue, false
	case ir.OpInvoke:
		if to.Kind == path.Param && int(to.N) < len(args) && (to.N > 0 || d.isReference(c.Inst, args[0])) {
			return args[to.N], true
		}
		return ir.NoValue, false
	case ir.OpCallPtr:
		closure, args = args[0], args[1:]
	case ir.OpOnce:
		closure, args = args[1], nil
	default:
		return ir.NoValue, false
	}
	if to.Kind == path.Capture {
		made := d.Points.Prog.Definition(d.Points.Instances[c.Inst].Func, closure)
		if made < 0 || body.Instrs[made].Op != ir.OpClosure {
			return ir.NoValue, false
		}
		args = body.Args(&body.Instrs[made])
	}
	if int(to.N) >= len(args) {
		return ir.NoValue, false
	}
	return args[to.N], true
}

// oneFrame tells whether two accesses of one object are both to what their own
// frame made, so that they happen in the same frame, and are kept apart there.
func (d *detector) oneFrame(c *sharing.Cell, a, b *side) bool {
	o := &d.Points.Objects[c.Object]
	if o.Inst < 0 || d.Runs.Unique(c.Object) {
		return false
	}
	return d.inMaker(runs.Frame{Inst: o.Inst, Made: o.Site.Instr}, a, maxLift, func(f runs.Frame, rs *runs.Result) bool {
		return rs.Inside(b.Inst) && rs.Unique(c.Object) && d.ownOf(f, a.Inst, a.locks.Path, maxTrace) &&
			d.ownOf(f, b.Inst, b.locks.Path, maxTrace) && !d.concurrentIn(f, a, b)
	})
}
