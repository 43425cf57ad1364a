package pointer

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// A register that is a copy of another points to the same as that one, and has its
// slots: the two would be equal nodes of every instance, with an edge between them.
// (Offline variable substitution; Rountev and Chandra, PLDI 2000, section 3, within a
// function.) A third of what Go's SSA form has are such copies.

// While registers are given slots:
const (
	unplaced = none + 1
	placing  = none + 2
)

// placeRegs gives registers their slots, those of parameters first.
func (b *templateBuilder) placeRegs() {
	regs := b.t.regs
	for i := range regs {
		regs[i] = unplaced
	}
	for i := range regs[:b.t.body.Params+b.t.body.Captures] {
		regs[i] = b.newSlots(b.typ(b.t.body.Regs[i].Type))
	}
	for i := range regs {
		b.place(ir.Reg(i))
	}
}

// place returns the first slot of a register, or placing if that depends on itself.
func (b *templateBuilder) place(r ir.Reg) operand {
	if o := b.t.regs[r]; o != unplaced {
		return o
	}
	b.t.regs[r] = placing
	t := b.typ(b.t.body.Regs[r].Type)
	o := b.copied(r, t)
	if o < 0 {
		o = b.newSlots(t)
	}
	b.t.regs[r] = o
	return o
}

// copied returns the first slot of what a register of a type is a copy of; none, or
// placing, if it is no copy of a register.
func (b *templateBuilder) copied(r ir.Reg, t link.TypeID) operand {
	d := b.p.Definition(b.f, ir.RegValue(r))
	if d < 0 || len(b.p.Layout(t).Pointers) == 0 {
		return none
	}
	in := &b.t.body.Instrs[d]
	src := b.copiedFrom(in)
	if src == ir.None || !b.sameSlots(b.typ(in.Type), t) {
		return none
	}
	st := b.typ(b.t.body.Regs[src].Type)
	off := int32(0)
	if in.Op == ir.OpExtract {
		l, elems := b.p.Layout(st), b.p.Type(b.p.Underlying(st)).Elems
		if int(in.Aux) >= len(l.Offsets) || int(in.Aux) >= len(elems) {
			return none
		}
		off, st = l.Offsets[in.Aux], link.TypeID(elems[in.Aux])
	}
	if !b.sameSlots(st, t) {
		return none
	}
	if o := b.place(src); o >= 0 {
		return o.at(off)
	}
	return none
}

// copiedFrom returns the register that an instruction copies, or a part of it;
// ir.None if it does something else.
func (b *templateBuilder) copiedFrom(in *ir.Instr) ir.Reg {
	args := b.t.body.Args(in)
	switch in.Op {
	case ir.OpCopy, ir.OpElement, ir.OpSlice, ir.OpIndex, ir.OpOffset, ir.OpRange, ir.OpExtract:
		return args[0].Reg()
	case ir.OpCast:
		to := b.p.Type(b.p.Underlying(b.typ(in.Type)))
		if in.Flags&ir.FlagUnsafe == 0 && (to.Kind != ir.KindPointer || !b.p.IsClass(link.TypeID(to.Elem))) {
			return args[0].Reg()
		}
	case ir.OpPhi:
		src := ir.Reg(ir.None)
		for _, a := range args {
			switch {
			case a.Kind() == ir.ValueConst || a == ir.RegValue(in.Dst):
			case a.Reg() == ir.None || src != ir.None && a.Reg() != src:
				return ir.None
			default:
				src = a.Reg()
			}
		}
		return src
	}
	return ir.None
}

// sameSlots tells whether values of two types hold addresses in the same slots.
func (b *templateBuilder) sameSlots(x, y link.TypeID) bool {
	if x == y {
		return true
	}
	lx, ly := b.p.Layout(x), b.p.Layout(y)
	return lx.Size == ly.Size && slices.Equal(lx.Pointers, ly.Pointers)
}
