package detect

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// A function that is called in several places has one state for all of them:
// what may have run before, what is surely held. Two accesses that race by such
// states are looked at again, by the calls that lead to them (call strings, made
// as long as it takes): only if for some calls nothing keeps them apart is there a
// race, and those are the calls to show.

// witness is a pair of ways by which two accesses race.
type witness struct {
	a, b             runs.Way
	withinA, withinB *within // the calls that they lie in, if those lead through recursion
	weak             string  // what is unlikely about them
	none             bool    // there are none
}

// pairOn is a question about ways.
type pairOn struct {
	object pointer.ObjectID
	a, b   *side
}

const (
	// maxWays bounds the ways that are tried for one pair of accesses. Beyond it
	// they count as racing.
	maxWays = 200
	// maxSteps bounds the steps that this takes: most of them may lead nowhere.
	maxSteps = 20000
	// maxCalls bounds the calls of one way.
	maxCalls = 40
)

// witness finds ways to two accesses by which they race: if possible, ways that
// are taken for sure.
func (d *detector) witness(c *sharing.Cell, a, b *side) (witness, bool) {
	key := pairOn{c.Object, a, b}
	w, known := d.witnesses[key]
	if !known {
		w = d.findWitness(c, a, b)
		d.witnesses[key] = w
	}
	return w, !w.none
}

func (d *detector) findWitness(c *sharing.Cell, a, b *side) witness {
	if !d.lives(a.point) || !d.lives(b.point) {
		return witness{none: true}
	}
	if len(d.asked) >= maxAsked {
		clear(d.asked)
	}
	s := search{detector: d, cell: c, sides: [2]*side{a, b}}
	begin := [2]trail{s.begin(a), s.begin(b)}
	for s.trust = range doubts {
		if s.reached(a) && s.reached(b) && s.either(begin) {
			s.found.weak = doubts[s.trust]
			return s.found
		}
	}
	return witness{none: true}
}

// either tries the ways of the first access first and, if those are too many, the
// ways of the second.
func (s *search) either(begin [2]trail) bool {
	for s.first = range 2 {
		s.left, s.steps = maxWays/2, maxSteps
		if !s.try(begin) {
			return false
		}
		if s.left >= 0 {
			return true
		}
	}
	return true
}

// What is believed at first, and what it means if a race is found only when it
// is not believed any more.
const (
	setUpOnce    = iota // every object is set up once
	oneEach             // every function that an origin is started with runs in one instance
	onMade              // methods run on objects that the program makes
	noReflection        // libraries do not call methods by reflection
	nothing
)

var doubts = [...]string{
	setUpOnce:    "",
	oneEach:      "only if an object is set up, and what works with it started, a second time",
	onMade:       "only if two instances are started with the same function",
	noReflection: "only if a method on the way is called on an object of which nothing is known to make it",
	nothing:      "only if a library calls one of the functions on the way by reflection",
}

// raceOf returns two racing accesses with the ways by which they do.
func (d *detector) raceOf(c *sharing.Cell, a, b *side) race {
	var w witness
	if !d.faint(c, a, b) {
		w, _ = d.witness(c, a, b)
	}
	r := race{cell: c, a: d.sideVia(a, w.a), b: d.sideVia(b, w.b), weak: w.weak}
	r.a.within, r.b.within = w.withinA, w.withinB
	return r
}

// search looks for a witness.
type search struct {
	*detector
	cell  *sharing.Cell
	sides [2]*side
	trust int // what is believed
	first int // the side whose way is made longer first
	left  int
	steps int
	found witness
}

// trail is a way that is being made longer.
type trail struct {
	runs.Way
	done bool
	side *side // the access as it is reached by the way; nil until asked for
	// The function that the way begins with, and what the next call must pass for the
	// way to lead where it does; may be nil if there is no next one.
	*asking
	// Where the way of the access leads into recursion, that way; the rest is about
	// a call that the access lies in.
	inner  runs.Way
	within *passage
}

// way returns the way of the access.
func (t *trail) way() runs.Way {
	if t.within != nil {
		return t.inner
	}
	return t.Way
}

// lies returns the call that the access lies in, nil if there is none beyond its way.
func (t *trail) lies() *within {
	if t.within == nil {
		return nil
	}
	return &within{passage: t.within, way: t.Way}
}

