package lockset

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A lock made of an atomic: whoever has changed it from the value that means free
// to another one holds it, until he writes to it again.

// swapped returns the atomic operation that is known to have changed its cell from
// free where control goes to successor k of a block; ir.None if there is none.
func (f *Function) swapped(b ir.BlockID, k int) int32 {
	term := &f.body.Instrs[f.body.Blocks[b].End-1]
	v, want := f.body.Args(term)[0], 0
	free := "" // what the result is compared with; "" if it says itself whether it was changed
	for {
		d := f.a.prog.Definition(f.fn, v)
		if d < 0 {
			return ir.None
		}
		in := &f.body.Instrs[d]
		args := f.body.Args(in)
		switch {
		case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot:
			v, want = args[0], 1-want
		case in.Op == ir.OpCopy || in.Op == ir.OpConvert:
			v = args[0]
		case in.Op == ir.OpBinary && (ir.BinaryKind(in.Sub) == ir.BinEq || ir.BinaryKind(in.Sub) == ir.BinNe):
			c, ok := f.constant(args[1])
			if !ok || free != "" {
				return ir.None
			}
			if v, free = args[0], c; ir.BinaryKind(in.Sub) == ir.BinNe {
				want = 1 - want
			}
		case in.Op == ir.OpAtomic && ir.AtomicKind(in.Sub) == ir.AtomicCAS:
			if free == zero { // a comparison of what is true or false with false
				want, free = 1-want, ""
			}
			if free != "" || k != want || !f.takes(in) {
				return ir.None
			}
			return d
		case in.Op == ir.OpAtomic && ir.AtomicKind(in.Sub) == ir.AtomicSwap:
			if free == "" { // the old value itself is tested
				want, free = 1-want, zero
			}
			if now, ok := f.constant(args[1]); !ok || now == free || free != zero || k != want {
				return ir.None
			}
			return d
		default:
			return ir.None
		}
	}
}

// takes tells whether a compare-and-swap changes a constant to something else.
func (f *Function) takes(in *ir.Instr) bool {
	args := f.body.Args(in)
	old, ok := f.constant(args[1])
	if !ok {
		return false
	}
	now, constant := f.constant(args[2])
	return constant && now != old || !constant && old == zero
}

// zero stands for zero, false and nil.
const zero = "0"

// constant spells an operand that is a constant.
func (f *Function) constant(v ir.Value) (string, bool) {
	c := v.Const()
	if c == ir.None {
		return "", false
	}
	switch text := f.a.prog.Unit(f.fn).Consts[c].Text; text {
	case "", "nil", "null", "false":
		return zero, true
	default:
		return text, true
	}
}

// onlyHoldersFree tells whether those who hold an atomic, and nobody else, make it
// free again.
func (r *Result) onlyHoldersFree(n pointer.Node) bool {
	if r.swappers == nil {
		r.swappers = r.users(func(_ *Function, in *ir.Instr, args []ir.Value) []ir.Value {
			if changesAtomic(in) {
				return args[:1]
			}
			return nil
		})
	}
	var others []runs.Point // who do not hold it
	free := ""              // what all of those expect who take it
	freed := false
	for _, p := range r.swappers[n] {
		if r.holdsAt(p, n, Swap) {
			freed = true
			continue
		}
		if r.function(p.Inst).begins(p.Instr) {
			continue
		}
		others = append(others, p)
		if c := r.function(p.Inst).expected(p.Instr); c != "" {
			if free != "" && c != free {
				return false
			}
			free = c
		}
	}
	for _, p := range others {
		if r.function(p.Inst).mayStore(p.Instr, free) {
			return false
		}
	}
	return free != "" && freed
}

// begins tells whether an instruction gives a variable its first value: it was made
// just before.
func (f *Function) begins(i int32) bool {
	at := f.Paths.Value(f.body.Args(&f.body.Instrs[i])[0])
	if at == path.None || slices.ContainsFunc(f.Paths.Steps(at), func(s path.Path) bool { return s.Kind == path.Deref }) {
		return false
	}
	made := f.Paths.Get(f.Paths.Root(at))
	if made.Kind != path.Value || f.body.Instrs[made.N].Op != ir.OpAlloc || f.body.BlockOf(made.N) != f.body.BlockOf(i) {
		return false
	}
	for k := made.N + 1; k < i; k++ {
		in := &f.body.Instrs[k]
		if in.Op != ir.OpField && slices.Contains(f.body.Args(in), ir.RegValue(f.body.Instrs[made.N].Dst)) {
			return false
		}
	}
	return true
}

// expected returns the constant that an atomic operation changes to something else,
// or "".
func (f *Function) expected(i int32) string {
	in := &f.body.Instrs[i]
	if in.Op == ir.OpAtomic {
		switch ir.AtomicKind(in.Sub) {
		case ir.AtomicCAS:
			c, _ := f.constant(f.body.Args(in)[1])
			return c
		case ir.AtomicSwap:
			return zero
		}
	}
	return ""
}

// mayStore tells whether an instruction may write a constant to an atomic.
func (f *Function) mayStore(i int32, c string) bool {
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	if in.Op == ir.OpAtomic {
		switch ir.AtomicKind(in.Sub) {
		case ir.AtomicCAS:
			return !f.takes(in)
		case ir.AtomicStore, ir.AtomicSwap:
		default:
			return true
		}
	}
	now, constant := f.constant(args[len(args)-1])
	return !constant || now == c
}

// changesAtomic tells whether an instruction writes to memory as others do that are
// indivisible.
func changesAtomic(in *ir.Instr) bool {
	switch in.Op {
	case ir.OpAtomic:
		return ir.AtomicKind(in.Sub).Writes()
	case ir.OpStore:
		return ir.Order(in.Sub) != ir.Plain
	}
	return false
}
