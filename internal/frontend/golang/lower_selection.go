package golang

import (
	"go/token"
	"go/types"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// A method that is promoted from an embedded field is called on that field: of
// x.m() with m of x.part, only x.part is read. go/ssa loads all of x first and
// takes the part from the copy, which no variable of the program holds.

// isSelection tells of loads of which nothing but parts are used: the memory that
// the program reads is that of the parts.
func isSelection(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && onlyParts(load)
}

// isPart tells whether a field is part of such a load.
func isPart(v *ssa.Field) bool {
	inner, ok := v.X.(*ssa.Field)
	return isSelection(v.X) || ok && onlyParts(inner) && isPart(inner)
}

// onlyParts tells whether a value is a struct that is only used for its fields,
// at once. What two expressions stand for is a variable: that is a copy.
func onlyParts(v ssa.Value) bool {
	if _, ok := v.Type().Underlying().(*types.Struct); !ok {
		return false
	}
	found, named := false, 0
	for _, r := range *v.Referrers() {
		switch r := r.(type) {
		case *ssa.DebugRef:
			named++
		case *ssa.Field:
			if r.Block() != v.(ssa.Instruction).Block() {
				return false
			}
			found = true
		default:
			return false
		}
	}
	return found && named <= 1
}

// declarePart gives a part its registers: its address, and its value if that is
// used as a whole.
func (l *lowerer) declarePart(v *ssa.Field) {
	address := l.typ(types.NewPointer(v.Type()))
	if onlyParts(v) {
		l.newReg(v, address, "")
		return
	}
	l.body.NewReg(address, "")
	l.newReg(v, l.typ(v.Type()), "")
}

// part lowers the selection of a part of what a selection, or a part of it, would
// have loaded.
func (l *lowerer) part(v *ssa.Field, pos ir.Pos) {
	at := v.X
	if load, ok := at.(*ssa.UnOp); ok {
		at = load.X
	}
	in := ir.Instr{Op: ir.OpField, Aux: int32(l.field(v.X.Type(), v.Field))}
	if onlyParts(v) {
		l.def(v, pos, in, l.operand(at))
		return
	}
	address := l.fn.next
	l.fn.next++
	in.Type = l.body.RegAt(address).Type
	l.body.DefReg(address, pos, in, l.operand(at))
	l.def(v, pos, ir.Instr{Op: ir.OpLoad}, ir.RegValue(address))
}
