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

// passedTable holds the activations of an origin that were told something.
type passedTable struct {
	ids   map[passedInst]int32
	list  []passedNode
	queue []int32
	round int32 // of mayPassed
}

// passedNode is what is known of such an activation.
type passedNode struct {
	passedInst
	next     []int32 // activations that it calls and tells something
	may      setID   // what it may execute itself, or by calls that tell nothing
	all      setID   // what it may execute, if answered
	seen     int32   // the last round that came by
	expanded bool    // next and may are known
	answered bool
	crowded  bool // it leads to more activations than are looked at
}

// of returns the number of an activation.
func (t *passedTable) of(x passedInst) int32 {
	id, known := t.ids[x]
	if !known {
		id = int32(len(t.list))
		t.list = append(t.list, passedNode{passedInst: x})
		t.ids[x] = id
	}
	return id
}

// mayCall returns the cuts that the target of a call may execute. What that and all
// it calls may execute for any caller must be known.
func (r *Result) mayCall(w *world, id pointer.InstID, e pointer.Edge) setID {
	return r.mayTold(w, id, e, value.Nothing)
}

// mayTold is mayCall for a call of an activation that was told something.
func (r *Result) mayTold(w *world, id pointer.InstID, e pointer.Edge, by value.Passed) setID {
	may := w.mayGen[r.index(e.Target)]
	if may == empty {
		return may
	}
	told := r.values.Pass(id, e.Instr, by)
	if told == value.Nothing {
		return may
	}
	from := w.passed.of(passedInst{e.Target, told})
	if !w.passed.list[from].answered {
		out, ok := r.mayPassed(w, from)
		if !ok {
			out = may
		}
		n := &w.passed.list[from]
		n.all, n.answered, n.crowded = out, true, !ok
	}
	return w.passed.list[from].all
}

// mayPassed returns the cuts that an activation may execute that was told something;
// ok is false if it takes too long to find out.
func (r *Result) mayPassed(w *world, from int32) (may setID, ok bool) {
	t := &w.passed
	t.round++
	t.list[from].seen = t.round
	queue := append(t.queue[:0], from)
	seen := 1
	for len(queue) > 0 {
		x := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		if !t.list[x].expanded {
			r.expandPassed(w, x)
		}
		may = w.sets.union(may, t.list[x].may)
		for _, next := range t.list[x].next {
			if n := &t.list[next]; n.seen != t.round {
				if seen++; seen > maxPassedOn || n.crowded {
					return empty, false
				}
				n.seen = t.round
				queue = append(queue, next)
			}
		}
	}
	t.queue = queue
	return may, true
}

// expandPassed finds out what an activation does that was told something.
func (r *Result) expandPassed(w *world, id int32) {
	x := w.passed.list[id].passedInst
	var may setID
	var next []int32
	own := newSet(len(w.cuts))
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
		if told := r.values.Pass(x.inst, e.Instr, x.told); told == value.Nothing {
			may = w.sets.union(may, w.mayGen[t])
		} else {
			next = append(next, w.passed.of(passedInst{e.Target, told}))
		}
	}
	n := &w.passed.list[id]
	n.may, n.next, n.expanded = w.sets.union(may, w.sets.intern(own)), next, true
}
