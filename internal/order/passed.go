package order

import (
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/value"
)

// What a call may execute is what the function it runs may, save the branches that
// are not taken for what the call passes (value.Passed): those who hand an event of
// one kind on through all layers do not start what events of other kinds start.

// passedInst is an activation that was told something.
type passedInst struct {
	inst pointer.InstID
	told value.Passed
}

// maxPassedOn bounds the activations that are looked at to find out what a call may
// execute.
const maxPassedOn = 400

// mayCall returns the cuts that the target of a call may execute. What that and all
// it calls may execute for any caller must be known.
func (r *Result) mayCall(w *world, id pointer.InstID, e pointer.Edge) setID {
	may := w.mayGen[r.index(e.Target)]
	if may == empty {
		return may
	}
	told := r.values.Pass(id, e.Instr, value.Nothing)
	if told == value.Nothing {
		return may
	}
	from := passedInst{e.Target, told}
	out, known := w.passed[from]
	if !known {
		out = r.mayPassed(w, from, may)
		w.passed[from] = out
	}
	return out
}

// mayPassed returns the cuts that an activation may execute that was told something;
// most if it takes too long to find out.
func (r *Result) mayPassed(w *world, from passedInst, most setID) setID {
	own := newSet(len(w.cuts))
	may := empty
	seen := map[passedInst]bool{from: true}
	queue := []passedInst{from}
	for len(queue) > 0 {
		x := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		i := r.index(x.inst)
		for k := w.first[i]; k < w.end[i]; k++ {
			if p := w.cuts[k].point; p.Inst >= 0 && r.values.RunsIn(x.inst, p.Instr, x.told) {
				w.execute(own, k)
			}
		}
		for _, e := range r.pts.Instances[x.inst].Calls {
			t := r.index(e.Target)
			if !r.stays(x.inst, e) || w.mayGen[t] == empty || !r.values.RunsIn(x.inst, e.Instr, x.told) {
				continue
			}
			next := passedInst{e.Target, r.values.Pass(x.inst, e.Instr, x.told)}
			if next.told == value.Nothing {
				may = w.sets.union(may, w.mayGen[t])
			} else if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
		if len(seen) > maxPassedOn {
			return most
		}
	}
	return w.sets.union(may, w.sets.intern(own))
}
