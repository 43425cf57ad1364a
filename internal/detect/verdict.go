package detect

import (
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// outcome is what two accesses of one cell come to: a race, or the first thing
// found that keeps them apart.
type outcome uint8

const (
	racing       outcome = iota
	onlyReads            // neither writes
	allAtomic            // both are indivisible
	otherStart           // no run of the program comes to both
	serially             // their origin's instances exclude each other
	ownInstance          // each instance of the origin has its own object
	noElement            // the array has no elements
	behindEnd            // one is behind the end of a slice, the other within it
	bothWaiting          // any number may wait for a group
	otherElement         // different constant indices
	otherObject          // one address leads elsewhere, by what was just stored there
	ownElement           // each instance has its own index
	oneRun               // one origin that runs once
	lockedBoth           // a common lock
	ordered              // one is over before the other begins
	ownedFirst           // nobody else knows the object at the first access
	ownedSecond          // … at the second
	ownStart             // each start of the origin hands over an object of its own
	ownMessage           // each side received an object of its own
	onceOfIt             // the object's own once keeps them apart
	awaitedIt            // one has waited for something of the object that comes after the other
	apartInFrame         // kept apart within the activation the object belongs to
	apartOnWays          // kept apart whichever calls lead to the two
)

// judge tells whether two accesses of a cell race. self is true when both are
// the same access, in two instances of its origin.
func (d *detector) judge(c *sharing.Cell, a, b *side, self bool) outcome {
	if o := d.harmless(a, b, self); o != racing {
		return o
	}
	if d.ofInstance(c, a, b) {
		return ownInstance
	}
	if o := d.separate(a, b); o != racing {
		return o
	}
	return d.judgeOn(c, a, b)
}

// harmless tells whether two accesses are of kinds, or of an origin, that never
// race.
func (d *detector) harmless(a, b *side, self bool) outcome {
	oa := d.Points.Instances[a.Inst].Origin
	switch {
	case !a.Kind.Writes() && !b.Kind.Writes(), self && !a.Kind.Writes():
		return onlyReads
	case a.Kind.Atomic() && b.Kind.Atomic():
		return allAtomic
	case oa == d.Points.Instances[b.Inst].Origin && d.Points.Origins.Get(oa).Serial:
		return serially
	}
	return racing
}

// ofInstance tells whether two accesses are by one origin, each instance of which
// has its own object.
func (d *detector) ofInstance(c *sharing.Cell, a, b *side) bool {
	oa := d.Points.Instances[a.Inst].Origin
	return oa == d.Points.Instances[b.Inst].Origin && d.Sharing.InstanceLocal(c.Object, oa)
}

// separate tells what keeps two accesses apart whatever the object.
func (d *detector) separate(a, b *side) outcome {
	switch {
	case a.Tail != b.Tail:
		return behindEnd
	case d.bothWait(a, b):
		return bothWaiting
	case disjoint(a, b):
		return otherElement
	case d.ownElements(a, b):
		return ownElement
	}
	return d.coexist(view{d.Runs, d.Order}, a, b)
}

// judgeOn is judge for accesses that nothing but their object keeps apart.
func (d *detector) judgeOn(c *sharing.Cell, a, b *side) outcome {
	if d.isEmpty(c.Object) {
		return noElement
	}
	if d.misses(c.Object, a) || d.misses(c.Object, b) {
		return otherObject
	}
	switch {
	case d.owned(a):
		return ownedFirst
	case d.owned(b):
		return ownedSecond
	case d.insideOwned(a, b):
		return ownedFirst
	case d.insideOwned(b, a):
		return ownedSecond
	case d.ownObjects(c, a, b):
		return ownStart
	case d.transferred(c.Object, a, b):
		return ownMessage
	case d.onceOfObject(a, b):
		return onceOfIt
	case d.awaited(c, a, b):
		return awaitedIt
	case d.concurrentFor(c.Object, a, b) == apart, d.oneFrame(c, a, b):
		return apartInFrame
	}
	if d.faint(c, a, b) {
		return racing // whatever the ways, the confidence is low
	}
	if _, ok := d.witness(c, a, b); !ok {
		return apartOnWays
	}
	return racing
}

// coexist tells whether two accesses to the same memory can happen at the same
// time: in two origins, or two instances of one, without a common lock and
// without order.
func (d *detector) coexist(v view, a, b *side) outcome {
	if o := d.unordered(v.runs, a, b); o != racing {
		return o
	}
	x, y := d.moment(v, a), d.moment(v, b)
	if v.order.Before(x, y) || v.order.Before(y, x) || v.order.Apart(x, y) {
		return ordered
	}
	return racing
}

// unordered is coexist without order, which takes long to find in a frame.
func (d *detector) unordered(rs *runs.Result, a, b *side) outcome {
	if !d.Runs.Together(a.Inst, a.way, b.Inst, b.way) {
		return otherStart
	}
	if oa := d.Points.Instances[a.Inst].Origin; oa == d.Points.Instances[b.Inst].Origin && (!rs.Many(oa) || a.actor != noActor && a.actor == b.actor) {
		return oneRun
	}
	if len(a.locks.Locks) > 0 && len(b.locks.Locks) > 0 {
		if _, ok := d.commonLock(rs, a, b); ok {
			return lockedBoth
		}
	}
	return racing
}

// moment returns when an access happens, in a view.
func (d *detector) moment(v view, s *side) order.Moment {
	if v.order == d.Order && len(s.way.Calls) == 0 && !s.way.Start {
		return s.when
	}
	var m order.Moment
	if s.within != nil && (v.order == d.Order || v.order == d.firm) {
		m = d.momentWithin(v.order, s)
	} else {
		m = v.order.Via(s.point, s.way)
	}
	if s.actor != noActor {
		m = m.Alone(d.ownCode(s.actor, d.Points.Instances[s.Inst].Origin))
	}
	return m
}