// to returns where a way leads to: to an instance, or to a call that it lies in.
func (t *trail) to(inst pointer.InstID) pointer.InstID {
	if t.within != nil {
		return t.within.call.Inst
	}
	return inst
}

// try tells whether two accesses race by some ways that begin, seen from the
// accesses, with the given ones.
func (s *search) try(t [2]trail) bool {
	for _, k := range [2]int{s.first, 1 - s.first} {
		for !t[k].done {
			if s.steps--; s.steps < 0 {
				s.left = -1
				s.found = witness{a: t[0].way(), b: t[1].way(), withinA: t[0].lies(), withinB: t[1].lies()}
				return true
			}
			longer := s.longer(t[k].to(s.sides[k].Inst), &t[k])
			one, some := longer.next()
			two, several := longer.next()
			if some && !several {
				t[k] = one // the state is the same
				continue
			}
			if !some || s.apart(&t) {
				return false
			}
			u := t
			if u[k] = one; s.try(u) {
				return true
			}
			for ; several; two, several = longer.next() {
				if u[k] = two; s.try(u) {
					return true
				}
			}
			return false
		}
	}
	if s.apart(&t) {
		return false
	}
	if u := [2]trail{t[0].shortest(), t[1].shortest()}; !s.apart(&u) {
		t = u
	}
	s.found = witness{a: t[0].way(), b: t[1].way(), withinA: t[0].lies(), withinB: t[1].lies()}
	return true
}

// steps finds the ways that are one call longer than a way, one after another: of
// hundreds of callers the first few are enough as a rule.
type steps struct {
	*search
	inst    pointer.InstID // that the way leads to
	from    *trail
	call    int        // the next of those that pass what they must
	outside []entrance // into recursion, not looked at yet
	entry   bool       // the origin may begin there
	end     bool       // nothing leads there
	closed  bool       // calls are not looked at
}

// longer returns the ways that are one call longer.
func (s *search) longer(inst pointer.InstID, t *trail) steps {
	if s.trust <= onMade && s.unmade(t.inst) {
		return steps{closed: true}
	}
	if e := s.entrancesOf(t.asking); e.known && !e.start {
		return steps{from: t, outside: e.list, closed: true}
	}
	x := steps{search: s, inst: inst, from: t, entry: s.isEntry(t.inst)}
	x.end = !x.entry && len(s.nearCallers(t.inst)) == 0
	return x
}

// firmly tells whether calls by reflection are believed not to be made.
func (s *search) firmly() bool { return s.trust <= noReflection }

// next returns the next one; ok is false if there is none.
func (x *steps) next() (t trail, ok bool) {
	if x.entry && !x.started(x.from.asking) {
		x.entry = false
	}
	if x.entry {
		x.entry = false
		return trail{Way: runs.Way{Calls: x.from.Calls, Start: true}, done: true, inner: x.from.inner, within: x.from.within}, true
	}
	if x.end {
		x.end = false
		return trail{Way: x.from.Way, done: true, inner: x.from.inner, within: x.from.within}, true
	}
	if len(x.outside) > 0 {
		t = x.from.into(&x.outside[0])
		x.outside = x.outside[1:]
		return t, true
	}
	for !x.closed {
		c, ok := x.askingCall(x.from.asking, x.call)
		if !ok {
			break
		}
		x.call++
		if c.reflective && x.firmly() {
			continue
		}
		calls := make([]runs.Point, len(x.from.Calls)+1)
		calls[copy(calls, x.from.Calls)] = c.call
		u := trail{Way: runs.Way{Calls: calls}, asking: c.of, inner: x.from.inner, within: x.from.within}
		u.done = x.turnsBack(&u, c.call.Inst) || len(calls) == maxCalls
		return u, true
	}
	return trail{}, false
}

// turnsBack tells whether a way comes to an instance again, so that it is not
// followed any further; where it is followed from which object the accessed one is
// had, another object may be meant the second time.
func (x *steps) turnsBack(u *trail, inst pointer.InstID) bool {
	before := 0
	if inst == x.inst {
		before++
	}
	for _, p := range x.from.Calls {
		if p.Inst == inst {
			before++
		}
	}
	return before > 1 || before == 1 && u.data == ir.None
}

