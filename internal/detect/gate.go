package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Set-up ends when others get hold of what is set up, even if some part of it was
// let out before. Who has taken an object from memory, such as the database from
// the holder where it is put when it is open, comes after whatever came before it
// was put there.

// maxGates bounds the steps that one such question may take.
const maxGates = 2000

// later asks what can only happen after an access is over.
type later struct {
	*detector
	view
	a     *side
	when  order.Moment
	left  int
	insts map[pointer.InstID]bool
	cells map[pointer.Node]bool
}

// takenLater tells whether b, an access of an object, comes after a because somebody
// on the way to b has an object that is only put where he takes it from after a.
func (d *detector) takenLater(v view, obj pointer.ObjectID, a, b *side) bool {
	if !a.way.Start {
		return false
	}
	return d.laterThan(v, a).comesTo(obj, b)
}

// laterThan returns the questions about an access, which are the same for all that
// it is compared with.
func (d *detector) laterThan(v view, a *side) *later {
	key := laterKey{a, v.order}
	l, known := d.laters[key]
	if !known || l.left < 0 { // what was given up for want of steps is asked again
		l = &later{detector: d, view: v, a: a, when: d.moment(v, a), insts: make(map[pointer.InstID]bool), cells: make(map[pointer.Node]bool)}
		if len(d.laters) == maxLaters {
			clear(d.laters)
		}
		d.laters[key] = l
	}
	l.left = maxGates
	return l
}

type laterKey struct {
	a     *side
	order *order.Result
}

// maxLaters bounds what laterThan remembers.
const maxLaters = 1 << 10

// comesTo tells whether somebody on the way to b, an access of an object, has one
// that is only put where he takes it from after a.
func (l *later) comesTo(obj pointer.ObjectID, b *side) bool {
	if l.value(b.Inst, b.Addr, nil) || l.tested(b.point) || l.handed(b, obj) {
		return true
	}
	last := b.Inst
	for _, c := range b.way.Calls {
		if l.operands(last) || l.call(c, last) || l.tested(c) {
			return true
		}
		last = c.Inst
	}
	return l.operands(last) || b.way.Start && l.start(l.Points.Instances[b.Inst].Origin)
}

// tested tells whether a point is only executed if a value is there that can only
// be had after a.
func (l *later) tested(p runs.Point) bool {
	return l.eachFound(p, func(v ir.Value, wanted []pointer.ObjectID) bool { return l.value(p.Inst, v, wanted) })
}

// instance tells whether an instance only ever runs after a.
func (l *later) instance(id pointer.InstID) bool {
	is, known := l.insts[id]
	if known || l.spent() {
		return is
	}
	l.insts[id] = false // while it is being found out
	is = l.operands(id)
	if callers := l.Runs.CallersOf(id); !is && (len(callers) > 0 || l.isEntry(id)) {
		is = !l.isEntry(id) || l.start(l.Points.Instances[id].Origin)
		for _, c := range callers {
			is = is && (l.call(c, id) || l.instance(c.Inst))
		}
	}
	l.insts[id] = is
	return is
}

func (l *later) spent() bool {
	l.left--
	return l.left < 0
}

// start tells whether an origin is only started after a.
func (l *later) start(o origin.ID) bool {
	points := l.Runs.SpawnPoints[o]
	for _, p := range points {
		if !l.call(p, noActor) && !l.instance(p.Inst) {
			return false
		}
	}
	return len(points) > 0
}

// operands tells whether an instance has an operand that can only be an object
// that is made after a.
func (l *later) operands(id pointer.InstID) bool {
	return slices.ContainsFunc(l.operandsOf(id), func(objects []pointer.ObjectID) bool {
		for _, o := range objects {
			if !l.madeLater(l.view, l.a, l.when, o) && !l.instance(l.Points.Objects[o].Inst) {
				return false
			}
		}
		return true
	})
}

// call tells whether a call passes something that can only be had after a. If the
// call is by dispatch, it is one that runs the target.
func (l *later) call(c runs.Point, target pointer.InstID) bool {
	body := l.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	for k, v := range body.Args(in) {
		var wanted []pointer.ObjectID
		if in.Op == ir.OpInvoke && k == 0 && target >= 0 {
			wanted = l.targetsOf(target, ir.RegValue(0))
		}
		if l.value(c.Inst, v, wanted) {
			return true
		}
	}
	return false
}

