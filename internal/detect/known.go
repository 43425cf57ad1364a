package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// maxKnown bounds the objects that an operand may be for what their making says
// about the order of things.
const maxKnown = 8

// knownLater tells whether b comes after a because somebody on the way to b has
// an object that is not made, or not known to anybody else, before a is over:
// the method of a server runs after whatever its constructor has done before it
// let the server out.
func (d *detector) knownLater(v view, a, b *side) bool {
	last := b.Inst
	for k := -1; k < len(b.way.Calls); k++ {
		if k >= 0 {
			last = b.way.Calls[k].Inst
		}
		body := d.Points.Body(last)
		for r := ir.Reg(0); int32(r) < body.Params+body.Captures; r++ {
			if d.allLater(v, a, last, ir.RegValue(r)) {
				return true
			}
		}
	}
	return false
}

// allLater tells whether everything that an operand may point to is not known to
// others before a is over.
func (d *detector) allLater(v view, a *side, inst pointer.InstID, operand ir.Value) bool {
	set := d.Points.PointsTo(inst, operand, 0)
	if n := set.Len(); n == 0 || n > maxKnown {
		return false
	}
	later := true
	set.Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		later = id != pointer.NoObject && d.isLater(v, a, id)
		return later
	})
	return later
}

// isLater tells whether an object is made after a, or is still unknown to others
// at a.
func (d *detector) isLater(v view, a *side, obj pointer.ObjectID) bool {
	o := &d.Points.Objects[obj]
	if o.Inst < 0 || o.Kind == pointer.ObjectFunc || o.Kind == pointer.ObjectBox {
		return false
	}
	made := runs.Point{Inst: o.Inst, Instr: o.Site.Instr}
	if o.Origin != d.Points.Instances[a.Inst].Origin {
		return v.order.Before(d.moment(v, a), v.order.Moment(made))
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
