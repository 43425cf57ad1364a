package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Apart tells whether two moments never overlap although neither may be known to
// come first.
func (r *Result) Apart(a, b Moment) bool {
	return r.SameOnce(a, b) || r.Enclosed(a, b) || r.Enclosed(b, a) || r.OneByOne(a, b) || r.OtherRound(a, b) || r.Between(a, b) || r.Between(b, a) || r.OneWinner(a, b)
}

// Enclosed is R-ORDER-7, fork and join inside one call: b happens only while a
// certain activation is running, because the instance that starts b's origin
// waits for b before it returns; and a, in the origin of that instance, never
// happens during such an activation, or is kept apart from b within it. Whichever
// comes first, they do not overlap.
func (r *Result) Enclosed(a, b Moment) bool {
	oa := r.origin(a.Point)
	if r.runs.Many(oa) && a.alone == nil {
		return false
	}
	pair := [2]origin.ID{r.origin(b.Point), oa}
	starter, known := r.starters[pair]
	if !known {
		starter = noInst
		if id, ok := r.starter(pair[0], oa); ok {
			starter = id
		}
		r.starters[pair] = starter
	}
	if starter == noInst || !r.single(a, starter) || r.duringWay(starter, a) && !r.apartInside(starter, a, b) {
		return false
	}
	return r.JoinedBy(starter, b.Point)
}

// JoinedBy tells whether an instance waits for a point of an origin it starts, on all
// ways out.
func (r *Result) JoinedBy(starter pointer.InstID, b runs.Point) bool {
	key := enclosure{starter, b}
	done, known := r.joined[key]
	if !known {
		done = r.joins(starter, b)
		r.joined[key] = done
	}
	return done
}

const noInst pointer.InstID = -1

type enclosure struct {
	starter pointer.InstID
	point   runs.Point
}

// starter returns the only instance of origin o through which origin d is
// started.
func (r *Result) starter(d, o origin.ID) (pointer.InstID, bool) {
	for depth := 0; depth < maxDepth; depth++ {
		points := r.runs.SpawnsOf(d)
		if d == o || len(points) == 0 {
			return 0, false
		}
		for _, p := range points[1:] {
			if p.Inst != points[0].Inst {
				return 0, false
			}
		}
		d = r.origin(points[0])
		if d == o {
			return points[0].Inst, true
		}
	}
	return 0, false
}

// apartInside tells whether a way leads to a through an activation within which
// a and b do not overlap.
func (r *Result) apartInside(active pointer.InstID, a, b Moment) bool {
	inside := a.Inst == active
	for _, c := range a.way.Calls {
		inside = inside || c.Inst == active
	}
	if !inside || r.runs.Activation(active) {
		return false
	}
	inner := r.innerOf(active)
	if inner == nil || !inner.runs.Inside(a.Inst) || !inner.runs.Inside(b.Inst) {
		return false
	}
	x, y := inner.Via(a.Point, a.way), inner.Via(b.Point, b.way)
	return inner.Before(x, y) || inner.Before(y, x) || inner.Apart(x, y)
}

// duringWay tells whether a moment may lie within an activation of an instance:
// the calls that lead to it are known as far as its way goes.
func (r *Result) duringWay(active pointer.InstID, a Moment) bool {
	last := a.Inst
	for _, c := range a.way.Calls {
		if last == active {
			return true
		}
		last = c.Inst
	}
	return last == active || !a.way.Start && r.during(active, last)
}

// during tells whether an instance may run while another one is active.
func (r *Result) during(active, inst pointer.InstID) bool {
	reach, ok := r.callees[active]
	if !ok {
		reach = map[pointer.InstID]bool{active: true}
		queue := []pointer.InstID{active}
		for len(queue) > 0 {
			id := queue[0]
			queue = queue[1:]
			for _, e := range r.pts.Instances[id].Calls {
				if e.How != ir.Spawned && !reach[e.Target] {
					reach[e.Target] = true
					queue = append(queue, e.Target)
				}
			}
		}
		r.callees[active] = reach
	}
	return reach[inst]
}

// innerOf returns the order within one activation of an instance, nil if that is
// too big.
func (r *Result) innerOf(id pointer.InstID) *Result {
	f := runs.Frame{Inst: id, Made: ir.None}
	inner, known := r.inner[f]
	if !known {
		if rs, ok := r.runs.Within(f); ok {
			inner = r.Within(rs)
		}
		r.inner[f] = inner
	}
	return inner
}

// Joined tells whether the instance that starts the origin of a point waits for
// that point before it comes to any of some instructions of its own.
func (r *Result) Joined(starter pointer.InstID, b runs.Point, before []int32) bool {
	inner := r.innerOf(starter)
	if inner == nil || !inner.runs.Inside(b.Inst) {
		return false
	}
	for _, i := range before {
		if !inner.Before(inner.Moment(b), inner.Moment(runs.Point{Inst: starter, Instr: i})) {
			return false
		}
	}
	return true
}

// ApartIn tells whether two moments do not overlap if they belong to one
// activation of an instance, which starts the origin of b.
func (r *Result) ApartIn(active pointer.InstID, a, b Moment) bool {
	return !r.duringWay(active, a) || r.apartInside(active, a, b)
}

// joins tells whether an instance waits for a point of an origin it starts, on
// all ways out.
func (r *Result) joins(id pointer.InstID, b runs.Point) bool {
	inner := r.innerOf(id)
	if inner == nil || !inner.runs.Inside(b.Inst) {
		return false
	}
	body := r.pts.Body(id)
	flow := inner.world(inner.origin(runs.Point{Inst: id})).flows[inner.index(id)]
	if flow == nil {
		return false // it waits for nothing
	}
	found := false
	for k := range body.Blocks {
		end := body.Blocks[k].End - 1
		if flow.may[k] == unreached || body.Instrs[end].Op != ir.OpReturn {
			continue
		}
		found = true
		if !inner.Before(inner.Moment(b), inner.Moment(runs.Point{Inst: id, Instr: end})) {
			return false
		}
	}
	return found
}
