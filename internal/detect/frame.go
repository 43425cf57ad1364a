package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// maxLift bounds how many calls up a frame is looked for.
const maxLift = 4

// sameness says what is known of two accesses to an object of a site that may
// make many.
type sameness uint8

const (
	apart   sameness = iota // never the same object at the same time
	maybe                   // nothing shows that it is the same object
	certain                 // the same object, for the analysis of its frame says so
)

// concurrentFor tells whether two accesses of one object of a site that makes
// many can happen at the same time. The object lives in a frame: the activation
// that made it or, if it was handed to the caller, the caller's. Within the
// frame the program is analysed as if it ran once (see runs.Frame).
func (d *detector) concurrentFor(obj pointer.ObjectID, a, b *side) sameness {
	o := &d.Points.Objects[obj]
	if d.Runs.Unique(obj) {
		return certain
	}
	if o.Inst < 0 {
		return maybe
	}
	return d.concurrentIn(runs.Frame{Inst: o.Inst, Made: o.Site.Instr}, obj, a, b, maxLift)
}

func (d *detector) concurrentIn(f runs.Frame, obj pointer.ObjectID, a, b *side, lift int) sameness {
	rs := d.frameRuns(f)
	if rs == nil {
		return maybe
	}
	if rs.Inside(a.Inst) && rs.Inside(b.Inst) && d.staysIn(rs, obj) {
		if d.concurrent(d.frameView(f, rs), a, b) {
			return certain
		}
		return apart
	}
	callers := d.Runs.CallersOf(f.Inst)
	if lift == 0 || len(callers) == 0 || d.Runs.Entry(f.Inst) {
		return maybe
	}
	most := apart
	for _, c := range callers {
		if c.How != ir.Now {
			return maybe
		}
		most = max(most, d.concurrentIn(runs.Frame{Inst: c.Inst, Made: c.Instr}, obj, a, b, lift-1))
	}
	return most
}

// frameRuns returns the run counts within a frame, nil if it is too big.
func (d *detector) frameRuns(f runs.Frame) *runs.Result {
	rs, known := d.frameCounts[f]
	if !known {
		rs, _ = d.Runs.Within(f)
		d.frameCounts[f] = rs
	}
	return rs
}

// frameView returns the program as seen from within a frame.
func (d *detector) frameView(f runs.Frame, rs *runs.Result) view {
	v, known := d.frames[f]
	if !known {
		v = view{rs, order.Analyze(d.Points, rs, d.Locks, d.Values)}
		d.frames[f] = v
	}
	return v
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