// nearCallers returns the callers of an instance, those first that are near where
// their origin begins.
func (d *detector) nearCallers(inst pointer.InstID) []runs.Point {
	callers, known := d.callers[inst]
	if !known {
		callers = slices.Clone(d.Runs.CallersOf(inst))
		depths := d.callDepths()
		slices.SortStableFunc(callers, func(a, b runs.Point) int { return int(depths[a.Inst]) - int(depths[b.Inst]) })
		d.callers[inst] = callers
	}
	return callers
}

// unmade tells whether an instance is of a method that is called on no object that
// is known: on nil, on which it would fail, or on one made where nothing is seen.
func (d *detector) unmade(inst pointer.InstID) bool {
	def := d.Points.Prog.Def(d.Points.Instances[inst].Func)
	if def == nil || def.Flags&ir.FuncMethod == 0 || !d.Points.PointsTo(inst, ir.RegValue(0), 0).Empty() {
		return false
	}
	body := d.Points.Body(inst)
	if body == nil || body.Params == 0 {
		return false
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch args := body.Args(in); in.Op {
		case ir.OpField, ir.OpLoad, ir.OpStore:
			if args[0] == ir.RegValue(0) {
				return true
			}
		}
	}
	return false
}

// begin returns the empty way to an access.
func (s *search) begin(to *side) trail {
	w := wanted{callback: ir.None, demands: s.requirementsAt(to.Inst, to.Instr)}
	w.data, w.objects = s.hadFrom(to.Inst, to.Addr, []pointer.ObjectID{s.cell.Object})
	return trail{asking: s.ask(to.Inst, w)}
}

// parameter returns the parameter that an address leads into without going
// through memory, or ir.None.
func (d *detector) parameter(inst pointer.InstID, v ir.Value) int32 {
	t := d.Locks.Paths(inst)
	for p := t.Value(v); p != path.None; p = t.Get(p).Parent {
		switch step := t.Get(p); step.Kind {
		case path.Param:
			return step.N
		case path.Deref:
			held, ok := d.Owners.Variable(inst, step.Parent)
			if !ok {
				return ir.None
			}
			return d.parameter(inst, held)
		}
	}
	return ir.None
}

// hadFrom returns the parameter that an address into one of some objects is had
// from, directly or by loading it from a field, and what the parameter may point
// to then.
func (d *detector) hadFrom(inst pointer.InstID, v ir.Value, objects []pointer.ObjectID) (int32, []pointer.ObjectID) {
	if k := d.parameter(inst, v); k != ir.None {
		return k, objects
	}
	t := d.Locks.Paths(inst)
	for p := t.Value(v); p != path.None; p = t.Get(p).Parent {
		step := t.Get(p)
		var from []path.Path
		switch {
		case step.Kind == path.Deref:
			from = t.Steps(step.Parent)
		case step.Kind == path.Value && d.Points.Body(inst).Instrs[step.N].Op == ir.OpLoad: // of what its function changes
			body := d.Points.Body(inst)
			if addr := t.Value(body.Args(&body.Instrs[step.N])[0]); addr != path.None {
				from = t.Steps(addr)
			}
		default:
			continue
		}
		if len(from) != 2 || from[0].Kind != path.Param || from[1].Kind != path.Field {
			break
		}
		return from[0].N, d.holdersOf(d.Points.PointsTo(inst, ir.RegValue(ir.Reg(from[0].N)), 0), from[1].N, objects)
	}
	return ir.None, nil
}

// holdersOf returns those of the objects that a set leads to which hold one of
// some others in a slot.
func (d *detector) holdersOf(set *pointer.Set, slot int32, held []pointer.ObjectID) []pointer.ObjectID {
	var out []pointer.ObjectID
	set.Each(func(n pointer.Node) bool {
		id, at := d.Points.Object(n)
		if id != pointer.NoObject && at+slot < d.Points.Objects[id].Size &&
			slices.ContainsFunc(held, func(o pointer.ObjectID) bool { return d.mayHold(n+pointer.Node(slot), o) }) {
			out = append(out, id)
		}
		return true
	})
	return out
}

