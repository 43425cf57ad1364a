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
	r.tests = make(map[runs.Point][]branchTest)
	for _, id := range r.runs.Instances() {
		c := r.codeOf(id)
		if c == nil {
			continue
		}
		for _, t := range c.tests {
			n, ok := r.pts.PointsTo(id, t.addr, 0).Single()
			if !ok {
				continue
			}
			t.node, t.read.Inst = n, id
			p := runs.Point{Inst: id, Instr: t.instr}
			r.tests[p] = append(r.tests[p], t)
			r.tested[n] = true
		}
	}
}

// testOf recognises what the branch to successor k says of a flag; which flag
// depends on the instance.
func (r *Result) testOf(id pointer.InstID, body *ir.Body, instr int32, k uint8) (branchTest, bool) {
	t := branchTest{test: test{holds: k == 0, op: ir.BinNe, value: 0}, instr: instr, successor: k}
	v := body.Args(&body.Instrs[instr])[0]
	for {
		d := r.pts.Prog.Definition(r.pts.Instances[id].Func, v)
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
			n, ok := r.integer(id, args[1])
			v = args[0]
			op := ir.BinaryKind(in.Sub)
			if !ok {
				if n, ok = r.integer(id, args[0]); !ok || op != ir.BinEq && op != ir.BinNe {
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
			if !r.atomicTest(id, in, args, &t.test) {
				return t, false
			}
		default:
			return t, false
		}
		t.read.Instr = d
		t.addr = args[0]
		return t, true
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
			r.addCut(w, cut{point: p, op: in.Op, sub: t.successor, test: &t.test}, p.Inst, t.addr)
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

// flagSet is R-ORDER-5: a is before every write that can have made the test
// come out as it did.
func (r *Result) flagSet(a Moment, c *cut, depth int) bool {
	set := r.settersOf(c)
	if set.unseen {
		return false
	}
	for _, ref := range set.refs {
		if !r.isBefore(a, ref.origin, r.worlds[ref.origin].cuts[ref.cut].point, depth) {
			return false
		}
	}
	return len(set.refs) > 0
}

// flagSetters are the writes that can have made a test come out as it did.
type flagSetters struct {
	refs   []cutRef
	unseen bool // the test does not come after one of them, whatever it has read
}

// settersOf returns the writes that can have made a test come out as it did.
func (r *Result) settersOf(c *cut) flagSetters {
	set, known := r.setters[c]
	if known {
		return set
	}
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s.op != ir.OpStore && s.op != ir.OpAtomic || s.point == c.test.read || !r.canMake(s, c.test) {
			continue
		}
		if (c.test.plain || s.isPlainStore()) && !r.locks.Guarded(s.point, c.test.read) {
			set = flagSetters{unseen: true}
			break
		}
		set.refs = append(set.refs, ref)
	}
	r.setters[c] = set
	return set
}

// isPlainStore tells whether a write of a flag publishes nothing by itself.
func (c *cut) isPlainStore() bool {
	return c.op == ir.OpStore && ir.Order(c.sub) < ir.Release
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
