package order

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// R-ORDER-17 told: a function made in place, mostly a deferred one, that does
// something only if a variable of its maker is set (an error, which ends a function
// early) does so in those calls for which the maker has set it, or has seen that it
// is. So who cleans up and waits in a deferred function if there was an error, and
// waits itself if there was none, has waited on all ways out.

// told is a call of a function made in place, with the branches that it cannot
// take there.
type told struct {
	instr  int32
	callee link.FuncID
	dead   []edge
}

// edge leads from a block to its successor k.
type edge struct {
	block ir.BlockID
	k     int
}

// routine is a function whose code is looked at.
type routine struct {
	*link.Program
	fn   link.FuncID
	body *ir.Body
}

func (x *routine) def(v ir.Value) *ir.Instr {
	if k := x.Definition(x.fn, v); k >= 0 {
		return &x.body.Instrs[k]
	}
	return nil
}

func (x *routine) isNil(v ir.Value) bool {
	c := v.Const()
	if c == ir.None {
		return false
	}
	text := x.Unit(x.fn).Consts[c].Text
	return text == "nil" || text == "zero"
}

// toldIn returns the calls of an instance of which something is known.
func (r *Result) toldIn(id pointer.InstID) []told {
	c := r.codeOf(id)
	if !c.asked {
		c.asked = true
		c.told = r.findTold(r.pts.Instances[id].Func, c.body)
	}
	return c.told
}

// findTold returns the calls of a body of which something is known.
func (r *Result) findTold(fn link.FuncID, body *ir.Body) []told {
	var list []told
	x := &routine{r.pts.Prog, fn, body}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpCallPtr || ir.How(in.Sub) != ir.Now || in.Flags&ir.FlagGroup != 0 {
			continue
		}
		made := x.def(body.Args(in)[0])
		if made == nil || made.Op != ir.OpClosure || !x.onlyCalled(made.Dst) {
			continue
		}
		callee := x.Callee(fn, ir.FuncRefID(made.Aux))
		y := &routine{r.pts.Prog, callee, x.Body(callee)}
		if y.body == nil {
			continue
		}
		if dead := x.deadIn(int32(i), y, body.Args(made)); len(dead) > 0 {
			list = append(list, told{int32(i), callee, dead})
		}
	}
	return list
}

// onlyCalled tells whether nothing is done with a function value but calling it.
func (x *routine) onlyCalled(fn ir.Reg) bool {
	for i := range x.body.Instrs {
		in := &x.body.Instrs[i]
		for k, v := range x.body.Args(in) {
			if v == ir.RegValue(fn) && (in.Op != ir.OpCallPtr || k != 0 || ir.How(in.Sub) == ir.Spawned) {
				return false
			}
		}
	}
	return true
}

// deadIn returns the branches of a function that it does not take if it is called
// at an instruction. captures are what its maker gives it.
func (x *routine) deadIn(call int32, y *routine, captures []ir.Value) []edge {
	var dead []edge
	for b := range y.body.Blocks {
		end := y.body.Blocks[b].End - 1
		if end < 0 || y.body.Instrs[end].Op != ir.OpIf {
			continue
		}
		q, ok := y.question(y.body.Args(&y.body.Instrs[end])[0])
		k := q.cell - int32(y.body.Params)
		if !ok || k < 0 || int(k) >= len(captures) || y.writesBefore(q) {
			continue
		}
		holds, known := x.answer(call, captures[k], q, y.fn)
		if !known {
			continue
		}
		if holds == q.holds {
			dead = append(dead, edge{ir.BlockID(b), 1})
		} else {
			dead = append(dead, edge{ir.BlockID(b), 0})
		}
	}
	return dead
}

// condition is what a branch asks about a variable: whether it is set or, if
// dynamic is a type, holds a value of that type.
type condition struct {
	cell    int32 // the register of the variable
	load    int32
	dynamic link.TypeID
	typed   bool
	holds   bool // the first branch is for yes
}

// question recognises what a condition asks about a captured variable.
func (x *routine) question(v ir.Value) (q condition, ok bool) {
	q.holds = true
	in := x.def(v)
	for in != nil && in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot {
		q.holds = !q.holds
		in = x.def(x.body.Args(in)[0])
	}
	switch {
	case in == nil:
		return q, false
	case in.Op == ir.OpBinary && x.isNil(x.body.Args(in)[1]):
		switch ir.BinaryKind(in.Sub) {
		case ir.BinNe:
		case ir.BinEq:
			q.holds = !q.holds
		default:
			return q, false
		}
	case in.Op == ir.OpExtract && in.Aux == 1:
		in = x.def(x.body.Args(in)[0])
		if in == nil || in.Op != ir.OpAssert || in.Flags&ir.FlagOK == 0 {
			return q, false
		}
		t := x.Type(x.Underlying(x.TypeOf(x.fn, in.Type)))
		if len(t.Elems) == 0 || x.Type(x.Underlying(link.TypeID(t.Elems[0]))).Kind == ir.KindInterface {
			return q, false
		}
		q.dynamic, q.typed = link.TypeID(t.Elems[0]), true
	default:
		return q, false
	}
	v = x.body.Args(in)[0]
	if in = x.def(v); in == nil || in.Op != ir.OpLoad {
		return q, false
	}
	q.load = x.Definition(x.fn, v)
	q.cell = int32(x.body.Args(in)[0].Reg())
	return q, q.cell != ir.None
}

