package golang

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// lowerInstr lowers one instruction of go/ssa, mostly to one of ours.
func (l *lowerer) lowerInstr(instr ssa.Instruction, pos ir.Pos) {
	switch v := instr.(type) {
	case *ssa.DebugRef:
		// Positions and names have been taken from it.
	case *ssa.Alloc:
		l.alloc(v, pos)
	case *ssa.Phi:
		l.def(v, pos, ir.Instr{Op: ir.OpPhi}, l.operands(nil, v.Edges)...)
	case *ssa.Call:
		l.call(v, v.Common(), ir.Now, pos)
	case *ssa.Go:
		l.call(nil, v.Common(), ir.Spawned, pos)
	case *ssa.Defer:
		l.deferred(v, pos)
	case *ssa.RunDefers:
		l.body.Emit(pos, ir.Instr{Op: ir.OpRunDefers})
	case *ssa.BinOp:
		l.def(v, pos, ir.Instr{Op: ir.OpBinary, Sub: uint8(binaryKind(v.Op))}, l.operand(v.X), l.operand(v.Y))
	case *ssa.UnOp:
		l.unary(v, pos)
	case *ssa.ChangeType:
		l.def(v, pos, ir.Instr{Op: changeOp(v)}, l.operand(v.X))
	case *ssa.ChangeInterface:
		l.def(v, pos, ir.Instr{Op: ir.OpCopy}, l.operand(v.X))
	case *ssa.Convert:
		l.convert(v, v.X, pos)
	case *ssa.MultiConvert:
		l.def(v, pos, ir.Instr{Op: ir.OpConvert}, l.operand(v.X))
	case *ssa.SliceToArrayPointer:
		l.def(v, pos, ir.Instr{Op: ir.OpCast}, l.operand(v.X))
	case *ssa.MakeInterface:
		if isSelectPanic(v) {
			return
		}
		l.def(v, pos, ir.Instr{Op: ir.OpBox}, l.operand(v.X))
	case *ssa.TypeAssert:
		l.def(v, pos, ir.Instr{Op: ir.OpAssert, Flags: okFlag(v.CommaOk)}, l.operand(v.X))
	case *ssa.MakeClosure:
		l.closure(v, pos)
	case *ssa.MakeMap:
		l.makeMap(v, pos)
	case *ssa.MakeChan:
		l.def(v, pos, ir.Instr{Op: ir.OpMakeChan}, l.operand(v.Size))
	case *ssa.MakeSlice:
		l.def(v, pos, ir.Instr{Op: ir.OpMakeSlice}, l.operand(v.Len), l.operand(v.Cap))
	case *ssa.Slice:
		l.def(v, pos, ir.Instr{Op: ir.OpSlice}, l.operand(v.X), l.operand(v.Low), l.operand(v.High), l.operand(v.Max))
	case *ssa.FieldAddr:
		l.def(v, pos, ir.Instr{Op: ir.OpField, Aux: int32(l.field(deref(v.X.Type()), v.Field))}, l.operand(v.X))
	case *ssa.Field:
		if isPart(v) {
			l.part(v, pos)
			return
		}
		l.def(v, pos, ir.Instr{Op: ir.OpExtract, Aux: int32(v.Field)}, l.operand(v.X))
	case *ssa.IndexAddr:
		l.def(v, pos, ir.Instr{Op: ir.OpIndex}, l.operand(v.X), l.operand(v.Index))
	case *ssa.Index:
		l.def(v, pos, ir.Instr{Op: ir.OpElement}, l.operand(v.X), l.operand(v.Index))
	case *ssa.Lookup:
		l.def(v, pos, ir.Instr{Op: ir.OpMapGet, Flags: okFlag(v.CommaOk)}, l.operand(v.X), l.operand(v.Index))
	case *ssa.MapUpdate:
		l.body.Emit(pos, ir.Instr{Op: ir.OpMapSet}, l.operand(v.Map), l.operand(v.Key), l.operand(v.Value))
	case *ssa.Range:
		l.def(v, pos, ir.Instr{Op: ir.OpRange}, l.operand(v.X))
	case *ssa.Next:
		l.def(v, pos, ir.Instr{Op: ir.OpNext}, l.operand(v.Iter))
	case *ssa.Select:
		l.selectInstr(v, pos)
	case *ssa.Extract:
		l.def(v, pos, ir.Instr{Op: ir.OpExtract, Aux: int32(v.Index)}, l.operand(v.Tuple))
	case *ssa.Send:
		l.body.Emit(pos, ir.Instr{Op: ir.OpSend}, l.operand(v.Chan), l.operand(v.X))
	case *ssa.Store:
		if !isDeferStack(v.Val.Type()) {
			l.body.Emit(pos, ir.Instr{Op: ir.OpStore, Type: l.typ(v.Val.Type())}, l.operand(v.Addr), l.operand(v.Val))
		}
	case *ssa.Jump:
		l.body.Emit(pos, ir.Instr{Op: ir.OpJump})
	case *ssa.If:
		l.body.Emit(pos, ir.Instr{Op: ir.OpIf}, l.operand(v.Cond))
	case *ssa.Return:
		l.ret(v, pos)
	case *ssa.Panic:
		l.panic(v, pos)
	default:
		panic(oddity(fmt.Sprintf("instruction %T is not known", instr)))
	}
}

