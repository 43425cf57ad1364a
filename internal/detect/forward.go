package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// misses tells whether an access does not touch an object that its address may
// lead to by the memory it is loaded from: the same function has just stored
// something else there.
func (d *detector) misses(obj pointer.ObjectID, s *side) bool {
	at := runs.Point{Inst: s.Inst, Instr: s.Instr}
	v, known := d.forwards[at]
	if !known {
		v, _ = d.forwarded(s.Inst, s.Addr)
		d.forwards[at] = v
	}
	return v != ir.NoValue && !d.leadsTo(s.Inst, v, obj) && !d.Points.PointsTo(s.Inst, v, 0).Empty()
}

// forwarded returns the value that an address is computed from, if that is loaded
// from where the same function has stored it.
func (d *detector) forwarded(inst pointer.InstID, addr ir.Value) (ir.Value, bool) {
	k, ok := d.baseLoad(inst, addr)
	if !ok {
		return ir.NoValue, false
	}
	return d.storedFor(inst, k)
}

// baseLoad returns the load of the address that another one lies within.
func (d *detector) baseLoad(inst pointer.InstID, addr ir.Value) (load int32, ok bool) {
	fn := d.Points.Instances[inst].Func
	body := d.Points.Body(inst)
	for {
		k := d.Points.Prog.Definition(fn, addr)
		if k < 0 {
			return 0, false
		}
		in := &body.Instrs[k]
		switch in.Op {
		case ir.OpField, ir.OpIndex, ir.OpOffset, ir.OpElement:
			addr = body.Args(in)[0]
		case ir.OpLoad:
			return k, true
		default:
			return 0, false
		}
	}
}

// storedFor returns the value that a load surely finds: a store to the same place
// is on every way to it, and nothing in between may write that place.
func (d *detector) storedFor(inst pointer.InstID, load int32) (ir.Value, bool) {
	body := d.Points.Body(inst)
	from := body.Args(&body.Instrs[load])[0]
	t := d.Locks.Paths(inst)
	p := t.Value(from)
	if p == path.None {
		return ir.NoValue, false
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore || t.Value(body.Args(in)[0]) != p || body.Args(in)[1].Reg() == ir.None {
			continue
		}
		store := int32(i)
		if !runs.ReachesStart(body, load, store) && d.undisturbed(inst, store, load, from) {
			return body.Args(in)[1], true
		}
	}
	return ir.NoValue, false
}

// undisturbed tells whether nothing between a store and a load may write what is
// loaded.
func (d *detector) undisturbed(inst pointer.InstID, store, load int32, from ir.Value) bool {
	body := d.Points.Body(inst)
	place := d.Points.PointsTo(inst, from, 0)
	for i := range body.Instrs {
		k := int32(i)
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpStore:
			if k == store || !d.overlap(place, d.Points.PointsTo(inst, body.Args(in)[0], 0)) {
				continue
			}
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpRunDefers, ir.OpOnce, ir.OpAtomic, ir.OpAccess, ir.OpCopyRange, ir.OpSetRange,
			ir.OpRecv, ir.OpSelect, ir.OpLock, ir.OpGroup, ir.OpJoin, ir.OpAwait, ir.OpCondWait:
			// Others may run meanwhile.
		default:
			continue
		}
		if runs.Reaches(body, store, k, store) && runs.Reaches(body, k, load, store) {
			return false
		}
	}
	return true
}

// overlap tells whether two sets have something in common.
func (d *detector) overlap(a, b *pointer.Set) bool {
	var list []pointer.Node
	a.Each(func(n pointer.Node) bool {
		list = append(list, n)
		return true
	})
	found := false
	b.Each(func(n pointer.Node) bool {
		found = slices.Contains(list, n)
		return !found
	})
	return found
}
