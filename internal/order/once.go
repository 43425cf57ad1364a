package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// SameOnce is R-ORDER-8: two points that are only reached through the same once
// happen in its one run, one after the other.
func (r *Result) SameOnce(a, b Moment) bool {
	x, ok := r.onceBy(a)
	if !ok {
		return false
	}
	y, ok := r.onceBy(b)
	return ok && x == y
}

// OnceBefore tells whether a is in a once that has run when b comes, in whichever
// instance of whichever origin.
func (r *Result) OnceBefore(a, b Moment) bool {
	w := r.world(r.origin(b.Point))
	once, asked := noNode, false
	for _, k := range b.sets.waits {
		c := &w.cuts[k]
		if c.op != ir.OpOnce {
			continue
		}
		if !asked {
			n, ok := r.onceBy(a)
			if !ok {
				return false
			}
			once, asked = n, true
		}
		if c.object == once {
			return true
		}
	}
	return false
}

// onceBy returns the unique once that a moment is in.
func (r *Result) onceBy(m Moment) (pointer.Node, bool) {
	last := m.Inst
	for _, c := range m.way.Calls {
		body := r.pts.Body(c.Inst)
		if in := &body.Instrs[c.Instr]; in.Op == ir.OpOnce {
			n, ok := r.pts.PointsTo(c.Inst, body.Args(in)[0], 0).Single()
			return n, ok && r.runs.UniqueNode(n)
		}
		last = c.Inst
	}
	if m.way.Start {
		return noNode, false
	}
	return r.onceOf(last, maxDepth)
}

// onceOnWay tells whether the way to a moment leads through a once.
func (r *Result) onceOnWay(m Moment) bool {
	for _, c := range m.way.Calls {
		if r.pts.Body(c.Inst).Instrs[c.Instr].Op == ir.OpOnce {
			return true
		}
	}
	return false
}

// onceOf returns the unique once through which alone an instance is reached.
func (r *Result) onceOf(id pointer.InstID, depth int) (pointer.Node, bool) {
	if n, known := r.onces[id]; known {
		return n, n != noNode
	}
	r.onces[id] = noNode
	n := noNode
	for i, c := range r.runs.CallersOf(id) {
		m, ok := r.onceAt(c, depth)
		if !ok || i > 0 && m != n {
			return noNode, false
		}
		n = m
	}
	r.onces[id] = n
	return n, n != noNode
}

// onceAt returns the once a call goes through.
func (r *Result) onceAt(c runs.Point, depth int) (pointer.Node, bool) {
	body := r.pts.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if in.Op == ir.OpOnce {
		n, ok := r.pts.PointsTo(c.Inst, body.Args(in)[0], 0).Single()
		return n, ok && r.runs.UniqueNode(n)
	}
	if depth == 0 || r.runs.Entry(c.Inst) {
		return noNode, false
	}
	return r.onceOf(c.Inst, depth-1)
}

// afterOnce tells whether a is in the run of a once that c has passed: it is
// over when any use of the once returns.
func (r *Result) afterOnce(a Moment, c *cut) bool {
	n, ok := r.onceBy(a)
	return ok && n == c.object
}

// passedOnce tells whether a is in the run of a once that is passed before p:
// wherever else the once may be used, it runs nothing any more.
func (r *Result) passedOnce(a Moment, p runs.Point) bool {
	n, ok := r.onceBy(a)
	if !ok {
		return false
	}
	w := r.world(r.origin(p))
	for _, k := range r.Moment(p).sets.waits {
		if c := &w.cuts[k]; c.op == ir.OpOnce && c.object == n {
			return true
		}
	}
	return false
}
