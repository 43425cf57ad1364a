package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// element is one of an array, as the function that starts an origin names it.
type element struct {
	of    path.ID // the array
	index ir.Reg
	at    int32 // the instruction of the function that the access is at, or in a call of
}

// ownParts tells whether two accesses are to different elements, or in order,
// because a loop hands each instance of an origin the address of the element that
// its counter tells: instances have different ones, and what the loop does with
// an element before it starts the instance comes before.
func (d *detector) ownParts(a, b *side) bool {
	ob := d.Points.Instances[b.Inst].Origin
	points := d.Runs.SpawnPoints[ob]
	if len(points) != 1 || !d.Runs.InLoop(points[0]) {
		return false
	}
	p := points[0]
	y, ok := d.elementFor(b, p)
	if !ok {
		return false
	}
	x, ok := d.elementFor(a, p)
	if !ok || x.of != y.of || x.index != y.index || !d.ownArray(p, x.of) || !d.isCounter(p, ir.RegValue(x.index), 3) {
		return false
	}
	if d.Points.Instances[a.Inst].Origin == ob {
		return true
	}
	return !runs.Reaches(d.Points.Body(p.Inst), p.Instr, x.at, d.counterHead(p, x.index))
}

// ownArray tells whether two activations of the function that starts an origin do
// not have the same array.
func (d *detector) ownArray(p runs.Point, of path.ID) bool {
	if !d.Runs.Often(p.Inst) && !d.Runs.Many(d.Points.Instances[p.Inst].Origin) {
		return true
	}
	t := d.Locks.Paths(p.Inst)
	root := t.Get(t.Root(of))
	if root.Kind != path.Value {
		return false
	}
	op := d.Points.Body(p.Inst).Instrs[root.N].Op
	return op == ir.OpAlloc || op == ir.OpMakeSlice
}

// counterHead returns the instruction that begins a turn of the loop that a
// counter belongs to.
func (d *detector) counterHead(p runs.Point, index ir.Reg) int32 {
	body := d.Points.Body(p.Inst)
	k := d.Points.Prog.Definition(d.Points.Instances[p.Inst].Func, ir.RegValue(index))
	for k >= 0 && body.Instrs[k].Op != ir.OpPhi && body.Instrs[k].Args.Len > 0 {
		k = d.Points.Prog.Definition(d.Points.Instances[p.Inst].Func, body.Args(&body.Instrs[k])[0])
	}
	return k
}

// elementFor follows the address of an access, by the calls that lead to it, to
// an element that the activation with a spawn names.
func (d *detector) elementFor(s *side, spawn runs.Point) (element, bool) {
	inst, v, at := s.Inst, s.Addr, s.Instr
	for k := 0; ; k++ {
		if inst == spawn.Inst {
			e, ok := d.elementIn(inst, v)
			e.at = at
			return e, ok
		}
		param := d.parameter(inst, v)
		if param == ir.None {
			if w, ok := d.captured(inst, v, spawn); ok && k == len(s.way.Calls) && s.way.Start {
				e, ok := d.elementIn(spawn.Inst, w)
				e.at = spawn.Instr
				return e, ok
			}
			return element{}, false
		}
		c := spawn
		switch {
		case k < len(s.way.Calls):
			c = s.way.Calls[k]
		case k > len(s.way.Calls) || !s.way.Start || d.Points.Instances[inst].Origin == d.Points.Instances[spawn.Inst].Origin:
			return element{}, false
		}
		body := d.Points.Body(c.Inst)
		in := &body.Instrs[c.Instr]
		args := body.Args(in)
		if in.Flags&ir.FlagGroup != 0 {
			args = args[1:]
		}
		if in.Op == ir.OpCallPtr {
			args = args[1:]
		}
		if in.Op == ir.OpInvoke || int(param) >= len(args) {
			return element{}, false
		}
		inst, v, at = c.Inst, args[param], c.Instr
	}
}

// captured returns the value that a spawned closure has captured and that an
// address of it leads into: itself, or in a variable that is made anew for every
// run of the spawn and given one value.
func (d *detector) captured(inst pointer.InstID, v ir.Value, spawn runs.Point) (ir.Value, bool) {
	t := d.Locks.Paths(inst)
	p := t.Value(v)
	if p == path.None {
		return ir.NoValue, false
	}
	steps := t.Steps(p)
	body := d.Points.Body(spawn.Inst)
	fn := d.Points.Instances[spawn.Inst].Func
	var operands []ir.Value
	for _, a := range body.Args(&body.Instrs[spawn.Instr]) {
		if k := d.Points.Prog.Definition(fn, a); k >= 0 && body.Instrs[k].Op == ir.OpClosure {
			operands = body.Args(&body.Instrs[k])
		}
	}
	if steps[0].Kind != path.Capture || int(steps[0].N) >= len(operands) {
		return ir.NoValue, false
	}
	operand := operands[steps[0].N]
	deref := len(steps) > 1 && steps[1].Kind == path.Deref
	for _, st := range steps[min(2, len(steps)):] {
		if st.Kind == path.Deref {
			return ir.NoValue, false
		}
	}
	if !deref {
		return operand, true
	}
	cell := d.Points.Prog.Definition(fn, operand)
	if cell < 0 || body.Instrs[cell].Op != ir.OpAlloc || runs.Reaches(body, spawn.Instr, spawn.Instr, cell) {
		return ir.NoValue, false
	}
	stored := ir.NoValue
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpStore && body.Args(in)[0] == operand {
			if stored != ir.NoValue {
				return ir.NoValue, false
			}
			stored = body.Args(in)[1]
		}
	}
	return stored, stored != ir.NoValue
}

// elementIn recognises an address within an element with a computed index.
func (d *detector) elementIn(inst pointer.InstID, v ir.Value) (element, bool) {
	t := d.Locks.Paths(inst)
	for p := t.Value(v); p != path.None; p = t.Get(p).Parent {
		switch step := t.Get(p); step.Kind {
		case path.Elem:
			return element{of: step.Parent, index: ir.Reg(step.N)}, true
		case path.Deref:
			return element{}, false
		}
	}
	return element{}, false
}