// targetsOf returns the objects that a value leads to.
func (d *detector) targetsOf(inst pointer.InstID, v ir.Value) []pointer.ObjectID {
	var out []pointer.ObjectID
	d.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		// Slots of one object come one after the other.
		if id, _ := d.Points.Object(n); id != pointer.NoObject && (len(out) == 0 || out[len(out)-1] != id) {
			out = append(out, id)
		}
		return len(out) < maxKnown
	})
	return out
}

// value tells whether a value of an instance, given that it leads to one of the
// wanted objects, has been taken from memory after a. Nil wants what the value may
// lead to.
func (l *later) value(inst pointer.InstID, v ir.Value, wanted []pointer.ObjectID) bool {
	if l.spent() {
		return false
	}
	if wanted == nil {
		if wanted = l.targetsOf(inst, v); len(wanted) == 0 || len(wanted) == maxKnown {
			return false
		}
	}
	k := l.Points.Prog.Definition(l.Points.Instances[inst].Func, v)
	if k < 0 {
		return false
	}
	body := l.Points.Body(inst)
	in := &body.Instrs[k]
	args := body.Args(in)
	switch in.Op {
	case ir.OpExtract, ir.OpAssert, ir.OpCopy, ir.OpCast, ir.OpBox:
		return l.value(inst, args[0], wanted)
	case ir.OpField, ir.OpOffset:
		return l.value(inst, args[0], wanted)
	case ir.OpIndex, ir.OpElement:
		return l.value(inst, args[0], nil)
	case ir.OpLoad:
		if values, ok := l.local(inst, args[0]); ok {
			return l.all(inst, v, values, wanted)
		}
		return l.loaded(runs.Point{Inst: inst, Instr: k}, args[0], wanted) || l.value(inst, args[0], nil)
	case ir.OpAtomic:
		return ir.AtomicKind(in.Sub) == ir.AtomicLoad && l.loaded(runs.Point{Inst: inst, Instr: k}, args[0], wanted)
	case ir.OpMapGet:
		return l.value(inst, args[0], nil)
	case ir.OpPhi:
		return l.all(inst, v, args, wanted)
	case ir.OpCall, ir.OpInvoke:
		return ir.How(in.Sub) == ir.Now && (l.call(runs.Point{Inst: inst, Instr: k}, noActor) || l.returned(runs.Point{Inst: inst, Instr: k}, wanted))
	}
	return false
}

// all tells whether a value that is one of several has been taken from memory
// after a, whichever it is. Constants lead nowhere.
func (l *later) all(inst pointer.InstID, v ir.Value, values []ir.Value, wanted []pointer.ObjectID) bool {
	found := false
	for _, x := range values {
		if x.Const() != ir.None {
			continue
		}
		if x == v || !l.value(inst, x, wanted) {
			return false
		}
		found = true
	}
	return found
}

// local returns what is stored in a variable that only its function knows.
func (d *detector) local(inst pointer.InstID, addr ir.Value) ([]ir.Value, bool) {
	body := d.Points.Body(inst)
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, addr)
	if k < 0 || body.Instrs[k].Op != ir.OpAlloc {
		return nil, false
	}
	var values []ir.Value
	for i := range body.Instrs {
		in := &body.Instrs[i]
		for n, v := range body.Args(in) {
			switch {
			case v != addr || in.Op == ir.OpLoad:
			case in.Op == ir.OpStore && n == 0:
				values = append(values, body.Args(in)[1])
			default:
				return nil, false
			}
		}
	}
	return values, true
}

// returned tells whether all that a call returns which may be one of the wanted
// objects has been taken from memory after a.
func (l *later) returned(c runs.Point, wanted []pointer.ObjectID) bool {
	found := false
	for _, e := range l.Points.Instances[c.Inst].Calls {
		if e.Instr != c.Instr || e.How != ir.Now {
			continue
		}
		body := l.Points.Body(e.Target)
		if body == nil {
			return false
		}
		for i := range body.Instrs {
			if body.Instrs[i].Op != ir.OpReturn {
				continue
			}
			for _, v := range body.Args(&body.Instrs[i]) {
				if !l.mayLead(e.Target, v, wanted) {
					continue
				}
				if !l.value(e.Target, v, wanted) {
					return false
				}
				found = true
			}
		}
	}
	return found
}

