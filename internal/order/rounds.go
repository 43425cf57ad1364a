package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A meeting is a wait for a group by who says done right before it: nobody goes on
// before all have come. Unlike other groups, one that origins meet by may be used
// round by round, and is taken to have no members but those that meet.

// isMeeting tells whether the wait at a point is a meeting.
func (r *Result) isMeeting(p runs.Point) bool {
	return p.Inst >= 0 && isMeetingAt(r.pts.Body(p.Inst), p.Instr)
}

func isMeetingAt(body *ir.Body, i int32) bool {
	wait := &body.Instrs[i]
	if wait.Op != ir.OpGroup || ir.GroupKind(wait.Sub) != ir.GroupWait || i == body.Blocks[body.BlockOf(i)].First {
		return false
	}
	done := &body.Instrs[i-1]
	return done.Op == ir.OpGroup && ir.GroupKind(done.Sub) == ir.GroupDone && body.Args(done)[0] == body.Args(wait)[0]
}

// roundsBefore is R-ORDER-15: b has met the others more often than a's origin can
// have come by then, and a's origin is one of those that are waited for.
func (r *Result) roundsBefore(a, b Moment) (runs.Point, bool) {
	w := r.world(r.origin(b.Point))
	met := make(map[pointer.Node]int)
	for _, k := range b.sets.waits {
		c := &w.cuts[k]
		if c.op != ir.OpGroup || c.object == noNode || c.point.Inst < 0 || !r.isMeeting(c.point) {
			continue
		}
		met[c.object]++
		if n, ok := r.arrivals(a, c.object); ok && n < met[c.object] && r.comesAgain(a, c.object) {
			return c.point, true
		}
	}
	return nowhere, false
}

// arrivals returns how often a's origin can have said done before a, ok is false
// if that is not bounded.
func (r *Result) arrivals(a Moment, group pointer.Node) (n int, ok bool) {
	w := r.world(r.origin(a.Point))
	ok = true
	a.sets.may.each(func(k int32) {
		c := &w.cuts[k]
		switch {
		case c.op != ir.OpGroup || ir.GroupKind(c.sub) != ir.GroupDone || c.point.Inst < 0:
		case c.object == group:
			n++
			ok = ok && !r.runs.Often(c.point.Inst) && !r.runs.InLoop(c.point)
		case c.object == noNode && c.any.Has(group):
			ok = false
		}
	})
	return n, ok
}

// comesAgain tells whether a's origin is counted before anybody can wait, and
// surely says done once more after a.
func (r *Result) comesAgain(a Moment, group pointer.Node) bool {
	o := r.origin(a.Point)
	w := r.world(o)
	later := newSet(len(w.cuts))
	for k := range w.cuts {
		c := &w.cuts[k]
		if c.op == ir.OpGroup && c.object == group && ir.GroupKind(c.sub) == ir.GroupDone && c.point.Inst >= 0 && !a.sets.may.has(int32(k)) {
			later.add(int32(k))
		}
	}
	for i, id := range w.insts {
		if r.runs.Entry(id) && !w.sets.get(w.mustGen[i]).overlaps(later) {
			return false
		}
	}
	if r.runs.Root(o) {
		return r.addedBy(a, group)
	}
	points := r.runs.SpawnsOf(o)
	for _, p := range points {
		if !r.added(p, group) {
			return false
		}
	}
	return len(points) > 0
}

// OtherRound is R-ORDER-16: both points are in one function, or in what it calls,
// that all who meet by a group run once; its meetings come in one order, whatever
// way is taken, and the points lie between different ones.
func (r *Result) OtherRound(a, b Moment) bool {
	for _, p := range positions(a) {
		for _, q := range positions(b) {
			if r.pts.Instances[p.Inst].Func == r.pts.Instances[q.Inst].Func && r.roundsDiffer(p, q) {
				return true
			}
		}
	}
	return false
}

