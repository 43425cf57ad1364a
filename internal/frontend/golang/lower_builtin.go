package golang

import (
	"go/types"
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// builtin lowers the call of a predeclared function. What the operands read has
// its own instructions, so a builtin without effect on memory whose value no
// analysis asks for needs none: see declareCall.
func (l *lowerer) builtin(v *ssa.Call, name string, pos ir.Pos) {
	args := l.operands(nil, v.Call.Args)
	dst, typ := ir.Reg(ir.None), ir.TypeID(0)
	switch name {
	case "ssa:deferstack", "print", "println", "min", "max", "complex", "Sizeof", "Offsetof", "Alignof":
		return
	}
	if hasResult(v) {
		dst = l.dst(v)
		typ = l.body.RegAt(dst).Type
	}
	switch name {
	case "recover":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpRecover, Type: typ})
	case "len":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpLen, Type: typ}, args...)
	case "cap":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpCap, Type: typ}, args...)
	case "append":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpAppend, Type: typ}, args...)
	case "real", "imag":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpConvert, Type: typ}, args...)
	case "ssa:wrapnilchk":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpCopy, Type: typ}, args[0])
	case "Add":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpOffset, Type: typ}, args...)
	case "Slice":
		// The memory at the pointer as an array of unknown length, and a slice of
		// that.
		array := l.b.Pointer(l.b.Array(-1, l.b.TypeAt(typ).Elem))
		p := l.body.Def(array, "", pos, ir.Instr{Op: ir.OpCast, Flags: ir.FlagUnsafe, Type: array}, args[0])
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpSlice, Type: typ}, ir.RegValue(p), ir.NoValue, args[1], ir.NoValue)
	case "SliceData":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpIndex, Type: typ}, args[0], l.intValue(0))
	case "String", "StringData":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpCast, Flags: ir.FlagUnsafe, Type: typ}, args[0])
	default:
		l.effect(name, v.Call.Args, args, dst, pos)
	}
}

// effect lowers the builtins that are called for what they do, which go and
// defer allow too.
func (l *lowerer) effect(name string, operands []ssa.Value, args []ir.Value, dst ir.Reg, pos ir.Pos) {
	switch name {
	case "print", "println":
	case "close":
		l.body.Emit(pos, ir.Instr{Op: ir.OpClose}, args...)
	case "delete":
		l.body.Emit(pos, ir.Instr{Op: ir.OpMapDelete}, args...)
	case "copy":
		l.body.DefReg(dst, pos, ir.Instr{Op: ir.OpCopyRange, Type: l.typ(elemType(operands[0].Type()))}, args...)
	case "clear":
		switch t := coreType(operands[0].Type()).(type) {
		case *types.Map:
			l.body.Emit(pos, ir.Instr{Op: ir.OpMapClear}, args...)
		case *types.Slice:
			elem := l.typ(t.Elem())
			l.body.Emit(pos, ir.Instr{Op: ir.OpSetRange, Type: elem}, args[0], l.smallConst(intConst{elem, constZero, 0}))
		default:
			panic(oddity("clear of a type that may be a map or a slice"))
		}
	default:
		panic(oddity("builtin " + name))
	}
}

// elemType returns the type of a slice's elements.
func elemType(t types.Type) types.Type {
	if s, ok := coreType(t).(*types.Slice); ok {
		return s.Elem()
	}
	panic(oddity("elements of " + t.String()))
}

// wrapBuiltin lowers go and defer of a builtin: a function is made that does
// what the builtin does, so that it happens when it should, and is called with
// the operands.
func (l *lowerer) wrapBuiltin(b *ssa.Builtin, c *ssa.CallCommon, how ir.How, pos ir.Pos) {
	f := l.fn
	f.extra++
	symbol := f.symbol + "$" + b.Name() + "·" + strconv.Itoa(f.extra)
	params := make([]ir.TypeID, len(c.Args))
	for i, arg := range c.Args {
		params[i] = l.typ(arg.Type())
	}
	id := l.b.AddFunc(ir.Func{
		Symbol: symbol, Name: b.Name(), Sig: l.b.FuncType(params, nil, false),
		TypeParams: typeParamNames(f.params), Parent: f.id, Flags: ir.FuncSynthetic, Pos: pos, End: pos,
	})
	l.pending = append(l.pending, pendingFunc{id, func() {
		args := make([]ir.Value, len(params))
		for i, typ := range params {
			args[i] = ir.RegValue(l.body.Param(typ, ""))
		}
		l.body.NewBlock()
		switch b.Name() {
		case "panic":
			l.body.Emit(pos, ir.Instr{Op: ir.OpThrow}, args[0])
		case "recover":
			// Stops a panic only where a deferred function calls it; here it is
			// that function.
			l.body.Return(pos)
		default:
			l.effect(b.Name(), c.Args, args, ir.None, pos)
			l.body.Return(pos)
		}
	}})
	ref := l.b.FuncRef(symbol, l.paramTypes(f.params)...)
	in := ir.Instr{Op: ir.OpCall, Sub: uint8(how), Aux: int32(ref), Type: l.b.Tuple()}
	l.body.Emit(pos, in, l.operands(nil, c.Args)...)
}
