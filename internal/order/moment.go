package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/value"
)

// Moment is a point, reached by any way or by a certain one. What is known of it
// is the more the longer the way: a function that is called both before and
// after a start has other answers for each of the calls.
type Moment struct {
	runs.Point
	way   runs.Way
	sets  *sets
	alone map[pointer.InstID]bool // see Alone
}

// Alone returns a moment in an instance of its origin that is taken to be the
// only one that ever runs some code.
func (m Moment) Alone(code map[pointer.InstID]bool) Moment {
	m.alone = code
	return m
}

// single tells whether only one instance of a moment's origin ever executes a
// cut.
func (r *Result) single(m Moment, cut pointer.InstID) bool {
	return !r.runs.Many(r.origin(m.Point)) || m.alone[cut]
}

// sets are what may and must have been executed before a point.
type sets struct {
	may, must set
	waits     []int32 // those of must that waited for one particular thing
	segment   int32   // the same for all points of an instance with equal sets
	phase     int32   // the same for all points of an origin with equal sets
	past      int32   // the same for all points of an origin with equal must
}

// Moment returns a point as it is reached by any way.
func (r *Result) Moment(p runs.Point) Moment { return Moment{Point: p, sets: r.at(p)} }

// Via returns a point as it is reached by a way. Where the way ends, anything
// that leads there is meant.
func (r *Result) Via(p runs.Point, way runs.Way) Moment {
	way = r.runs.Trim(p.Inst, way)
	n := len(way.Calls)
	if n == 0 && !way.Start {
		return r.Moment(p)
	}
	w := r.world(r.origin(p))
	last := r.index(way.Last(p.Inst))
	may, must := w.entryMay[last], w.entryMust[last]
	if way.Start {
		may, must = empty, empty
	}
	for k := n - 1; k >= 0; k-- {
		c := way.Calls[k]
		i := r.index(c.Inst)
		x, y := r.executedIn(w, i, r.pts.Body(c.Inst), c.Instr)
		may, must = w.sets.union(may, x), w.sets.union(must, y)
		if c.How == ir.Deferred {
			may = w.sets.union(may, w.mayGen[i])
		}
	}
	x, y := r.executedIn(w, r.index(p.Inst), r.pts.Body(p.Inst), p.Instr)
	return Moment{Point: p, way: way, sets: r.segment(w, p.Inst, w.sets.union(may, x), w.sets.union(must, y))}
}

// During returns a moment of an access that lies in a call, with any number of
// calls in between. The call is reached by a way.
func (r *Result) During(m Moment, call runs.Point, way runs.Way) Moment {
	w := r.world(r.origin(call))
	at := r.Via(call, way)
	told := value.Nothing
	for k := len(way.Calls) - 1; way.Start && k >= 0; k-- {
		told = r.values.Pass(way.Calls[k].Inst, way.Calls[k].Instr, told)
	}
	may := w.sets.intern(at.sets.may)
	for _, e := range r.pts.Instances[call.Inst].Calls {
		if e.Instr == call.Instr && r.stays(call.Inst, e) {
			may = w.sets.union(may, r.mayTold(w, call.Inst, e, told))
		}
	}
	must := w.sets.union(w.sets.intern(at.sets.must), w.sets.intern(m.sets.must))
	m.sets = r.segment(w, m.Inst, may, must)
	return m
}

// Segment identifies the stretch between cuts that a moment lies in: moments of
// one instance with equal segments have the same answers from Before.
func (m Moment) Segment() int32 { return m.sets.segment }

// at returns what is known of a point that is reached by any way.
func (r *Result) at(p runs.Point) *sets {
	p.How = ir.Now
	s, ok := r.memo[p]
	if !ok {
		w := r.world(r.origin(p))
		may, must := r.executed(w, r.index(p.Inst), r.pts.Body(p.Inst), p.Instr)
		s = r.segment(w, p.Inst, may, must)
		r.memo[p] = s
	}
	return s
}

// segmentKey is all that Before asks of a moment.
type segmentKey struct {
	inst      pointer.InstID
	may, must setID
}

// segment returns the stretch between cuts with the given sets.
func (r *Result) segment(w *world, inst pointer.InstID, may, must setID) *sets {
	key := segmentKey{inst, may, must}
	s := r.segments[key]
	if s == nil {
		o := r.pts.Instances[inst].Origin
		s = &sets{may: w.sets.get(may), must: w.sets.get(must), segment: int32(len(r.segments)),
			phase: r.phase(phaseKey{o, may, must}), past: r.phase(phaseKey{o, anySet, must})}
		s.must.each(func(k int32) {
			if c := &w.cuts[k]; c.op == ir.OpSelect || c.object != noNode && (c.op == ir.OpSend || !c.signals()) {
				s.waits = append(s.waits, k)
			}
		})
		r.segments[key] = s
	}
	return s
}

// phaseKey is what the points of an origin with equal sets have in common.
type phaseKey struct {
	origin    origin.ID
	may, must setID
}

// anySet in a phaseKey stands for every set.
const anySet setID = -2

// phase numbers stretches between cuts whatever the instance.
func (r *Result) phase(key phaseKey) int32 {
	n, known := r.phases[key]
	if !known {
		n = int32(len(r.phases))
		r.phases[key] = n
	}
	return n
}

// may returns the cuts of its origin that may have been executed before a
// point. The set must not be changed.
func (r *Result) may(p runs.Point) set { return r.at(p).may }

// must returns those that surely have been. The set must not be changed.
func (r *Result) must(p runs.Point) set { return r.at(p).must }

// Ended tells whether a wait for an object, somewhere, cannot have ended before a
// was over. The wait is a receive, a join, or for a group.
func (r *Result) Ended(a Moment, op ir.Op, object pointer.Node) bool {
	c := cut{point: nowhere, op: op, object: object, class: -1}
	if op == ir.OpGroup {
		c.sub = uint8(ir.GroupWait)
	}
	return r.endedAfter(a, &c, maxDepth)
}

// Signals returns the instructions that may end a wait for an object.
func (r *Result) Signals(object pointer.Node) []runs.Point {
	var out []runs.Point
	for _, ref := range r.byObject[object] {
		if c := &r.worlds[ref.origin].cuts[ref.cut]; c.signals() && !c.dead && c.point.Inst >= 0 {
			out = append(out, c.point)
		}
	}
	return out
}

// Pending returns the instructions that have surely told a group of more work
// when a comes; none if it may have been told by then that something is done.
func (r *Result) Pending(a Moment, group pointer.Node) []runs.Point {
	w := r.world(r.origin(a.Point))
	var adds []runs.Point
	done := false
	a.sets.may.each(func(k int32) {
		c := &w.cuts[k]
		done = done || c.op == ir.OpGroup && c.object == group && ir.GroupKind(c.sub) == ir.GroupDone
	})
	a.sets.must.each(func(k int32) {
		if c := &w.cuts[k]; c.op == ir.OpGroup && c.object == group && ir.GroupKind(c.sub) == ir.GroupAdd && c.point.Inst >= 0 {
			adds = append(adds, c.point)
		}
	})
	if done {
		return nil
	}
	return adds
}
