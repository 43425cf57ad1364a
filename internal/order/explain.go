package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Rule is a number of the list in the package's documentation.
type Rule uint8

const (
	RuleSpawn      Rule = 1
	RuleStart      Rule = 2
	RuleWait       Rule = 3
	RuleRendezvous Rule = 4
	RuleFlag       Rule = 5
	RuleHandedLock Rule = 6
	RuleEnclosed   Rule = 7
	RuleOnce       Rule = 8
	RuleCount      Rule = 9
	RuleTurns      Rule = 10
	RuleDrain      Rule = 11
	RuleLast       Rule = 14
	RuleRounds     Rule = 15
	RuleOtherRound Rule = 16
)

// Reason says by which rule one point is before another, or that the two do
// not overlap.
type Reason struct {
	Rule Rule
	// Cut is what separates the two: the spawn that comes after the first point
	// (RuleSpawn, RuleStart), what the second one's origin has waited for (RuleWait
	// to RuleHandedLock, RuleOnce, RuleCount), the return of the call that joins
	// (RuleEnclosed). Its Inst is negative if it is not one instruction.
	Cut runs.Point
	// Signal is what ended the wait, the first of several: a send, a done, a write
	// of the flag. Its Inst is negative if it is the end of an origin.
	Signal runs.Point
	// Inside is true if both points are in the one run of the once at Cut
	// (RuleOnce), or behind the test at Cut that succeeds for one only (RuleLast).
	Inside bool
	// Via says why the first point is before Signal, or before the spawn, where
	// that is in another origin.
	Via *Reason
}

var nowhere = runs.Point{Inst: -1}

// Explain returns why a is before b; ok is false if it is not.
func (r *Result) Explain(a, b Moment) (reason Reason, ok bool) {
	r.forgetChains()
	if !r.before(a, b, maxDepth) {
		return Reason{}, false
	}
	if e := r.explain(a, b, maxDepth); e != nil {
		return *e, true
	}
	return Reason{Cut: nowhere, Signal: nowhere}, true
}

// ExplainApart returns why a and b cannot overlap although neither is known to
// be the first.
func (r *Result) ExplainApart(a, b Moment) (reason Reason, ok bool) {
	if n, ok := r.onceBy(a); ok && r.SameOnce(a, b) {
		return Reason{Rule: RuleOnce, Cut: r.useOfOnce(n), Signal: nowhere, Inside: true}, true
	}
	if c, ok := r.winBefore(a, b); ok {
		return Reason{Rule: RuleLast, Cut: c, Signal: nowhere, Inside: true}, true
	}
	if r.OtherRound(a, b) {
		return Reason{Rule: RuleOtherRound, Cut: nowhere, Signal: nowhere}, true
	}
	if r.OneByOne(a, b) || r.Between(a, b) || r.Between(b, a) {
		child := b
		if r.Between(b, a) {
			child = a
		}
		return Reason{Rule: RuleTurns, Cut: r.runs.SpawnsOf(r.origin(child.Point))[0], Signal: nowhere}, true
	}
	if !r.Enclosed(a, b) {
		a, b = b, a
		if !r.Enclosed(a, b) {
			return Reason{}, false
		}
	}
	e := Reason{Rule: RuleEnclosed, Cut: nowhere, Signal: nowhere}
	if id, ok := r.starter(r.origin(b.Point), r.origin(a.Point)); ok {
		e.Cut = r.firstReturn(id)
	}
	return e, true
}

func (r *Result) explain(a, b Moment, depth int) *Reason {
	if depth == 0 {
		return nil
	}
	oa, ob := r.origin(a.Point), r.origin(b.Point)
	if r.beforeStart(a, ob) {
		e := &Reason{Rule: RuleSpawn, Cut: nowhere, Signal: nowhere}
		for k := range r.worlds[oa].cuts {
			c := &r.worlds[oa].cuts[k]
			for _, s := range c.spawns {
				if r.reach[s][ob] {
					e.Cut = c.point
					return e
				}
			}
		}
		return e
	}
	if e := r.explainWait(a, b, depth); e != nil {
		return e
	}
	if r.afterTurns(a, b) {
		return &Reason{Rule: RuleTurns, Cut: r.runs.SpawnsOf(oa)[0], Signal: nowhere}
	}
	if ob == oa {
		return nil
	}
	for _, p := range r.runs.SpawnsOf(ob) {
		e := &Reason{Rule: RuleStart, Cut: p, Signal: nowhere}
		switch o := r.origin(p); o {
		case ob: // starts itself
			continue
		case oa:
			if !r.precedes(a, p) {
				return nil
			}
		default:
			if e.Via = r.explain(a, r.Moment(p), depth-1); e.Via == nil {
				continue
			}
		}
		return e
	}
	return nil
}

