package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// SameOnce is R-ORDER-8: two points that are only reached through the same once
// happen in its one run, one after the other.
func (r *Result) SameOnce(a, b Moment) bool {
	x, ok := r.onceOf(a.Inst, maxDepth)
	if !ok {
		return false
	}
	y, ok := r.onceOf(b.Inst, maxDepth)
	return ok && x == y
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
	n, ok := r.onceOf(a.Inst, maxDepth)
	return ok && n == c.object
}
