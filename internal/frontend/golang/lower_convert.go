package golang

import (
	"go/types"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// changeOp tells a pointer to a type of another name, which is the same address
// seen differently, from a value that is merely called differently.
func changeOp(v *ssa.ChangeType) ir.Op {
	from, ok := v.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return ir.OpCopy
	}
	to, ok := v.Type().Underlying().(*types.Pointer)
	if !ok || types.Identical(from.Elem(), to.Elem()) {
		return ir.OpCopy
	}
	return ir.OpCast
}

// convert lowers a conversion that changes the representation. Those from and
// to unsafe.Pointer keep the address and say that nobody checked it.
func (l *lowerer) convert(v, x ssa.Value, pos ir.Pos) {
	if isUnsafePointer(v.Type()) || isUnsafePointer(x.Type()) {
		l.def(v, pos, ir.Instr{Op: ir.OpCast, Flags: ir.FlagUnsafe}, l.operand(x))
		return
	}
	l.def(v, pos, ir.Instr{Op: ir.OpConvert}, l.operand(x))
}

func isUnsafePointer(t types.Type) bool {
	b, ok := coreType(t).(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}
