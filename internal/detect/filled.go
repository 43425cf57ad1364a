package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A value that is made when it is first needed is stored under a lock if nothing is
// there yet. Who reads it without the lock after he has looked under the lock himself,
// and made it if nothing was there, does not meet another such store. Nobody here
// looks into whether the value is taken away again, so that this only lowers the
// confidence.

// filledBefore tells whether a stores something under a lock where it has found
// nothing, and b reads it after it was looked for, and put there if there was
// nothing, under the same lock.
func (d *detector) filledBefore(a, b *side) bool {
	if !a.Kind.Writes() || b.Kind.Writes() {
		return false
	}
	held := d.exclusiveNodes(a.Inst, a.Instr)
	if len(held) == 0 {
		return false
	}
	place := d.Points.PointsTo(a.Inst, a.Addr, 0)
	for _, p := range append([]runs.Point{a.point}, a.way.Calls...) {
		for _, c := range d.conditions(p) {
			s, ok := d.stateOf(p.Inst, c, held)
			if ok && s.value == "nil" && s.is && intersect(s.flag, place) &&
				d.onWay(b, func(p runs.Point) bool { return d.filledAt(p, s.flag, held) }) {
				return true
			}
		}
	}
	return false
}

// filledAt tells whether whatever comes to a point has found a place filled under
// one of some locks, or has filled it: in the function of the point, or in one that
// it has called.
func (d *detector) filledAt(p runs.Point, place *pointer.Set, locks []pointer.Node) bool {
	body := d.Points.Body(p.Inst)
	if d.fills(p.Inst, []int32{p.Instr}, place, locks) {
		return true
	}
	for _, e := range d.Points.Instances[p.Inst].Calls {
		if e.How != ir.Now || e.Instr == p.Instr || runs.ReachesStart(body, p.Instr, e.Instr) {
			continue
		}
		if callee := d.Points.Body(e.Target); callee != nil && d.fills(e.Target, returns(callee), place, locks) {
			return true
		}
	}
	return false
}

func returns(body *ir.Body) []int32 {
	var out []int32
	for i := range body.Instrs {
		if body.Instrs[i].Op == ir.OpReturn {
			out = append(out, int32(i))
		}
	}
	return out
}

// fills tells whether an instance comes to some of its instructions only after it
// has looked at a place under one of some locks, and stored something there if there
// was nothing.
func (d *detector) fills(inst pointer.InstID, ends []int32, place *pointer.Set, locks []pointer.Node) bool {
	body := d.Points.Body(inst)
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op == ir.OpStore && d.putsAt(inst, in, place) && anyOf(d.exclusiveNodes(inst, int32(i)), locks) && allAfter(body, ends, int32(i)) {
			return true
		}
		if in.Op != ir.OpIf || !allAfter(body, ends, int32(i)) {
			continue
		}
		c := d.conditionOf(inst, int32(i), true)
		if s, ok := d.stateOf(inst, c, locks); ok && s.value == "nil" && intersect(s.flag, place) {
			succs := body.Succs(body.BlockOf(int32(i)))
			empty := succs[0]
			if !s.is {
				empty = succs[1]
			}
			if d.storesFrom(inst, empty, ends, place) {
				return true
			}
		}
	}
	return false
}

// allAfter tells whether control gets to some instructions by way of another only.
func allAfter(body *ir.Body, ends []int32, by int32) bool {
	for _, e := range ends {
		if e == by || runs.ReachesStart(body, e, by) {
			return false
		}
	}
	return len(ends) > 0
}

// putsAt tells whether an instruction stores something other than nothing in a
// place.
func (d *detector) putsAt(inst pointer.InstID, in *ir.Instr, place *pointer.Set) bool {
	args := d.Points.Body(inst).Args(in)
	return (args[1].Const() == ir.None || d.constant(inst, args[1]) != "nil") && intersect(d.Points.PointsTo(inst, args[0], 0), place)
}

// storesFrom tells whether control that gets from a block to some instructions has
// stored something in a place, itself or in a function that was called.
func (d *detector) storesFrom(inst pointer.InstID, from ir.BlockID, ends []int32, place *pointer.Set) bool {
	body := d.Points.Body(inst)
	stops := make(map[ir.BlockID]bool)
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpStore && d.putsAt(inst, in, place) {
			stops[body.BlockOf(int32(i))] = true
		}
	}
	for _, e := range d.Points.Instances[inst].Calls {
		if e.How == ir.Now && d.storesIn(e.Target, place) {
			stops[body.BlockOf(e.Instr)] = true
		}
	}
	wanted := make(map[ir.BlockID]bool)
	for _, e := range ends {
		wanted[body.BlockOf(e)] = true
	}
	seen := map[ir.BlockID]bool{from: true}
	work := []ir.BlockID{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if stops[b] {
			continue
		}
		if wanted[b] {
			return false
		}
		for _, s := range body.Succs(b) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

// storesIn tells whether an instance stores something in a place.
func (d *detector) storesIn(inst pointer.InstID, place *pointer.Set) bool {
	body := d.Points.Body(inst)
	if body == nil {
		return false
	}
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpStore && d.putsAt(inst, in, place) {
			return true
		}
	}
	return false
}
