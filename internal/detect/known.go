package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
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
	when := d.moment(v, a)
	last := b.Inst
	for k := -1; k < len(b.way.Calls); k++ {
		if k >= 0 {
			last = b.way.Calls[k].Inst
		}
		for _, objects := range d.operandsOf(last) {
			later := true
			for _, o := range objects {
				later = later && d.isLater(v, a, when, o)
			}
			if later {
				return true
			}
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

// isLater tells whether an object is made after a, or is still unknown to others
// at a.
func (d *detector) isLater(v view, a *side, when order.Moment, obj pointer.ObjectID) bool {
	o := &d.Points.Objects[obj]
	if o.Origin != d.Points.Instances[a.Inst].Origin {
		return v.order.Before(when, v.order.Moment(runs.Point{Inst: o.Inst, Instr: o.Site.Instr}))
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
