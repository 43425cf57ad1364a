package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// maxKnown bounds the objects that an operand may be for what their making says
// about the order of things.
const maxKnown = 128

// knownLater tells whether b comes after a because somebody on the way to b has
// an object that is not made, or not known to anybody else, before a is over:
// the method of a server runs after whatever its constructor has done before it
// let the server out.
func (d *detector) knownLater(v view, a, b *side) bool {
	when := d.moment(v, a)
	last := b.Inst
	for k := -1; k < len(b.way.Calls); k++ {
		if k >= 0 {
			last = b.way.Calls[k].Inst
		}
		if d.hasLater(v, a, when, last, true) {
			return true
		}
	}
	// Whoever starts an origin has had his objects before that; that others do not
	// know them yet says nothing, for he may be the one who does a.
	points := d.Runs.SpawnPoints[d.Points.Instances[b.Inst].Origin]
	for _, p := range points {
		if !d.hasLater(v, a, when, p.Inst, false) {
			return false
		}
	}
	return len(points) > 0
}

// hasLater tells whether an instance has an operand that can only be an object
// which is not made or, if others is true, not known to others before a is over.
func (d *detector) hasLater(v view, a *side, when order.Moment, inst pointer.InstID, others bool) bool {
	for _, objects := range d.operandsOf(inst) {
		later := true
		for _, o := range objects {
			later = later && (d.madeLater(v, a, when, o) || others && d.unknownAt(a, o))
		}
		if later {
			return true
		}
	}
	return false
}

// operandsOf returns, for the parameters and captures of an instance that are
// known to lead to few objects made by somebody, those objects.
func (d *detector) operandsOf(inst pointer.InstID) [][]pointer.ObjectID {
	list, known := d.operands[inst]
	if known {
		return list
	}
	body := d.Points.Body(inst)
	for r := ir.Reg(0); int32(r) < body.Params+body.Captures; r++ {
		set := d.Points.PointsTo(inst, ir.RegValue(r), 0)
		if n := set.Len(); n == 0 || n > maxKnown {
			continue
		}
		var objects []pointer.ObjectID
		set.Each(func(n pointer.Node) bool {
			id, _ := d.Points.Object(n)
			if id == pointer.NoObject || d.Points.Objects[id].Inst < 0 || d.Points.Objects[id].Kind == pointer.ObjectFunc || d.Points.Objects[id].Kind == pointer.ObjectBox {
				objects = nil
				return false
			}
			objects = append(objects, id)
			return true
		})
		if objects != nil {
			list = append(list, objects)
		}
	}
	d.operands[inst] = list
	return list
}

// madeLater tells whether an object is made after a.
func (d *detector) madeLater(v view, a *side, when order.Moment, obj pointer.ObjectID) bool {
	o := &d.Points.Objects[obj]
	made := v.order.Moment(runs.Point{Inst: o.Inst, Instr: o.Site.Instr})
	if o.Origin != d.Points.Instances[a.Inst].Origin {
		return v.order.Before(when, made)
	}
	return v.order.OnceBefore(when, made) || d.notMadeYet(a, o.Inst, o.Site.Instr)
}

// notMadeYet tells whether the instance of an origin that comes to a, and is the
// only one to make an object, has not made it before: nothing that it has called
// on the way to a does.
func (d *detector) notMadeYet(a *side, maker pointer.InstID, site int32) bool {
	if !a.way.Start || !d.oneActivation(a, maker) {
		return false
	}
	leads := d.callersOf(maker)
	at, inst := a.Instr, a.Inst
	for k := 0; ; k++ {
		body := d.Points.Body(inst)
		if inst == maker && runs.Reaches(body, site, at, ir.None) {
			return false
		}
		for _, e := range d.Points.Instances[inst].Calls {
			if e.How != ir.Spawned && leads[e.Target] && e.Instr != at && runs.Reaches(body, e.Instr, at, ir.None) {
				return false
			}
		}
		if k == len(a.way.Calls) {
			return true
		}
		at, inst = a.way.Calls[k].Instr, a.way.Calls[k].Inst
	}
}

// callersOf returns an instance and all that lead to it.
func (d *detector) callersOf(inst pointer.InstID) map[pointer.InstID]bool {
	seen, known := d.leading[inst]
	if known {
		return seen
	}
	seen = map[pointer.InstID]bool{inst: true}
	queue := []pointer.InstID{inst}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, c := range d.Runs.Callers[id] {
			if !seen[c.Inst] {
				seen[c.Inst] = true
				queue = append(queue, c.Inst)
			}
		}
	}
	d.leading[inst] = seen
	return seen
}

// unknownAt tells whether a function on the way to a, which runs once, makes an
// object that nobody else knows at a.
func (d *detector) unknownAt(a *side, obj pointer.ObjectID) bool {
	if d.Points.Objects[obj].Origin != d.Points.Instances[a.Inst].Origin {
		return false
	}
	at, inst := a.Instr, a.Inst
	for k := 0; ; k++ {
		if d.oneActivation(a, inst) && d.Owners.Unknown(inst, at, obj) {
			return true
		}
		if k == len(a.way.Calls) {
			return false
		}
		at, inst = a.way.Calls[k].Instr, a.way.Calls[k].Inst
	}
}

// oneActivation tells whether an instance runs once, as far as is believed.
func (d *detector) oneActivation(a *side, inst pointer.InstID) bool {
	o := d.Points.Instances[inst].Origin
	return !d.Runs.Often(inst) && (!d.Runs.Many(o) || a.actor != noActor && d.ownCode(a.actor, o)[inst])
}
