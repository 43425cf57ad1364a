package order

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// R-ORDER-14, the last by a counter: who counts an atomic down to zero comes after
// all that the others did before they counted down, if they were counted before
// they started. Each operation on the counter sees those before it. And there is
// one who does so, as there is one who wins a compare-and-swap that nobody undoes.

// countsDown tells whether a cut is an atomic operation that takes something from
// a counter.
func (r *Result) countsDown(c *cut) bool {
	n, ok := r.addend(c)
	return ok && n < 0
}

// addend returns the constant that a cut adds to a counter.
func (r *Result) addend(c *cut) (int64, bool) {
	if c.op != ir.OpAtomic || ir.AtomicKind(c.sub) != ir.AtomicAdd {
		return 0, false
	}
	body := r.pts.Body(c.point.Inst)
	return r.integer(c.point.Inst, body.Args(&body.Instrs[c.point.Instr])[1])
}

// isLast tells whether a test says that its own operation has counted down to
// zero.
func (t *test) isLast() bool {
	return t.delta < 0 && t.value == 0 && (t.op == ir.BinEq && t.holds || t.op == ir.BinNe && !t.holds)
}

// wins tells whether a test says that its own compare-and-swap has succeeded.
func (t *test) wins(body *ir.Body) bool {
	in := &body.Instrs[t.read.Instr]
	return in.Op == ir.OpAtomic && ir.AtomicKind(in.Sub) == ir.AtomicCAS && t.op == ir.BinEq && t.holds
}

// afterLast tells whether a was over when its origin counted down a counter that a
// test has found to be zero.
func (r *Result) afterLast(a Moment, c *cut) bool {
	o := r.origin(a.Point)
	if !c.test.isLast() || r.runs.Root(o) {
		return false
	}
	w := r.world(o)
	down := newSet(len(w.cuts))
	for k := range w.cuts {
		if s := &w.cuts[k]; s.object == c.object && s.test == nil && r.countsDown(s) {
			down.add(int32(k))
		}
	}
	if a.sets.may.overlaps(down) {
		return false
	}
	for i, id := range w.insts {
		if r.runs.Entry(id) && !w.sets.get(w.mustGen[i]).overlaps(down) {
			return false
		}
	}
	return r.raisedFirst(c, o)
}

// raisedFirst tells whether a counter gets its value before an origin is started,
// and not again.
func (r *Result) raisedFirst(c *cut, o origin.ID) bool {
	points := r.runs.SpawnsOf(o)
	found := false
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s.op != ir.OpStore && s.op != ir.OpAtomic || r.countsDown(s) {
			continue
		}
		for _, p := range points {
			if r.origin(p) != ref.origin || !r.must(p).has(ref.cut) {
				return false
			}
		}
		if r.runs.InLoop(s.point) || r.runs.Often(s.point.Inst) || r.runs.Many(ref.origin) {
			return false
		}
		found = true
	}
	return found && len(points) > 0
}

// OneWinner tells whether two moments both come after a test that succeeds for one
// only: they are of the same one.
func (r *Result) OneWinner(a, b Moment) bool {
	won := r.won(a)
	return len(won) > 0 && slices.ContainsFunc(r.won(b), func(n pointer.Node) bool { return slices.Contains(won, n) })
}

// winBefore returns the test behind a moment that proves OneWinner.
func (r *Result) winBefore(a, b Moment) (runs.Point, bool) {
	won := r.won(b)
	w := r.world(r.origin(a.Point))
	for _, k := range a.sets.waits {
		if c := &w.cuts[k]; c.test != nil && slices.Contains(won, c.object) && slices.Contains(r.won(a), c.object) {
			return c.point, true
		}
	}
	return nowhere, false
}

// won returns the flags and counters of which a moment comes after the one test
// that can succeed.
func (r *Result) won(m Moment) []pointer.Node {
	list, known := r.winners[m.sets.segment]
	if known {
		return list
	}
	w := r.world(r.origin(m.Point))
	for _, k := range m.sets.waits {
		if c := &w.cuts[k]; c.test != nil && c.object != noNode && r.succeedsOnce(c) {
			list = append(list, c.object)
		}
	}
	r.winners[m.sets.segment] = list
	return list
}

// succeedsOnce tells whether a test comes out as it did once in the whole run.
func (r *Result) succeedsOnce(c *cut) bool {
	if c.test.wins(r.pts.Body(c.test.read.Inst)) {
		return r.neverUndone(c)
	}
	return c.test.isLast() && r.raisedFirst(c, r.origin(c.point))
}

// neverUndone tells whether nobody gives a flag the value again that a
// compare-and-swap expects.
func (r *Result) neverUndone(c *cut) bool {
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if (s.op == ir.OpStore || s.op == ir.OpAtomic) && r.canMake(s, c.test) {
			return false
		}
	}
	return true
}