// explainWait finds the wait that b has behind it and that ended after a.
func (r *Result) explainWait(a, b Moment, depth int) *Reason {
	w := r.world(r.origin(b.Point))
	for _, k := range b.sets.waits {
		c := &w.cuts[k]
		if r.drained(a, b, k) {
			return &Reason{Rule: RuleDrain, Cut: runs.Point{Inst: c.point.Inst, Instr: c.drain.wait}, Signal: nowhere}
		}
		if !r.endedAfter(a, c, depth) {
			continue
		}
		e := &Reason{Rule: ruleOf(c), Cut: c.point, Signal: nowhere}
		if c.test != nil && r.afterLast(a, c) {
			e.Rule = RuleLast
			return e
		}
		if c.point.Inst < 0 {
			e.Cut = w.member(k, b.sets.may)
		}
		if s, ok := r.signalOf(a.Point, c); ok {
			e.Signal = s
			if r.origin(s) != r.origin(a.Point) {
				e.Via = r.explain(a, r.Moment(s), depth-1)
			}
		}
		return e
	}
	if at, ok := r.roundsBefore(a, b); ok {
		return &Reason{Rule: RuleRounds, Cut: at, Signal: nowhere}
	}
	if last, ok := r.counted(a, b, depth); ok {
		return &Reason{Rule: RuleCount, Cut: last, Signal: nowhere}
	}
	return nil
}

// member returns a wait that a class stands for and that may have been
// executed.
func (w *world) member(class int32, may set) runs.Point {
	for k := range w.cuts {
		if w.cuts[k].class == class && may.has(int32(k)) {
			return w.cuts[k].point
		}
	}
	return nowhere
}

func ruleOf(c *cut) Rule {
	switch {
	case c.test != nil:
		return RuleFlag
	case c.op == ir.OpLock:
		return RuleHandedLock
	case c.op == ir.OpOnce:
		return RuleOnce
	case c.op == ir.OpSend:
		return RuleRendezvous
	}
	return RuleWait
}

// signalOf returns the first cut that can have ended a wait.
func (r *Result) signalOf(a runs.Point, c *cut) (runs.Point, bool) {
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s == c || s.dead || s.point.Inst < 0 {
			continue
		}
		ok := false
		switch {
		case c.test != nil:
			ok = (s.op == ir.OpStore || s.op == ir.OpAtomic) && s.point != c.test.read && r.canMake(s, c.test)
		case c.closed:
			ok = s.op == ir.OpClose
		case c.op == ir.OpLock:
			ok = s.op == ir.OpUnlock && !r.locks.Held(s.point, c.object)
		case c.op == ir.OpGroup:
			ok = s.signals() && ref.origin == r.origin(a)
		case c.op == ir.OpSend:
			ok = s.waits()
		case c.waits():
			ok = s.signals() && !r.onlyAfter(s, c)
		}
		if ok {
			return s.point, true
		}
	}
	return nowhere, false
}

// useOfOnce returns a use of a once.
func (r *Result) useOfOnce(once pointer.Node) runs.Point {
	for _, ref := range r.byObject[once] {
		if c := &r.worlds[ref.origin].cuts[ref.cut]; c.op == ir.OpOnce && c.point.Inst >= 0 {
			return c.point
		}
	}
	return nowhere
}

// firstReturn returns the first return in the code of an instance.
func (r *Result) firstReturn(id pointer.InstID) runs.Point {
	body := r.pts.Body(id)
	for k := range body.Instrs {
		if body.Instrs[k].Op == ir.OpReturn {
			return runs.Point{Inst: id, Instr: int32(k)}
		}
	}
	return nowhere
}
