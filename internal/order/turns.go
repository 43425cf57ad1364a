package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// OneByOne is R-ORDER-10 for two instances of one origin: the loop that starts
// it waits in every turn for what the last instance does at a, and at b, before it
// starts the next; or the function that starts it waits before it returns.
func (r *Result) OneByOne(a, b Moment) bool {
	o := r.origin(a.Point)
	if o != r.origin(b.Point) {
		return false
	}
	p, ok := r.onlySpawn(o)
	return ok && r.joinedOn(p, p.Instr, a) && r.joinedOn(p, p.Instr, b) || r.oneByCall(a, b)
}

// oneByCall tells whether an origin is started once in an activation that waits
// for it, at a and at b, before it returns, and such activations do not overlap.
func (r *Result) oneByCall(a, b Moment) bool {
	points := r.runs.SpawnsOf(r.origin(a.Point))
	if len(points) != 1 {
		return false
	}
	p := points[0]
	if r.runs.InLoop(p) || r.runs.Many(r.origin(p)) || r.runs.Activation(p.Inst) || r.pts.Body(p.Inst).Instrs[p.Instr].Flags&ir.FlagMany != 0 {
		return false
	}
	for _, c := range r.runs.CallersOf(p.Inst) {
		if r.during(p.Inst, c.Inst) {
			return false // it calls itself
		}
	}
	return r.JoinedBy(p.Inst, a.Point) && r.JoinedBy(p.Inst, b.Point)
}

// Between is R-ORDER-10 for a loop and what it starts: from the start of b's
// origin the loop comes to a only through a wait for b.
func (r *Result) Between(a, b Moment) bool {
	p, ok := r.onlySpawn(r.origin(b.Point))
	if !ok {
		return false
	}
	at, ok := r.inActivation(a, p)
	return ok && r.joinedOn(p, at, b)
}

// afterTurns tells whether b comes after a loop that starts a's origin and waits
// in every turn for a.
func (r *Result) afterTurns(a, b Moment) bool {
	p, ok := r.onlySpawn(r.origin(a.Point))
	if !ok {
		return false
	}
	at, ok := r.inActivation(b, p)
	return ok && !runs.Reaches(r.pts.Body(p.Inst), at, p.Instr, ir.None) && r.joinedOn(p, at, a)
}

// inActivation returns the instruction of the activation with a spawn that a moment is
// at, or in a call of.
func (r *Result) inActivation(m Moment, spawn runs.Point) (int32, bool) {
	if r.origin(m.Point) != r.origin(spawn) {
		return 0, false
	}
	at, inst := m.Instr, m.Inst
	for _, c := range m.way.Calls {
		if inst == spawn.Inst {
			break
		}
		at, inst = c.Instr, c.Inst
	}
	return at, inst == spawn.Inst
}

// StartsInLoop tells whether an instance starts something in a loop, so that
// within it the place of an instruction matters, and not only what has been
// executed before.
func (r *Result) StartsInLoop(inst pointer.InstID) bool {
	for _, e := range r.pts.Instances[inst].Calls {
		if e.How == ir.Spawned && r.runs.InLoop(runs.Point{Inst: inst, Instr: e.Instr}) {
			return true
		}
	}
	return false
}

// onlySpawn returns the instruction that alone starts an origin, if it is in a
// loop of an activation that runs once.
func (r *Result) onlySpawn(o origin.ID) (runs.Point, bool) {
	points := r.runs.SpawnsOf(o)
	if len(points) != 1 {
		return nowhere, false
	}
	p := points[0]
	return p, r.runs.InLoop(p) && !r.runs.Often(p.Inst) && !r.runs.Many(r.origin(p)) &&
		r.pts.Body(p.Inst).Instrs[p.Instr].Flags&ir.FlagMany == 0
}

// joinedOn tells whether every way from a spawn to an instruction of the same
// activation leads through a wait for b, which the spawn started.
func (r *Result) joinedOn(spawn runs.Point, to int32, b Moment) bool {
	key := joinQuestion{spawn, to, b.sets.segment}
	ok, known := r.turns[key]
	if !known {
		ok = r.isJoinedOn(spawn, to, b)
		r.turns[key] = ok
	}
	return ok
}

