package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// What is done for a call by others that the called function starts, and waits for
// on all ways out, is over when the call returns. So who takes an object that is
// only put there after the call comes after that too.

// maxEnds bounds the calls that are looked at to find the ways to a function that
// starts an origin.
const maxEnds = 100

// takenAfterEnd tells whether b comes after a because somebody on the way to b has
// an object that is only put where he takes it from after a call that a is over
// with, whichever calls led to that.
func (d *detector) takenAfterEnd(v view, obj pointer.ObjectID, a, b *side) bool {
	starter, ok := d.endsWith(a)
	if !ok {
		return false
	}
	l := ends{detector: d, object: obj, left: maxEnds}
	for _, c := range d.Runs.CallersOf(starter) {
		if !l.add(runs.Point{Inst: c.Inst, Instr: c.Instr + 1}, runs.Way{}) {
			return false
		}
	}
	for _, e := range l.list {
		if !d.takenLater(v, obj, e, b) {
			return false
		}
	}
	return len(l.list) > 0
}

// endsWith returns the instance that alone starts the origin of an access and waits
// for the access before it returns.
func (d *detector) endsWith(a *side) (pointer.InstID, bool) {
	o := d.Points.Instances[a.Inst].Origin
	points := d.Runs.SpawnPoints[o]
	for _, p := range points {
		if p.Inst != points[0].Inst {
			return 0, false
		}
	}
	if len(points) == 0 || d.Points.Instances[points[0].Inst].Origin == o || d.isEntry(points[0].Inst) {
		return 0, false
	}
	return points[0].Inst, d.Order.JoinedBy(points[0].Inst, a.point)
}

// ends collects points after calls, with the ways to them.
type ends struct {
	*detector
	object pointer.ObjectID // what is accessed
	left   int
	list   []*side
}

// add adds a point as it is reached by all ways that go on from one. It is false if
// they are too many.
func (l *ends) add(p runs.Point, way runs.Way) bool {
	if l.left--; l.left < 0 || len(way.Calls) == maxCalls {
		return false
	}
	last := way.Last(p.Inst)
	if l.isEntry(last) {
		whole := runs.Way{Calls: way.Calls, Start: true}
		l.list = append(l.list, &side{Access: sharing.Access{Inst: p.Inst, Instr: p.Instr}, point: p, way: whole,
			actor: l.actorOf(p.Inst, whole, l.object), when: l.Order.Moment(p), number: noNumber})
	}
	for _, c := range l.Runs.CallersOf(last) {
		calls := append(way.Calls[:len(way.Calls):len(way.Calls)], c)
		if c.How != ir.Now || !l.add(p, runs.Way{Calls: calls}) {
			return false
		}
	}
	return true
}