// positions returns where a moment is in each function that is known to be
// active.
func positions(m Moment) []runs.Point {
	list := []runs.Point{m.Point}
	return append(list, m.way.Calls...)
}

// roundsDiffer tells whether two points of one function are never in the same
// round.
func (r *Result) roundsDiffer(p, q runs.Point) bool {
	body := r.pts.Body(p.Inst)
	var group pointer.Node
	var meetings []int32
	for i := range body.Instrs {
		if !isMeetingAt(body, int32(i)) {
			continue
		}
		n, ok := r.meetingOf(p.Inst, body, int32(i))
		m, same := r.meetingOf(q.Inst, body, int32(i))
		if !ok || !same || n != m || len(meetings) > 0 && n != group {
			return false
		}
		group = n
		meetings = append(meetings, int32(i))
	}
	if len(meetings) == 0 || len(meetings) > 32 || !r.meetOnlyIn(group, p) {
		return false
	}
	last := lastMeetings(body, meetings)
	if !oneOrder(body, meetings, last) {
		return false
	}
	at := func(p runs.Point) uint64 { return meetingsBefore(body, meetings, last, body.BlockOf(p.Instr), p.Instr) }
	return at(p)&at(q) == 0
}

// meetingOf returns the group of a meeting, if it is one unique thing.
func (r *Result) meetingOf(inst pointer.InstID, body *ir.Body, i int32) (pointer.Node, bool) {
	n, ok := r.pts.PointsTo(inst, body.Args(&body.Instrs[i])[0], 0).Single()
	return n, ok && r.runs.UniqueNode(n)
}

// meetOnlyIn tells whether all who use a group to wait or say done do it in the
// function of a point, which each of them runs once.
func (r *Result) meetOnlyIn(group pointer.Node, p runs.Point) bool {
	fn := r.pts.Instances[p.Inst].Func
	for _, ref := range r.byObject[group] {
		c := &r.worlds[ref.origin].cuts[ref.cut]
		if c.op != ir.OpGroup || ir.GroupKind(c.sub) == ir.GroupAdd || c.point.Inst < 0 {
			continue
		}
		if r.pts.Instances[c.point.Inst].Func != fn || r.runs.Often(c.point.Inst) {
			return false
		}
	}
	return true
}

// lastMeetings returns for each block which meetings may have been the last one
// when it begins: bit i+1 for meeting i, bit 0 for none.
func lastMeetings(body *ir.Body, meetings []int32) []uint64 {
	last := make([]uint64, len(body.Blocks))
	last[0] = 1
	for changed := true; changed; {
		changed = false
		flow := func(to ir.BlockID, bits uint64) {
			if last[to]|bits != last[to] {
				last[to] |= bits
				changed = true
			}
		}
		for b := range body.Blocks {
			id := ir.BlockID(b)
			if last[b] == 0 {
				continue
			}
			end := meetingsBefore(body, meetings, last, id, body.Blocks[b].End)
			for _, s := range body.Succs(id) {
				flow(s, end)
			}
			for _, h := range body.Handlers(id) { // from anywhere in the block
				flow(h, last[b]|end)
			}
		}
	}
	return last
}

// meetingsBefore returns which meetings may have been the last one before an
// instruction of a block, or at its end.
func meetingsBefore(body *ir.Body, meetings []int32, last []uint64, b ir.BlockID, instr int32) uint64 {
	bits := last[b]
	for i, m := range meetings {
		if body.Blocks[b].First <= m && m < instr {
			bits = 1 << (i + 1)
		}
	}
	return bits
}

// oneOrder tells whether what meeting comes next depends on the last one alone.
func oneOrder(body *ir.Body, meetings []int32, last []uint64) bool {
	var led uint64
	for _, m := range meetings {
		before := meetingsBefore(body, meetings, last, body.BlockOf(m), m)
		if before == 0 {
			continue // never reached
		}
		if led&before != 0 {
			return false
		}
		led |= before
	}
	return true
}