// passes tells whether a call can be the next one of a way: what it passes can be
// the accessed object, and the function that is called then.
func (s *search) passes(t *wanted, c runs.Point) bool {
	body := s.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || in.Flags&ir.FlagGroup != 0 {
		return true
	}
	args := body.Args(in)
	if t.data != ir.None && int(t.data) < len(args) {
		if s.boxed(c.Inst, in, t.data) {
			if !s.inBox(c.Inst, args[t.data], t.objects) {
				return false
			}
		} else if !slices.ContainsFunc(t.objects, func(o pointer.ObjectID) bool { return s.leadsTo(c.Inst, args[t.data], o) }) {
			return false
		}
	}
	return t.callback == ir.None || int(t.callback) >= len(args) || s.mayBe(c.Inst, args[t.callback], t.function)
}

// started tells whether an origin may begin with an instance, as a way does: a start
// passes what can be the accessed object.
func (s *search) started(t *asking) bool {
	points := s.startsFor(t.inst)
	return t.data == ir.None || len(points) == 0 || slices.ContainsFunc(points, func(p runs.Point) bool {
		v, ok := s.passedAs(p, t.data)
		return !ok || s.boxed(p.Inst, s.instrAt(p), t.data) ||
			slices.ContainsFunc(t.objects, func(o pointer.ObjectID) bool { return s.leadsTo(p.Inst, v, o) })
	})
}

// boxed tells whether a call passes as a parameter what is in the box of an
// interface value, not the value itself.
func (d *detector) boxed(inst pointer.InstID, in *ir.Instr, param int32) bool {
	if in.Op != ir.OpInvoke || param != 0 {
		return false
	}
	body := d.Points.Body(inst)
	r := body.Args(in)[0].Reg()
	if r == ir.None {
		return true
	}
	p := d.Points.Prog
	return p.Type(p.Underlying(p.TypeOf(d.Points.Instances[inst].Func, body.Regs[r].Type))).Kind == ir.KindInterface
}

// inBox tells whether an interface value may hold a pointer to one of some objects,
// or something else than a pointer.
func (s *search) inBox(inst pointer.InstID, v ir.Value, wanted []pointer.ObjectID) bool {
	found := false
	s.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		id, _ := s.Points.Object(n)
		found = id == pointer.NoObject || s.Points.Objects[id].Kind != pointer.ObjectBox || s.Points.Objects[id].Size != 1 ||
			s.lead(s.Points.Content(n), wanted)
		return !found
	})
	return found
}

// mayBe tells whether a value may be a certain function.
func (s *search) mayBe(inst pointer.InstID, v ir.Value, fn link.FuncID) bool {
	found := false
	s.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		id, _ := s.Points.Object(n)
		found = id == pointer.NoObject || s.Points.Objects[id].Kind != pointer.ObjectFunc || s.Points.Objects[id].Func == fn
		return !found
	})
	return found
}

// apart tells whether something keeps the accesses apart if they are reached by
// these ways.
func (s *search) apart(t *[2]trail) bool {
	if s.left--; s.left < 0 {
		return false
	}
	for k := range t {
		if t[k].side == nil {
			t[k].side = s.sideOf(s.sides[k], &t[k])
		}
	}
	a, b := t[0].side, t[1].side
	v := view{s.Runs, s.Order}
	if s.firmly() {
		v.order = s.firmOrder()
	}
	if s.trust <= setUpOnce && (s.setUpFirst(s.cell, a, b) || s.setUpFirst(s.cell, b, a)) {
		return true
	}
	return s.coexist(v, a, b) != racing || s.owned(a) || s.owned(b) || s.begunLater(a, b) || s.begunLater(b, a) ||
		s.ownedInside(a, b) || s.awaited(s.cell, a, b) ||
		s.concurrentFor(s.cell.Object, a, b) == apart ||
		s.ownParts(a, b) || s.ownParts(b, a) || s.knownLater(v, a, b) || s.knownLater(v, b, a) ||
		s.takenLater(v, s.cell.Object, a, b) || s.takenLater(v, s.cell.Object, b, a) || s.lentLock(v, a, b) || s.excluded(a, b) ||
		s.takenAfterEnd(v, s.cell.Object, a, b) || s.takenAfterEnd(v, s.cell.Object, b, a)
}