// writesBefore tells whether a function may store to a variable before it asks
// about it.
func (x *routine) writesBefore(q condition) bool {
	for i := range x.body.Instrs {
		in := &x.body.Instrs[i]
		if in.Op == ir.OpStore && x.body.Args(in)[0] == ir.RegValue(ir.Reg(q.cell)) && runs.Reaches(x.body, int32(i), q.load, ir.None) {
			return true
		}
	}
	return false
}

// answer tells what a question about a variable comes to at a call of a callee.
func (x *routine) answer(call int32, v ir.Value, q condition, callee link.FuncID) (holds, known bool) {
	at := x.def(v)
	if at == nil || at.Op != ir.OpAlloc {
		return false, false
	}
	stores, ok := x.storesTo(v.Reg(), nil)
	if !ok {
		return false, false
	}
	if value, i := x.storedLast(v, call, stores, callee); i >= 0 {
		switch {
		case x.isNil(value):
			return false, true
		case !x.isSet(value, i, maxTold):
			return false, false
		case !q.typed:
			return true, true
		}
		return x.hasType(value, q.dynamic, maxTold), x.hasType(value, q.dynamic, maxTold)
	}
	if !x.seenSet(v, call, stores, maxTold) {
		return false, false
	}
	if q.typed {
		is := x.allOfType(stores, q.dynamic, maxTold)
		return is, is
	}
	return true, true
}

// maxTold bounds the variables and calls through which a value is followed.
const maxTold = 4

// storeTo is a store to a variable, in its function or one made there.
type storeTo struct {
	in    *routine
	instr int32
	value ir.Value
}

// storesTo adds all stores to a variable. ok is false if its address gets
// elsewhere.
func (x *routine) storesTo(cell ir.Reg, list []storeTo) (out []storeTo, ok bool) {
	for i := range x.body.Instrs {
		in := &x.body.Instrs[i]
		for k, v := range x.body.Args(in) {
			if v != ir.RegValue(cell) {
				continue
			}
			switch {
			case in.Op == ir.OpLoad:
			case in.Op == ir.OpStore && k == 0:
				list = append(list, storeTo{x, int32(i), x.body.Args(in)[1]})
			case in.Op == ir.OpClosure:
				fn := x.Callee(x.fn, ir.FuncRefID(in.Aux))
				body := x.Body(fn)
				if body == nil || k >= int(body.Captures) {
					return nil, false
				}
				if list, ok = (&routine{x.Program, fn, body}).storesTo(ir.Reg(body.Params)+ir.Reg(k), list); !ok {
					return nil, false
				}
			default:
				return nil, false
			}
		}
	}
	return list, true
}

// storedLast returns the value that a variable has at a call of a callee because
// it was stored just before, and where; -1 if that is not so. The callee itself may
// store to it later.
func (x *routine) storedLast(v ir.Value, call int32, stores []storeTo, callee link.FuncID) (ir.Value, int32) {
	if slices.ContainsFunc(stores, func(s storeTo) bool { return s.in.fn != x.fn && s.in.fn != callee }) {
		return ir.NoValue, -1
	}
	for i := call - 1; i >= x.body.Blocks[x.body.BlockOf(call)].First; i-- {
		in := &x.body.Instrs[i]
		switch {
		case in.Op == ir.OpStore && x.body.Args(in)[0] == v:
			return x.body.Args(in)[1], i
		case in.Op == ir.OpCallPtr && x.body.Args(in)[0] == x.body.Args(&x.body.Instrs[call])[0]:
			return ir.NoValue, -1
		}
	}
	return ir.NoValue, -1
}

// isSet tells whether a value is surely not nil at an instruction.
func (x *routine) isSet(v ir.Value, at int32, depth int) bool {
	if depth == 0 || v.Const() != ir.None {
		return false
	}
	if in := x.def(v); in != nil {
		switch in.Op {
		case ir.OpBox, ir.OpAlloc, ir.OpClosure, ir.OpMakeMap, ir.OpMakeChan, ir.OpMakeSlice:
			return true
		case ir.OpPhi:
			if !slices.ContainsFunc(x.body.Args(in), func(v ir.Value) bool { return !x.isSet(v, at, depth-1) }) {
				return true
			}
		case ir.OpCall:
			if ir.How(in.Sub) == ir.Now && x.returnsSet(in, depth-1) {
				return true
			}
		case ir.OpLoad:
			cell := x.body.Args(in)[0]
			if made := x.def(cell); made != nil && made.Op == ir.OpAlloc {
				stores, ok := x.storesTo(cell.Reg(), nil)
				return ok && x.seenSet(cell, x.Definition(x.fn, v), stores, depth-1)
			}
		}
	}
	return x.passes(at, func(tested ir.Value) bool { return tested == v })
}