// mayLead tells whether a value may lead to one of some objects, also inside an
// interface value.
func (d *detector) mayLead(inst pointer.InstID, v ir.Value, wanted []pointer.ObjectID) bool {
	return d.lead(d.Points.PointsTo(inst, v, 0), wanted)
}

func (d *detector) lead(set *pointer.Set, wanted []pointer.ObjectID) bool {
	leads := func(s *pointer.Set) bool {
		return slices.ContainsFunc(wanted, func(id pointer.ObjectID) bool { return d.Points.Leads(s, id) })
	}
	found := leads(set)
	if found || !d.Points.Boxes() {
		return found
	}
	set.Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		found = d.Points.Objects[id].Kind == pointer.ObjectBox && leads(d.Points.Content(n))
		return !found
	})
	return found
}

// loaded tells whether a load is from where a wanted object is only put after a.
func (l *later) loaded(load runs.Point, addr ir.Value, wanted []pointer.ObjectID) bool {
	set := l.Points.PointsTo(load.Inst, addr, 0)
	if set.Empty() || set.Len() > maxKnown {
		return false
	}
	ok, found := true, false
	set.Each(func(n pointer.Node) bool {
		if l.mayHoldAny(n, wanted) {
			ok, found = l.cell(n, load, wanted), true
		}
		return ok
	})
	return ok && found
}

// cell tells whether a load from a piece of memory that finds a wanted object
// there comes after a, by whichever write put it there.
func (l *later) cell(n pointer.Node, load runs.Point, wanted []pointer.ObjectID) bool {
	c := l.cellAt(n)
	if c == nil || l.cells[n] || l.spent() {
		return false
	}
	l.cells[n] = true // while it is being found out
	defer delete(l.cells, n)
	found := false
	for _, w := range c.Accesses {
		if !w.Kind.Writes() {
			continue
		}
		v, ok := l.writtenBy(w)
		if !ok {
			return false
		}
		if !l.mayLead(w.Inst, v, wanted) || !l.mayPut(w, n, wanted) {
			continue
		}
		if !l.write(w, load, v, wanted) {
			return false
		}
		found = true
	}
	return found
}

// write tells whether a write that puts one of the wanted objects where a load
// finds it comes after a, or in one critical section with it.
func (l *later) write(w sharing.Access, load runs.Point, v ir.Value, wanted []pointer.ObjectID) bool {
	p := runs.Point{Inst: w.Inst, Instr: w.Instr}
	q := question{point: p, same: w.Inst == l.a.Inst && l.oneSection(p, load)}
	param, objects := l.hadFrom(w.Inst, v, wanted)
	return l.reached(q, runs.Way{}, param, objects, maxDepthGate) || l.value(w.Inst, v, wanted)
}

// question is whether a point comes after a.
type question struct {
	point runs.Point
	same  bool // or is the one of the activation that makes a
}

// oneSection tells whether a write and a, in the same function, are made under
// one lock that is not given up in between, and that a load holds too: it comes
// before both or after both.
func (l *later) oneSection(w, load runs.Point) bool {
	for _, x := range l.Locks.At(w.Inst, w.Instr) {
		if x.Maybe || x.Mode != ir.Exclusive {
			continue
		}
		for _, y := range l.a.locks.Locks {
			if !y.Maybe && y.Taken == x.Taken && y.Home == x.Home && y.Taken.Inst == w.Inst && l.Locks.Guarded(w, load) {
				return true
			}
		}
	}
	return false
}

// maxDepthGate bounds the calls to a write that are told apart.
const maxDepthGate = 6

// reached tells whether a point comes after a whichever calls and starts lead to it.
// param is the parameter of the outermost function that is one of the wanted
// objects, or ir.None.
func (l *later) reached(q question, way runs.Way, param int32, wanted []pointer.ObjectID, depth int) bool {
	if l.spent() || depth == 0 {
		return false
	}
	p := q.point
	if l.afterIn(p, way) || q.same && l.sameActivation(way) {
		return true
	}
	last := way.Last(p.Inst)
	if l.Points.Instances[p.Inst].Origin != l.Points.Instances[l.a.Inst].Origin && l.order.Before(l.when, l.order.Via(p, way)) {
		return true
	}
	callers := l.Runs.CallersOf(last)
	entry := l.isEntry(last)
	if !entry && len(callers) == 0 || entry && !l.startedWith(last, param, wanted, depth-1) {
		return false
	}
	for _, c := range callers {
		next, objects, passes := l.passing(c, param, wanted)
		if !passes || next == taken {
			continue
		}
		calls := append(way.Calls[:len(way.Calls):len(way.Calls)], c)
		if !l.reached(q, runs.Way{Calls: calls}, next, objects, depth-1) {
			return false
		}
	}
	return true
}

