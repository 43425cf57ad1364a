package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// argument is something an origin is started with.
type argument struct {
	kind path.Kind // Param or Capture
	n    int32
}

// ownElements tells whether two instances of one origin use different elements:
// both index by the same argument of the origin, which counts up in the loop
// that starts it.
func (d *detector) ownElements(a, b *side) bool {
	o := d.Points.Instances[a.Inst].Origin
	if o != d.Points.Instances[b.Inst].Origin {
		return false
	}
	x, okX := d.indexArgument(a)
	y, okY := d.indexArgument(b)
	points := d.Runs.SpawnPoints[o]
	return okX && okY && x == y && len(points) == 1 && d.countsUp(points[0], x)
}

// indexArgument returns the argument of its origin that an access uses as the
// index of an element.
func (d *detector) indexArgument(s *side) (argument, bool) {
	t := d.Locks.Paths(s.Inst)
	for id := s.locks.Path; id != path.None; id = t.Get(id).Parent {
		switch p := t.Get(id); p.Kind {
		case path.Elem:
			return d.originArgument(s.Inst, t.Value(ir.RegValue(ir.Reg(p.N))), maxLift)
		case path.Deref:
			return argument{}, false
		}
	}
	return argument{}, false
}

// originArgument traces a value to an argument of the origin.
func (d *detector) originArgument(inst pointer.InstID, p path.ID, depth int) (argument, bool) {
	if p == path.None || depth == 0 {
		return argument{}, false
	}
	t := d.Locks.Paths(inst)
	step := t.Get(p)
	if step.Kind == path.Deref { // a captured variable
		step = t.Get(step.Parent)
	}
	if step.Parent != path.None || step.Kind != path.Param && step.Kind != path.Capture {
		return argument{}, false
	}
	if d.isEntry(inst) {
		return argument{step.Kind, step.N}, true
	}
	if step.Kind != path.Param {
		return argument{}, false
	}
	var found argument
	callers := d.Runs.CallersOf(inst)
	for i, c := range callers {
		body := d.Points.Body(c.Inst)
		in := &body.Instrs[c.Instr]
		if in.Op != ir.OpCall || step.N >= in.Args.Len {
			return argument{}, false
		}
		arg, ok := d.originArgument(c.Inst, d.Locks.Paths(c.Inst).Value(body.Args(in)[step.N]), depth-1)
		if !ok || i > 0 && arg != found {
			return argument{}, false
		}
		found = arg
	}
	return found, len(callers) > 0
}

// countsUp tells whether an argument has another value at every run of a spawn:
// it is the counter of the only loop around the spawn.
func (d *detector) countsUp(p runs.Point, arg argument) bool {
	v, ok := d.startedWith(p, arg)
	switch {
	case !ok:
		return false
	case arg.kind == path.Param:
		return d.isCounter(p, v, 3)
	}
	return d.holdsCounter(p, v)
}

// startedWith returns what a spawn passes as an argument of the origin.
func (d *detector) startedWith(p runs.Point, arg argument) (ir.Value, bool) {
	body := d.Points.Body(p.Inst)
	fn := d.Points.Instances[p.Inst].Func
	in := &body.Instrs[p.Instr]
	args := body.Args(in)
	if in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	if in.Op == ir.OpCallPtr {
		closure := d.Points.Prog.Definition(fn, args[0])
		args = args[1:]
		if arg.kind == path.Capture {
			if closure < 0 || body.Instrs[closure].Op != ir.OpClosure {
				return ir.NoValue, false
			}
			args = body.Args(&body.Instrs[closure])
		}
	}
	if int(arg.n) >= len(args) {
		return ir.NoValue, false
	}
	return args[arg.n], true
}

// sameElement tells whether all instances of an origin use the same element: both
// accesses index by the same argument of the origin, and the one place that starts
// it passes the same one in every turn of a loop.
func (d *detector) sameElement(a, b *side) bool {
	points := d.Runs.SpawnPoints[d.Points.Instances[a.Inst].Origin]
	x, okX := d.indexArgument(a)
	y, okY := d.indexArgument(b)
	if !okX || !okY || x != y || len(points) != 1 || d.Runs.Often(points[0].Inst) || d.Runs.Many(d.Points.Instances[points[0].Inst].Origin) {
		return false
	}
	v, ok := d.startedWith(points[0], x)
	return ok && d.once(points[0].Inst, v) && (x.kind == path.Param || d.setOnce(points[0].Inst, v))
}

