package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
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
	key := meeting{obj, a.Inst, b.Inst}
	m, known := d.meetings[key]
	if !known {
		m.known = d.meet(runs.Frame{Inst: o.Inst, Made: o.Site.Instr}, key, maxLift, &m.frames)
		d.meetings[key] = m
	}
	if !m.known {
		if d.sharedBySend(obj, a, b) {
			return certain
		}
		return maybe
	}
	for _, f := range m.frames {
		if d.concurrentIn(f, a, b) {
			return certain
		}
	}
	return apart
}

// concurrentIn tells whether two accesses to the same memory can happen at the
// same time within a frame.
func (d *detector) concurrentIn(f runs.Frame, a, b *side) bool {
	return d.unordered(d.frameRuns(f), a, b) == racing && d.coexist(d.frameView(f), a, b) == racing
}

// meeting asks where two instances can touch the same one of the objects that a
// site makes.
type meeting struct {
	obj  pointer.ObjectID
	a, b pointer.InstID
}

// meetingPlaces is the answer: the frames, if those are known to be all.
type meetingPlaces struct {
	frames []runs.Frame
	known  bool
}

// meet lists the frames that an object and two instances have in common. It
// tells whether those are all: an object that is known beyond its frames may be
// met anywhere.
func (d *detector) meet(f runs.Frame, m meeting, lift int, out *[]runs.Frame) bool {
	rs := d.frameRuns(f)
	if rs == nil {
		return false
	}
	if rs.Inside(m.a) && rs.Inside(m.b) && d.staysIn(rs, m.obj) {
		*out = append(*out, f)
		return true
	}
	callers := d.Runs.CallersOf(f.Inst)
	if lift == 0 || len(callers) == 0 || d.Runs.Entry(f.Inst) {
		return false
	}
	for _, c := range callers {
		if c.How != ir.Now || !d.meet(runs.Frame{Inst: c.Inst, Made: c.Instr}, m, lift-1, out) {
			return false
		}
	}
	return true
}

// frameRuns returns the run counts within a frame, nil if it is too big.
func (d *detector) frameRuns(f runs.Frame) *runs.Result {
	rs, known := d.frameCounts[f]
	if !known {
		if whole := d.Runs.Whole(f); whole != f {
			rs = d.frameRuns(whole)
		} else {
			rs, _ = d.Runs.Within(f)
		}
		d.frameCounts[f] = rs
	}
	return rs
}

// frameView returns the program as seen from within a frame.
func (d *detector) frameView(f runs.Frame) view {
	rs := d.frameRuns(f)
	return view{rs, d.Order.Within(rs)}
}

// staysIn tells whether everything that leads to an object is made within the
// frame.
func (d *detector) staysIn(rs *runs.Result, obj pointer.ObjectID) bool {
	key := frameObject{rs, obj}
	ok, known := d.staying[key]
	if !known {
		ok = d.onlyReachedIn(rs, obj)
		d.staying[key] = ok
	}
	return ok
}

type frameObject struct {
	frame  *runs.Result
	object pointer.ObjectID
}

func (d *detector) onlyReachedIn(rs *runs.Result, obj pointer.ObjectID) bool {
	seen := map[pointer.ObjectID]bool{obj: true}
	queue := []pointer.ObjectID{obj}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if !rs.MadeWithin(id) {
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