type joinQuestion struct {
	spawn   runs.Point
	to      int32
	segment int32
}

func (r *Result) isJoinedOn(spawn runs.Point, to int32, b Moment) bool {
	body := r.pts.Body(spawn.Inst)
	w := r.world(r.origin(spawn))
	for i := range body.Instrs {
		switch body.Instrs[i].Op {
		case ir.OpRecv, ir.OpGroup, ir.OpJoin:
		default:
			continue
		}
		for _, k := range w.byPoint[runs.Point{Inst: spawn.Inst, Instr: int32(i)}] {
			if r.endsTurn(spawn, &w.cuts[k], b) && !runs.Reaches(body, spawn.Instr, to, int32(i)) {
				return true
			}
		}
	}
	return false
}

// endsTurn tells whether a wait is one for what the last instance started at
// spawn does at b, given that instances come one after the other.
func (r *Result) endsTurn(spawn runs.Point, c *cut, b Moment) bool {
	o := r.origin(b.Point)
	switch c.op {
	case ir.OpJoin:
		return r.ofTurn(spawn, c) && r.memberOf(o, c.thing)
	case ir.OpGroup:
		return ir.GroupKind(c.sub) == ir.GroupWait && r.ofTurn(spawn, c) && (r.memberOf(o, c.thing) || r.groupDone(b, c.thing))
	case ir.OpRecv:
		n, ok := c.any.Single()
		return ok && r.sentOnceAfter(spawn, n, c.point.Instr, b)
	}
	return false
}

// ofTurn tells whether what a wait waits for is one thing, or one that each turn
// makes for itself.
func (r *Result) ofTurn(spawn runs.Point, c *cut) bool {
	if c.object != noNode || c.thing == noNode {
		return c.object != noNode
	}
	if !r.freshFor(spawn, c.thing, c.point.Instr) {
		return false
	}
	id, _ := r.pts.Object(c.thing)
	body := r.pts.Body(spawn.Inst)
	return r.pts.Prog.Definition(r.pts.Instances[spawn.Inst].Func, body.Args(&body.Instrs[c.point.Instr])[0]) == r.pts.Objects[id].Site.Instr
}

// sentOnceAfter tells whether a channel is only signalled by the origin of b,
// after b, and once by each instance; or any number of times if each turn makes
// a channel of its own.
func (r *Result) sentOnceAfter(spawn runs.Point, ch pointer.Node, wait int32, b Moment) bool {
	w := r.world(r.origin(b.Point))
	fresh := r.freshFor(spawn, ch, wait)
	if !fresh && !r.runs.UniqueNode(ch) {
		return false
	}
	var signals []int32
	for _, ref := range r.byObject[ch] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s.dead || !s.signals() {
			continue
		}
		if w != r.worlds[ref.origin] || b.sets.may.has(ref.cut) {
			return false
		}
		if n, ok := r.atMostOnce(s.point); !fresh && (!ok || n.Of != "" || n.Times != 1 || s.op == ir.OpClose) {
			return false
		}
		signals = append(signals, ref.cut)
	}
	for _, x := range signals {
		for _, y := range signals {
			if !fresh && x != y && r.may(w.cuts[x].point).has(y) {
				return false
			}
		}
	}
	return len(signals) > 0
}

// freshFor tells whether an object is made by the activation that executes a
// spawn, anew for each run of it, and not again before a wait.
func (r *Result) freshFor(spawn runs.Point, n pointer.Node, wait int32) bool {
	id, _ := r.pts.Object(n)
	o := &r.pts.Objects[id]
	body := r.pts.Body(spawn.Inst)
	return o.Inst == spawn.Inst && !runs.Reaches(body, spawn.Instr, spawn.Instr, o.Site.Instr) && !runs.Reaches(body, spawn.Instr, o.Site.Instr, wait)
}