// def emits an instruction whose result is v. The type is that of the register
// unless the instruction has another.
func (l *lowerer) def(v ssa.Value, pos ir.Pos, in ir.Instr, args ...ir.Value) {
	dst := l.dst(v)
	if in.Type == 0 {
		in.Type = l.body.RegAt(dst).Type
	}
	l.body.DefReg(dst, pos, in, args...)
}

// dst returns the register of a value that is now defined. Registers were given
// out in the order of the instructions.
func (l *lowerer) dst(v ssa.Value) ir.Reg {
	r := l.fn.next
	l.fn.next++
	l.fn.regs.keep(v, ir.RegValue(r))
	return r
}

func okFlag(commaOk bool) ir.Flags {
	if commaOk {
		return ir.FlagOK
	}
	return 0
}

func (l *lowerer) alloc(v *ssa.Alloc, pos ir.Pos) {
	in := ir.Instr{Op: ir.OpAlloc, Type: l.typ(deref(v.Type())), Aux: ir.None}
	if !v.Heap {
		in.Sub = uint8(ir.AllocStack)
	}
	if name := sourceName(v.Comment); name != "" {
		in.Aux = l.nameConst(name)
	}
	l.def(v, pos, in)
}

func (l *lowerer) field(strct types.Type, index int) ir.FieldID {
	s, ok := coreType(strct).(*types.Struct)
	if !ok || index >= s.NumFields() {
		panic(oddity(fmt.Sprintf("field %d of %s", index, strct)))
	}
	if _, ok := types.Unalias(strct).(*types.TypeParam); ok {
		strct = s // all types it stands for have these fields
	}
	return l.b.Field(l.typ(strct), s.Field(index).Name(), int32(index))
}

func binaryKind(op token.Token) ir.BinaryKind {
	switch op {
	case token.ADD:
		return ir.BinAdd
	case token.SUB:
		return ir.BinSub
	case token.MUL:
		return ir.BinMul
	case token.QUO:
		return ir.BinDiv
	case token.REM:
		return ir.BinRem
	case token.AND:
		return ir.BinAnd
	case token.OR:
		return ir.BinOr
	case token.XOR:
		return ir.BinXor
	case token.SHL:
		return ir.BinShl
	case token.SHR:
		return ir.BinShr
	case token.AND_NOT:
		return ir.BinAndNot
	case token.EQL:
		return ir.BinEq
	case token.NEQ:
		return ir.BinNe
	case token.LSS:
		return ir.BinLt
	case token.LEQ:
		return ir.BinLe
	case token.GTR:
		return ir.BinGt
	case token.GEQ:
		return ir.BinGe
	}
	panic(oddity("operator " + op.String()))
}

