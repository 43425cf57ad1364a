package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// picked tells whether an access is of an object that its origin fetches anew in
// every turn of a loop: what a call returns, what is received, an element whose
// index was handed out. Of many objects two such workers seldom have the same one
// at the same time, for that is what the fetching is there for.
func (d *detector) picked(s *side) bool {
	return d.fetched(s.Inst, s.locks.Path, maxLift)
}

func (d *detector) fetched(inst pointer.InstID, p path.ID, depth int) bool {
	if p == path.None || depth == 0 {
		return false
	}
	t := d.Locks.Paths(inst)
	for id := p; id != path.None; id = t.Get(id).Parent {
		if step := t.Get(id); step.Kind == path.Elem && d.handedOut(inst, ir.RegValue(ir.Reg(step.N))) {
			return true
		}
	}
	switch root := t.Get(t.Root(p)); root.Kind {
	case path.Value:
		if in := &d.Points.Body(inst).Instrs[root.N]; in.Op == ir.OpAlloc {
			return d.holdsFetched(inst, in.Dst, depth)
		}
		return d.Runs.InLoop(runs.Point{Inst: inst, Instr: root.N}) && d.fetches(inst, root.N)
	case path.Param, path.Capture:
		if d.isEntry(inst) {
			return false
		}
		callers := d.Runs.CallersOf(inst)
		for _, c := range callers {
			v, ok := d.operandOf(c, root)
			if !ok || !d.fetched(c.Inst, d.Locks.Paths(c.Inst).Value(v), depth-1) {
				return false
			}
		}
		return len(callers) > 0
	}
	return false
}

// holdsFetched tells whether a variable is only given fetched objects.
func (d *detector) holdsFetched(inst pointer.InstID, cell ir.Reg, depth int) bool {
	body := d.Points.Body(inst)
	found := false
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore || body.Args(in)[0] != ir.RegValue(cell) {
			continue
		}
		if !d.fetched(inst, d.Locks.Paths(inst).Value(body.Args(in)[1]), depth-1) {
			return false
		}
		found = true
	}
	return found
}

// fetches tells whether an instruction gets an object from elsewhere.
func (d *detector) fetches(inst pointer.InstID, instr int32) bool {
	body := d.Points.Body(inst)
	in := &body.Instrs[instr]
	switch in.Op {
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpRecv, ir.OpSelect:
		return true
	case ir.OpExtract:
		k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, body.Args(in)[0])
		return k >= 0 && d.fetches(inst, k)
	case ir.OpPhi:
		for _, v := range body.Args(in) {
			k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
			if k < 0 || body.Instrs[k].Op == ir.OpPhi || !d.fetches(inst, k) {
				return false
			}
		}
		return true
	}
	return false
}