// taken stands for a parameter that can only be had after a.
const taken int32 = -2

// passing tells whether a call may pass one of the wanted objects as a parameter,
// and which parameter of the caller that is had from, with what it may be then.
func (l *later) passing(c runs.Point, param int32, wanted []pointer.ObjectID) (int32, []pointer.ObjectID, bool) {
	if param == ir.None {
		return ir.None, nil, true
	}
	v, ok := l.passedAs(c, param)
	if !ok || l.boxed(c.Inst, l.instrAt(c), param) {
		return ir.None, nil, true
	}
	if !l.mayLead(c.Inst, v, wanted) {
		return ir.None, nil, false
	}
	if l.value(c.Inst, v, wanted) {
		return taken, nil, true
	}
	next, objects := l.hadFrom(c.Inst, v, wanted)
	return next, objects, next == ir.None || len(objects) > 0
}

// startedWith tells whether an origin that begins with an instance, and one of the
// wanted objects as a parameter of it, is only started after a.
func (l *later) startedWith(entry pointer.InstID, param int32, wanted []pointer.ObjectID, depth int) bool {
	points := l.startsFor(entry)
	for _, p := range points {
		next, objects, passes := l.passing(p, param, wanted)
		if passes && next != taken && !l.reached(question{point: p}, runs.Way{}, next, objects, depth) {
			return false
		}
	}
	return len(points) > 0
}

// handed tells whether the accessed object is only handed on to b, or what b has it
// from is, after a.
func (l *later) handed(b *side, obj pointer.ObjectID) bool {
	inst := b.Inst
	param, wanted := l.hadFrom(inst, b.Addr, []pointer.ObjectID{obj})
	if l.value(inst, b.Addr, []pointer.ObjectID{obj}) {
		return true
	}
	for _, c := range b.way.Calls {
		if param == ir.None || c.How != ir.Now {
			return false
		}
		passes := false
		if param, wanted, passes = l.passing(c, param, wanted); param == taken || !passes {
			return true
		}
		inst = c.Inst
	}
	return b.way.Start && param != ir.None && l.startedWith(inst, param, wanted, maxDepthGate)
}

// afterIn tells whether a point comes after a in one activation that leads to
// both of them.
func (l *later) afterIn(p runs.Point, way runs.Way) bool {
	at := p
	for k := 0; ; k++ {
		if from, above, ok := l.onWay(at.Inst); ok && from.How == ir.Now && from.Instr != at.Instr &&
			(l.oneActivation(l.a, at.Inst) || l.sameCalls(way.Calls[k:], above)) &&
			!runs.Reaches(l.Points.Body(at.Inst), at.Instr, from.Instr, ir.None) {
			return true
		}
		if k == len(way.Calls) {
			return false
		}
		at = way.Calls[k]
	}
}

// sameCalls tells whether two ways are by the same calls, each made once, from an
// activation that there is one of.
func (l *later) sameCalls(x, y []runs.Point) bool {
	for k, c := range x {
		if k == len(y) || c != y[k] || c.How != ir.Now || l.Runs.InLoop(c) {
			return false
		}
		if l.oneActivation(l.a, c.Inst) {
			return true
		}
	}
	return false
}

// onWay returns where an instance leads to a, and by which calls it is reached.
func (l *later) onWay(inst pointer.InstID) (runs.Point, []runs.Point, bool) {
	if l.a.Inst == inst {
		return runs.Point{Inst: inst, Instr: l.a.Instr, How: ir.Now}, l.a.way.Calls, true
	}
	for k, c := range l.a.way.Calls {
		if c.Inst == inst {
			return c, l.a.way.Calls[k+1:], true
		}
	}
	return runs.Point{}, nil, false
}

// sameActivation tells whether a way leads to the one activation of its function
// that makes a.
func (l *later) sameActivation(way runs.Way) bool {
	n := len(way.Calls)
	if n > len(l.a.way.Calls) {
		return false
	}
	for k, c := range way.Calls {
		if c != l.a.way.Calls[k] || l.Runs.InLoop(c) {
			return false
		}
	}
	return l.oneActivation(l.a, way.Last(l.a.Inst))
}
