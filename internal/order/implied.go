package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// impliedBy is a branch that tells which definition of a local variable control
// has come by. R-ORDER-13: where a variable cannot have its first value any more,
// one of the other definitions has been passed, and whatever is done on every way
// to those. So a wait that is skipped only if it was made before has been made.
type impliedBy struct {
	block  ir.BlockID
	phi    int32 // the instruction that selects the definition
	length bool  // the branch is about the length of the value
	test
}

// impliedTests finds the branches of a body that test a variable with several
// definitions, one of them a constant.
func (r *Result) impliedTests(id pointer.InstID, body *ir.Body) []impliedBy {
	var list []impliedBy
	for b := range body.Blocks {
		end := body.Blocks[b].End - 1
		if end < 0 || body.Instrs[end].Op != ir.OpIf {
			continue
		}
		if t, ok := r.impliedTest(id, body, end); ok && r.tellsApart(id, body, t.phi, make(map[int32]bool)) {
			t.block = ir.BlockID(b)
			list = append(list, t)
		}
	}
	return list
}

// impliedTest recognises a branch on a variable; the relation is that of the
// first successor.
func (r *Result) impliedTest(id pointer.InstID, body *ir.Body, end int32) (impliedBy, bool) {
	fn := r.pts.Instances[id].Func
	t := impliedBy{test: test{op: ir.BinNe, holds: true}}
	v := body.Args(&body.Instrs[end])[0]
	compared := false
	for {
		k := r.pts.Prog.Definition(fn, v)
		if k < 0 {
			return t, false
		}
		in := &body.Instrs[k]
		args := body.Args(in)
		switch {
		case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot && !compared:
			t.holds = !t.holds
			v = args[0]
		case in.Op == ir.OpLen && compared && !t.length:
			t.length = true
			v = args[0]
		case in.Op == ir.OpBinary && !compared:
			n, ok := r.integer(id, args[1])
			op := ir.BinaryKind(in.Sub)
			if !ok || op < ir.BinEq || op > ir.BinGe {
				return t, false
			}
			t.op, t.value = op, n
			compared = true
			v = args[0]
		case in.Op == ir.OpPhi:
			t.phi = k
			return t, true
		default:
			return t, false
		}
	}
}

// tellsApart tells whether one of the definitions that an instruction selects
// from, directly or not, is a constant that goes with one side of the branch only.
func (r *Result) tellsApart(id pointer.InstID, body *ir.Body, phi int32, seen map[int32]bool) bool {
	seen[phi] = true
	for _, v := range body.Args(&body.Instrs[phi]) {
		if _, ok := r.integer(id, v); ok {
			return true
		}
		d := r.pts.Prog.Definition(r.pts.Instances[id].Func, v)
		if d >= 0 && body.Instrs[d].Op == ir.OpPhi && !seen[d] && r.tellsApart(id, body, d, seen) {
			return true
		}
	}
	return false
}

// impliedOn adds to a must set what the edge from a block to successor k implies:
// all if control does not get there.
func (r *Result) impliedOn(w *world, i int32, list []impliedBy, b ir.BlockID, k int, must setID) setID {
	for n := range list {
		if list[n].block != b {
			continue
		}
		more := r.passed(w, i, &list[n], k)
		if more == all {
			return all
		}
		must = w.sets.union(must, more)
	}
	return must
}

// passed returns what has surely been executed, besides what had been when the
// branch was reached, if it goes to successor k: all if no definition leads there,
// as far as is known.
func (r *Result) passed(w *world, i int32, t *impliedBy, k int) setID {
	on := *t
	on.holds = t.holds == (k == 0)
	return r.passedBy(w, i, &on, t.phi, make(map[int32]bool))
}

// passedBy is passed for one of the instructions that select the definition. seen
// holds those on the way: to come round again adds nothing.
func (r *Result) passedBy(w *world, i int32, t *impliedBy, phi int32, seen map[int32]bool) setID {
	seen[phi] = true
	id := w.insts[i]
	body := r.pts.Body(id)
	f := w.flows[i]
	must := all
	preds := body.Preds(body.BlockOf(phi))
	for k, v := range body.Args(&body.Instrs[phi]) {
		if n, ok := r.integer(id, v); ok && !t.allows(n) || k >= len(preds) || f.must[preds[k]] == unreached {
			continue
		}
		d := r.pts.Prog.Definition(r.pts.Instances[id].Func, v)
		if d >= 0 && body.Instrs[d].Op == ir.OpPhi {
			if seen[d] {
				continue
			}
			must = w.sets.meet(must, r.passedBy(w, i, t, d, seen))
			continue
		}
		from := preds[k]
		_, at := f.walk(w, int32(from), body.Blocks[from].First, body.Blocks[from].End)
		must = w.sets.meet(must, at)
	}
	return must
}
