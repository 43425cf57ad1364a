package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// ownedInside tells whether one access is of memory that it gets from an object
// which nobody else knows yet, and the other side gets it from such an object too:
// the slice of a message that is filled before the message is sent.
func (d *detector) ownedInside(a, b *side) bool {
	return d.insideOwned(a, b) || d.insideOwned(b, a)
}

func (d *detector) insideOwned(a, b *side) bool {
	from, ok := d.loadedFrom(a.Inst, a.Addr)
	if !ok {
		return false
	}
	other, ok := d.loadedFrom(b.Inst, b.Addr)
	if !ok || !d.Owners.OwnedVia(a.Inst, a.Instr, from, a.way) {
		return false
	}
	holders := d.targetsOf(a.Inst, from)
	for _, h := range d.targetsOf(b.Inst, other) {
		if !slices.Contains(holders, h) {
			return false
		}
	}
	return len(holders) > 0 && len(holders) < maxKnown && d.oneForEach(a, from)
}

// oneForEach tells whether what an access finds at an address was made for the
// object that holds it: whoever stores it there has made it since it stored one
// before.
func (d *detector) oneForEach(s *side, from ir.Value) bool {
	objects := d.targetsOf(s.Inst, s.Addr)
	ok := true
	d.Points.PointsTo(s.Inst, from, 0).Each(func(n pointer.Node) bool {
		c := d.cellAt(n)
		ok = ok && c != nil
		for k := 0; ok && k < len(c.Accesses); k++ {
			ok = d.storesNew(c.Accesses[k], objects)
		}
		return ok
	})
	for _, o := range objects {
		ok = ok && d.Points.Objects[o].Inst >= 0 && len(d.Sharing.Holders(o)) == 1
	}
	return ok && len(objects) > 0
}

// storesNew tells whether an access does not store one of some objects, or only
// one that its function has made since it stored one before.
func (d *detector) storesNew(w sharing.Access, objects []pointer.ObjectID) bool {
	if !w.Kind.Writes() {
		return true
	}
	body := d.Points.Body(w.Inst)
	in := &body.Instrs[w.Instr]
	if in.Op != ir.OpStore {
		return false
	}
	for _, id := range objects {
		o := &d.Points.Objects[id]
		if d.leadsTo(w.Inst, body.Args(in)[1], id) && (o.Inst != w.Inst || runs.Reaches(body, w.Instr, w.Instr, o.Site.Instr)) {
			return false
		}
	}
	return true
}

// loadedFrom returns the address that the base of another one is loaded from.
func (d *detector) loadedFrom(inst pointer.InstID, addr ir.Value) (ir.Value, bool) {
	k, ok := d.baseLoad(inst, addr)
	if !ok {
		return ir.NoValue, false
	}
	body := d.Points.Body(inst)
	return body.Args(&body.Instrs[k])[0], true
}