func (l *lowerer) unary(v *ssa.UnOp, pos ir.Pos) {
	in := ir.Instr{Op: ir.OpUnary}
	switch v.Op {
	case token.MUL:
		if dropped(l, v) {
			return
		}
		in.Op = ir.OpLoad
	case token.ARROW:
		in.Op, in.Flags = ir.OpRecv, okFlag(v.CommaOk)
	case token.SUB:
		in.Sub = uint8(ir.UnNeg)
	case token.NOT:
		in.Sub = uint8(ir.UnNot)
	case token.XOR:
		in.Sub = uint8(ir.UnCompl)
	default:
		panic(oddity("operator " + v.Op.String()))
	}
	l.def(v, pos, in, l.operand(v.X))
}

// dropped tells of loads that go/ssa has and the program does not do:
//
//   - the nil check of &*p, whose value nothing uses;
//   - the array of a range statement that asks for indices only, which is not
//     evaluated;
//   - the list of deferred calls, which is no variable of the program;
//   - the whole of which a method of a part is called.
func dropped(l *lowerer, v *ssa.UnOp) bool {
	if v.Op != token.MUL {
		return false
	}
	if isDeferStack(v.Type()) || isSelection(v) {
		return true
	}
	refs := *v.Referrers()
	if len(refs) == 0 {
		return true
	}
	t := v.Type().Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	if _, ok := t.(*types.Array); !ok {
		return false
	}
	for _, r := range refs {
		if ref, ok := r.(*ssa.DebugRef); !ok || !l.unread[ref.Expr] {
			return false
		}
	}
	return true
}

// isDeferStack tells of the type that go/ssa gives a list of deferred calls.
func isDeferStack(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && isSSAType(named) && named.Obj().Name() == "deferStack"
}

// isSSAType tells of types go/ssa made up.
func isSSAType(t *types.Named) bool {
	pkg := t.Obj().Pkg()
	return pkg != nil && pkg.Path() == "$ssa"
}

func (l *lowerer) closure(v *ssa.MakeClosure, pos ir.Pos) {
	ref := l.funcRef(v.Fn.(*ssa.Function))
	l.def(v, pos, ir.Instr{Op: ir.OpClosure, Aux: int32(ref)}, l.operands(nil, v.Bindings)...)
}

func (l *lowerer) makeMap(v *ssa.MakeMap, pos ir.Pos) {
	if v.Reserve == nil {
		l.def(v, pos, ir.Instr{Op: ir.OpMakeMap})
		return
	}
	l.def(v, pos, ir.Instr{Op: ir.OpMakeMap}, l.operand(v.Reserve))
}

func (l *lowerer) selectInstr(v *ssa.Select, pos ir.Pos) {
	args := l.args[:0]
	for _, s := range v.States {
		dir := ir.SelectRecv
		if s.Dir == types.SendOnly {
			dir = ir.SelectSend
		}
		args = append(args, l.intValue(int64(dir)), l.operand(s.Chan), l.operand(s.Send))
	}
	l.args = args
	var flags ir.Flags
	if v.Blocking {
		flags = ir.FlagBlocking
	}
	l.def(v, pos, ir.Instr{Op: ir.OpSelect, Flags: flags}, args...)
}

// panic lowers a panic. The one that go/ssa puts where a blocking select would
// have chosen no case cannot happen.
func (l *lowerer) panic(v *ssa.Panic, pos ir.Pos) {
	if box, ok := v.X.(*ssa.MakeInterface); ok && isSelectPanic(box) {
		l.body.Emit(pos, ir.Instr{Op: ir.OpUnreachable})
		return
	}
	l.body.Emit(pos, ir.Instr{Op: ir.OpThrow}, l.operand(v.X))
}

func isSelectPanic(v *ssa.MakeInterface) bool {
	c, ok := v.X.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String || v.Pos().IsValid() || len(*v.Referrers()) != 1 {
		return false
	}
	p, ok := (*v.Referrers())[0].(*ssa.Panic)
	return ok && !p.Pos().IsValid() && constant.StringVal(c.Value) == "blocking select matched no case"
}

func (l *lowerer) ret(v *ssa.Return, pos ir.Pos) {
	if l.fn.defers {
		l.body.Emit(pos, ir.Instr{Op: ir.OpRunDefers})
	}
	l.body.Return(pos, l.operands(nil, v.Results)...)
}
