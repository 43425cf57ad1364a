package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// component is a set of instances of one origin that call each other, mostly
// a single one.
type component struct {
	members []int32 // indices of world.insts
	cyclic  bool
}

// components returns the strongly connected components of the calls within an
// origin, callees first (Tarjan, with an explicit stack).
func (r *Result) components(w *world) []component {
	n := len(w.insts)
	number, low := make([]int32, n), make([]int32, n)
	on := make([]bool, n)
	type frame struct {
		at   int32
		edge int
	}
	var frames []frame
	var stack []int32
	var list []component
	next := int32(1)
	for root := range w.insts {
		if number[root] != 0 {
			continue
		}
		frames = append(frames[:0], frame{at: int32(root)})
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.at
			if f.edge == 0 && number[v] == 0 {
				number[v], low[v] = next, next
				next++
				stack = append(stack, v)
				on[v] = true
			}
			calls := r.pts.Instances[w.insts[v]].Calls
			down := false
			for f.edge < len(calls) && !down {
				e := calls[f.edge]
				f.edge++
				if !r.stays(w.insts[v], e) {
					continue
				}
				switch t := r.index(e.Target); {
				case number[t] == 0:
					frames = append(frames, frame{at: t})
					down = true
				case on[t]:
					low[v] = min(low[v], number[t])
				}
			}
			if down {
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				u := frames[len(frames)-1].at
				low[u] = min(low[u], low[v])
			}
			if low[v] == number[v] {
				at := len(stack) - 1
				for stack[at] != v {
					at--
				}
				c := component{members: append([]int32(nil), stack[at:]...)}
				for _, m := range c.members {
					on[m] = false
				}
				stack = stack[:at]
				c.cyclic = len(c.members) > 1 || r.callsItself(w.insts[v])
				list = append(list, c)
			}
		}
	}
	return list
}

func (r *Result) callsItself(id pointer.InstID) bool {
	for _, e := range r.pts.Instances[id].Calls {
		if e.Target == id && r.stays(id, e) {
			return true
		}
	}
	return false
}

// stays tells whether a call of an instance is made, and stays in its origin.
func (r *Result) stays(id pointer.InstID, e pointer.Edge) bool {
	return e.How != ir.Spawned && !r.skipped(id, e.Instr)
}

// skipped tells whether a call is never made, or taken not to be.
func (r *Result) skipped(inst pointer.InstID, instr int32) bool {
	return r.skip != nil && r.skip(inst, instr) || !r.values.Runs(inst, instr)
}

// Recursion returns a number, the same for all instances of an origin that call one
// another in a circle; 0 for those that do not, or in whose origin nothing is ordered.
func (r *Result) Recursion(id pointer.InstID) int32 {
	w := r.world(r.pts.Instances[id].Origin)
	if w.rounds == nil {
		return 0
	}
	return w.rounds[r.index(id)]
}