// once tells whether a value is computed once in an activation.
func (d *detector) once(inst pointer.InstID, v ir.Value) bool {
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	return k < 0 || !d.Runs.InLoop(runs.Point{Inst: inst, Instr: k})
}

// setOnce tells whether a variable is given a value once, in the function that has
// it.
func (d *detector) setOnce(inst pointer.InstID, addr ir.Value) bool {
	n, ok := d.Points.PointsTo(inst, addr, 0).Single()
	if !ok {
		return false
	}
	stores, known := d.stores(n)
	return known && len(stores) == 1 && stores[0].Inst == inst && !d.Runs.InLoop(stores[0])
}

// isCounter tells whether a value is a variable that the loop around an
// instruction changes by a constant in every turn.
func (d *detector) isCounter(p runs.Point, v ir.Value, depth int) bool {
	body := d.Points.Body(p.Inst)
	fn := d.Points.Instances[p.Inst].Func
	k := d.Points.Prog.Definition(fn, v)
	if k < 0 || depth == 0 {
		return false
	}
	in := &body.Instrs[k]
	switch in.Op {
	case ir.OpBinary: // the counter plus a constant counts up too
		args := body.Args(in)
		return ir.BinaryKind(in.Sub) == ir.BinAdd && args[1].Const() != ir.None && d.isCounter(p, args[0], depth-1)
	case ir.OpConvert, ir.OpCopy:
		return d.isCounter(p, body.Args(in)[0], depth-1)
	case ir.OpLoad:
		return d.holdsCounter(p, body.Args(in)[0])
	case ir.OpPhi:
	default:
		return false
	}
	steps := false
	for _, a := range body.Args(in) {
		if add := d.Points.Prog.Definition(fn, a); add >= 0 && body.Instrs[add].Op == ir.OpBinary {
			args := body.Args(&body.Instrs[add])
			steps = steps || args[0].Reg() == in.Dst && args[1].Const() != ir.None
		}
	}
	return steps && d.onlyLoop(p, k)
}

// onlyLoop tells whether the loop that an instruction heads is the only one
// around p: no inner loop repeats p, and no outer one starts it again.
func (d *detector) onlyLoop(p runs.Point, head int32) bool {
	body := d.Points.Body(p.Inst)
	if runs.Reaches(body, p.Instr, p.Instr, head) {
		return false
	}
	b := body.BlockOf(head)
	for _, pred := range body.Preds(b) {
		last := body.Blocks[pred].End - 1
		if !runs.Reaches(body, head, last, ir.None) {
			continue // the way in
		}
		// A way back: it must not leave the loop's own counter behind.
		if runs.ReachesStart(body, last, head) {
			return false
		}
	}
	return true
}

// holdsCounter tells whether a variable is new in every turn of the loop around
// an instruction and holds the loop's counter.
func (d *detector) holdsCounter(p runs.Point, addr ir.Value) bool {
	body := d.Points.Body(p.Inst)
	fn := d.Points.Instances[p.Inst].Func
	cell := d.Points.Prog.Definition(fn, addr)
	if cell < 0 || body.Instrs[cell].Op != ir.OpAlloc || runs.Reaches(body, p.Instr, p.Instr, cell) {
		return false
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore || body.Args(in)[0] != addr {
			continue
		}
		v := body.Args(in)[1]
		k := d.Points.Prog.Definition(fn, v)
		if k < 0 {
			continue
		}
		def := &body.Instrs[k]
		if def.Op == ir.OpBinary && ir.BinaryKind(def.Sub) == ir.BinAdd && body.Args(def)[1].Const() != ir.None {
			// i++ on this turn's copy of the variable.
			if from := d.Points.Prog.Definition(fn, body.Args(def)[0]); from >= 0 && body.Instrs[from].Op == ir.OpLoad {
				return d.singleLoop(p, cell)
			}
		}
		if d.isCounter(p, v, 2) {
			return true
		}
	}
	return false
}

// singleLoop tells whether the loop around an instruction is not itself inside
// another: leaving it, one does not come back.
func (d *detector) singleLoop(p runs.Point, cell int32) bool {
	body := d.Points.Body(p.Inst)
	cyclic := runs.Cyclic(body)
	// All blocks of one loop without nesting have the cell's block on every
	// cycle through them.
	for b := range body.Blocks {
		if !cyclic[b] {
			continue
		}
		first := body.Blocks[b].First
		if runs.Reaches(body, p.Instr, first, ir.None) && runs.Reaches(body, first, p.Instr, ir.None) &&
			runs.Reaches(body, first, first, cell) && first != cell {
			return false
		}
	}
	return true
}
