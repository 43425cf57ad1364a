package order

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// test is what a branch tells of a flag: that it had, or had not, a certain
// relation to a constant when it was read. R-ORDER-5: on a branch that the
// flag's first value cannot lead to, somebody else's write of the flag has
// happened, and everything before it.
type test struct {
	read  runs.Point // the instruction that read the flag
	node  pointer.Node
	op    ir.BinaryKind
	value int64
	holds bool  // whether the relation holds on this branch
	delta int64 // what the instruction itself added before it compared
	plain bool  // the flag is read without an atomic operation
}

// allows tells whether the flag can have had a value before it was read.
func (t *test) allows(v int64) bool {
	v += t.delta
	var ok bool
	switch t.op {
	case ir.BinEq:
		ok = v == t.value
	case ir.BinNe:
		ok = v != t.value
	case ir.BinLt:
		ok = v < t.value
	case ir.BinLe:
		ok = v <= t.value
	case ir.BinGt:
		ok = v > t.value
	case ir.BinGe:
		ok = v >= t.value
	default:
		return true
	}
	return ok == t.holds
}

// collectTests finds the branches that wait for flags.
func (r *Result) collectTests() {
	r.tested = make(map[pointer.Node]bool)
	r.tests = make(map[runs.Point][]test)
	for _, id := range r.runs.Instances() {
		body := r.pts.Body(id)
		if body == nil {
			continue
		}
		for b := range body.Blocks {
			end := body.Blocks[b].End - 1
			if body.Instrs[end].Op != ir.OpIf {
				continue
			}
			p := runs.Point{Inst: id, Instr: end}
			for k := 0; k < 2; k++ {
				if t, ok := r.testOf(p, body, k); ok && !t.allows(0) {
					r.tests[p] = append(r.tests[p], t)
					r.tested[t.node] = true
				}
			}
		}
	}
}

// testOf recognises what the branch to successor k says of a flag.
func (r *Result) testOf(p runs.Point, body *ir.Body, k int) (test, bool) {
	t := test{holds: k == 0, op: ir.BinNe, value: 0}
	v := body.Args(&body.Instrs[p.Instr])[0]
	for {
		d := r.pts.Prog.Definition(r.pts.Instances[p.Inst].Func, v)
		if d < 0 {
			return t, false
		}
		in := &body.Instrs[d]
		args := body.Args(in)
		switch in.Op {
		case ir.OpUnary:
			if ir.UnaryKind(in.Sub) != ir.UnNot {
				return t, false
			}
			t.holds = !t.holds
			v = args[0]
			continue
		case ir.OpBinary:
			if t.op != ir.BinNe || t.value != 0 {
				return t, false
			}
			n, ok := r.integer(p.Inst, args[1])
			v = args[0]
			op := ir.BinaryKind(in.Sub)
			if !ok {
				if n, ok = r.integer(p.Inst, args[0]); !ok || op != ir.BinEq && op != ir.BinNe {
					return t, false
				}
				v = args[1]
			}
			if op < ir.BinEq || op > ir.BinGe {
				return t, false
			}
			t.op, t.value = op, n
			continue
		case ir.OpLoad:
			t.plain = ir.Order(in.Sub) == ir.Plain
		case ir.OpAtomic:
			if !r.atomicTest(p.Inst, in, args, &t) {
				return t, false
			}
		default:
			return t, false
		}
		t.read = runs.Point{Inst: p.Inst, Instr: d}
		var ok bool
		t.node, ok = r.pts.PointsTo(p.Inst, args[0], 0).Single()
		return t, ok
	}
}

// atomicTest adjusts a test of the result of an atomic operation to what it
// says of the value before the operation.
func (r *Result) atomicTest(inst pointer.InstID, in *ir.Instr, args []ir.Value, t *test) bool {
	switch ir.AtomicKind(in.Sub) {
	case ir.AtomicLoad, ir.AtomicSwap:
		return true
	case ir.AtomicAdd:
		n, ok := r.integer(inst, args[1])
		t.delta = n
		return ok
	case ir.AtomicCAS:
		// The result says whether the old value was the expected one.
		if t.op != ir.BinNe || t.value != 0 {
			return false
		}
		n, ok := r.integer(inst, args[1])
		t.op, t.value = ir.BinEq, n
		return ok
	}
	return false
}

// integer returns the value of a constant operand; nil and false are zero.
func (r *Result) integer(inst pointer.InstID, v ir.Value) (int64, bool) {
	c := v.Const()
	if c == ir.None {
		return 0, false
	}
	switch text := r.pts.Prog.Unit(r.pts.Instances[inst].Func).Consts[c].Text; text {
	case "nil", "zero", "false":
		return 0, true
	case "true":
		return 1, true
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
}

// collectFlag adds the cuts of an instruction that writes or tests a flag.
func (r *Result) collectFlag(w *world, p runs.Point, in *ir.Instr, args []ir.Value) {
	switch in.Op {
	case ir.OpIf:
		for i := range r.tests[p] {
			t := &r.tests[p][i]
			k := uint8(0)
			if !r.firstSuccessor(p, t) {
				k = 1
			}
			r.addCut(w, cut{point: p, op: in.Op, sub: k, test: t}, p.Inst, r.pts.Body(p.Inst).Args(&r.pts.Body(p.Inst).Instrs[t.read.Instr])[0])
		}
	case ir.OpStore, ir.OpAtomic:
		if in.Op == ir.OpAtomic && !ir.AtomicKind(in.Sub).Writes() {
			return
		}
		hit := false
		r.pts.PointsTo(p.Inst, args[0], 0).Each(func(n pointer.Node) bool {
			hit = r.tested[n]
			return !hit
		})
		if hit {
			r.addCut(w, cut{point: p, op: in.Op, sub: in.Sub}, p.Inst, args[0])
		}
	}
}

// firstSuccessor tells on which branch a test was made.
func (r *Result) firstSuccessor(p runs.Point, t *test) bool {
	first, ok := r.testOf(p, r.pts.Body(p.Inst), 0)
	return ok && first.holds == t.holds
}

// flagSet is R-ORDER-5: a is before every write that can have made the test
// come out as it did.
func (r *Result) flagSet(a Moment, c *cut, depth int) bool {
	found := false
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s.op != ir.OpStore && s.op != ir.OpAtomic || s.point == c.test.read {
			continue
		}
		if !r.canMake(s, c.test) {
			continue
		}
		if (c.test.plain || s.op == ir.OpStore) && !r.locks.Guarded(s.point, c.test.read) {
			return false
		}
		found = true
		if !r.isBefore(a, ref.origin, s.point, depth) {
			return false
		}
	}
	return found
}

// canMake tells whether a write can give the flag a value that passes a test.
func (r *Result) canMake(s *cut, t *test) bool {
	body := r.pts.Body(s.point.Inst)
	args := body.Args(&body.Instrs[s.point.Instr])
	if s.op == ir.OpAtomic && ir.AtomicKind(s.sub) == ir.AtomicAdd {
		return true
	}
	n, ok := r.integer(s.point.Inst, args[len(args)-1])
	return !ok || t.allows(n)
}
