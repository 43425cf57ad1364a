package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// maxLift bounds how many calls up a frame is looked for.
const maxLift = 4

// concurrentFor tells whether two accesses of one object of a site that makes
// many can happen at the same time. The object lives in a frame: the activation
// that made it or, if it was handed to the caller, the caller's. Within the
// frame the program is analysed as if it ran once (see runs.Frame). Only if the
// accesses are concurrent in some frame they can share, they race.
func (d *detector) concurrentFor(obj pointer.ObjectID, a, b *side) bool {
	o := &d.Points.Objects[obj]
	if o.Inst < 0 {
		return true
	}
	return d.concurrentIn(runs.Frame{Inst: o.Inst, Made: o.Site.Instr}, obj, a, b, maxLift)
}

func (d *detector) concurrentIn(f runs.Frame, obj pointer.ObjectID, a, b *side, lift int) bool {
	v, ok := d.frameView(f)
	if !ok {
		return true
	}
	if v.runs.Inside(a.Inst) && v.runs.Inside(b.Inst) && d.staysIn(v.runs, obj) {
		return d.concurrent(v, a, b)
	}
	callers := d.Runs.CallersOf(f.Inst)
	if lift == 0 || len(callers) == 0 || d.Runs.Entry(f.Inst) {
		return true
	}
	for _, c := range callers {
		if c.How != ir.Now || d.concurrentIn(runs.Frame{Inst: c.Inst, Made: c.Instr}, obj, a, b, lift-1) {
			return true
		}
	}
	return false
}

// frameView returns the program as seen from within a frame.
func (d *detector) frameView(f runs.Frame) (view, bool) {
	v, known := d.frames[f]
	if !known {
		if rs, ok := d.Runs.Within(f); ok {
			v = view{rs, order.Analyze(d.Points, rs, d.Locks, d.Values)}
		}
		d.frames[f] = v
	}
	return v, v.runs != nil
}

// staysIn tells whether everything that leads to an object is made within the
// frame.
func (d *detector) staysIn(rs *runs.Result, obj pointer.ObjectID) bool {
	seen := map[pointer.ObjectID]bool{obj: true}
	queue := []pointer.ObjectID{obj}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if o := &d.Points.Objects[id]; o.Inst < 0 || !rs.Inside(o.Inst) {
			return false
		}
		for _, h := range d.Sharing.Holders(id) {
			if !seen[h] {
				seen[h] = true
				queue = append(queue, h)
			}
		}
	}
	return true
}