// returnsSet tells whether a call never returns nil.
func (x *routine) returnsSet(call *ir.Instr, depth int) bool {
	callee := x.Callee(x.fn, ir.FuncRefID(call.Aux))
	y := &routine{x.Program, callee, x.Body(callee)}
	if y.body == nil {
		return false
	}
	found := false
	for i := range y.body.Instrs {
		if in := &y.body.Instrs[i]; in.Op == ir.OpReturn {
			if args := y.body.Args(in); len(args) != 1 || !y.isSet(args[0], int32(i), depth) {
				return false
			}
			found = true
		}
	}
	return found
}

// seenSet tells whether all ways to an instruction go by a branch for a variable
// that is not nil, and nobody sets it back.
func (x *routine) seenSet(cell ir.Value, at int32, stores []storeTo, depth int) bool {
	return x.passes(at, func(tested ir.Value) bool {
		in := x.def(tested)
		if in == nil || in.Op != ir.OpLoad || x.body.Args(in)[0] != cell {
			return false
		}
		load := x.Definition(x.fn, tested)
		return !slices.ContainsFunc(stores, func(s storeTo) bool {
			between := s.in.fn != x.fn || runs.Reaches(x.body, load, s.instr, ir.None) && runs.Reaches(x.body, s.instr, at, ir.None)
			return between && !s.in.isSet(s.value, s.instr, depth)
		})
	})
}

// passes tells whether all ways to an instruction take a branch for a value that is
// not nil, of which something else is true.
func (x *routine) passes(at int32, is func(v ir.Value) bool) bool {
	to := x.body.BlockOf(at)
	for b := range x.body.Blocks {
		end := x.body.Blocks[b].End - 1
		if end < 0 || x.body.Instrs[end].Op != ir.OpIf {
			continue
		}
		in := x.def(x.body.Args(&x.body.Instrs[end])[0])
		if in == nil || in.Op != ir.OpBinary || !x.isNil(x.body.Args(in)[1]) {
			continue
		}
		k := 0
		switch ir.BinaryKind(in.Sub) {
		case ir.BinNe:
		case ir.BinEq:
			k = 1
		default:
			continue
		}
		if is(x.body.Args(in)[0]) && x.onlyBy(to, edge{ir.BlockID(b), k}) {
			return true
		}
	}
	return false
}

// onlyBy tells whether control gets to a block only by taking an edge.
func (x *routine) onlyBy(to ir.BlockID, e edge) bool {
	succs := x.body.Succs(e.block)
	if succs[0] == succs[1] {
		return false
	}
	seen := make([]bool, len(x.body.Blocks))
	seen[0] = true
	for work := []ir.BlockID{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return false
		}
		add := func(s ir.BlockID) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
		for k, s := range x.body.Succs(b) {
			if b != e.block || k != e.k {
				add(s)
			}
		}
		for _, h := range x.body.Handlers(b) {
			add(h)
		}
	}
	return true
}

// hasType tells whether a value, if it is not nil, surely has a dynamic type.
func (x *routine) hasType(v ir.Value, t link.TypeID, depth int) bool {
	in := x.def(v)
	if in == nil || depth == 0 {
		return false
	}
	switch in.Op {
	case ir.OpBox:
		r := x.body.Args(in)[0].Reg()
		return r != ir.None && x.TypeOf(x.fn, x.body.Regs[r].Type) == t
	case ir.OpLoad:
		cell := x.body.Args(in)[0]
		if made := x.def(cell); made != nil && made.Op == ir.OpAlloc {
			stores, ok := x.storesTo(cell.Reg(), nil)
			return ok && x.allOfType(stores, t, depth-1)
		}
	case ir.OpPhi:
		return !slices.ContainsFunc(x.body.Args(in), func(v ir.Value) bool {
			return v != ir.RegValue(in.Dst) && !x.isNil(v) && !x.hasType(v, t, depth-1)
		})
	}
	return false
}

// allOfType tells whether all values stored have a dynamic type, if they are not
// nil.
func (x *routine) allOfType(stores []storeTo, t link.TypeID, depth int) bool {
	return !slices.ContainsFunc(stores, func(s storeTo) bool {
		return !s.in.isNil(s.value) && !s.in.hasType(s.value, t, depth)
	})
}

// mustTold returns what an instance surely executes in a call in which it does not
// take some branches.
func (r *Result) mustTold(w *world, i int32, dead []edge) setID {
	f := w.flows[i]
	if f == nil {
		return empty
	}
	known := &instFlow{events: f.events, may: make([]setID, len(f.may)), must: make([]setID, len(f.must))}
	r.spread(w, i, known, dead)
	return r.mustReturn(w, i, known)
}