// sideOf returns an access as it is reached by a trail.
func (s *search) sideOf(of *side, t *trail) *side {
	if t.within == nil {
		return s.sideOn(of, t.Way)
	}
	u := *s.sideOn(of, t.inner)
	u.within = t.lies()
	return &u
}

// sideOn is sideVia with the function that is alone to run in its origin, as far
// as is believed.
func (s *search) sideOn(of *side, way runs.Way) *side {
	v := s.knownSide(of, way)
	actor := s.memberOf(v.Inst, way)
	if actor == noActor && s.trust <= oneEach {
		actor = s.actorOf(v.Inst, way, s.cell.Object)
	}
	if actor != noActor {
		u := *v
		u.actor = actor
		v = &u
	}
	return v
}

// maxWaySides bounds what knownSide remembers.
const maxWaySides = 1 << 17

// knownSide is sideVia, computed once: an access has the same ways whatever it is
// paired with.
func (d *detector) knownSide(s *side, way runs.Way) *side {
	if s.number == noNumber {
		v := d.sideVia(s, way)
		return &v
	}
	key := make([]byte, 0, 8+8*len(way.Calls))
	key = binary.LittleEndian.AppendUint32(key, uint32(s.number))
	key = append(key, byte(flag(way.Start)))
	for _, c := range way.Calls {
		key = binary.LittleEndian.AppendUint32(key, uint32(c.Inst))
		key = binary.LittleEndian.AppendUint32(key, uint32(c.Instr))
	}
	v, known := d.waySides[string(key)]
	if !known {
		u := d.sideVia(s, way)
		v = &u
		if len(d.waySides) == maxWaySides {
			clear(d.waySides)
		}
		d.waySides[string(key)] = v
	}
	return v
}

// sideVia returns an access as it is reached by a way.
func (d *detector) sideVia(s *side, way runs.Way) side {
	v := *s
	if len(way.Calls) == 0 && !way.Start {
		return v
	}
	v.way = way
	v.owned, v.received, v.asked = unasked, unasked, unasked
	if len(s.locks.Locks) > 0 { // else none are held on any way
		v.locks = lockset.Side{Inst: s.Inst, Path: s.locks.Path, Locks: d.taken(d.Locks.Via(s.Inst, s.Instr, way))}
	}
	v.past = d.pastOf(&v)
	return v
}

// reflective tells whether a call is one that a library may make of any method
// of a value.
func (d *detector) reflective(inst pointer.InstID, instr int32) bool {
	in := &d.Points.Body(inst).Instrs[instr]
	return in.Op == ir.OpInvoke && in.Flags&ir.FlagMaybe != 0 &&
		d.Points.Prog.MethodName(d.Points.Instances[inst].Func, ir.MethodID(in.Aux)) == "*"
}

// callDepths returns how many calls an instance is away from where its origin
// begins.
func (d *detector) callDepths() []int32 {
	if d.depths != nil {
		return d.depths
	}
	d.depths = make([]int32, len(d.Points.Instances))
	var queue []pointer.InstID
	for i := range d.depths {
		d.depths[i] = math.MaxInt32
		if d.isEntry(pointer.InstID(i)) {
			d.depths[i] = 0
			queue = append(queue, pointer.InstID(i))
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, e := range d.Points.Instances[id].Calls {
			if e.How != ir.Spawned && d.depths[e.Target] == math.MaxInt32 {
				d.depths[e.Target] = d.depths[id] + 1
				queue = append(queue, e.Target)
			}
		}
	}
	return d.depths
}

// firmOrder is the order of the program without calls by reflection.
func (d *detector) firmOrder() *order.Result {
	if d.firm == nil {
		d.firm = d.Order
		for i := range d.Points.Instances {
			if d.callsByReflection(pointer.InstID(i)) {
				d.firm = d.Order.Without(d.reflective)
				break
			}
		}
	}
	return d.firm
}

func (d *detector) callsByReflection(inst pointer.InstID) bool {
	for _, e := range d.Points.Instances[inst].Calls {
		if e.How == ir.Now && d.reflective(inst, e.Instr) {
			return true
		}
	}
	return false
}
