package golang

import (
	"go/types"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// declareCall gives the result of a call its register, or the constant that
// stands for it.
func (l *lowerer) declareCall(v *ssa.Call) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "ssa:deferstack", "print", "println":
			return
		case "min", "max", "complex", "Sizeof", "Offsetof", "Alignof":
			l.fn.regs.set(v, l.undef(l.typ(v.Type())))
			return
		}
	}
	if !hasResult(v) {
		return
	}
	l.newReg(v, l.typ(v.Type()), "")
}

// hasResult tells whether a call yields anything.
func hasResult(v *ssa.Call) bool {
	t, ok := v.Type().(*types.Tuple)
	return !ok || t.Len() > 0
}

// call lowers a call, go or defer. The call instruction itself is nil for the
// latter two, which have no result.
func (l *lowerer) call(v *ssa.Call, c *ssa.CallCommon, how ir.How, pos ir.Pos) {
	in := ir.Instr{Sub: uint8(how)}
	var args []ir.Value
	switch callee := c.Value.(type) {
	case *ssa.Builtin:
		if how != ir.Now {
			l.wrapBuiltin(callee, c, how, pos)
		} else {
			l.builtin(v, callee.Name(), pos)
		}
		return
	case *ssa.Function:
		if c.IsInvoke() {
			panic(oddity("a function as the receiver of a dynamic call"))
		}
		in.Op, in.Aux = ir.OpCall, int32(l.funcRef(callee))
		args = l.operands(nil, c.Args)
	default:
		in.Op = ir.OpCallPtr
		if c.IsInvoke() {
			in.Op, in.Aux = ir.OpInvoke, int32(l.method(c.Method))
		}
		args = l.operands(callee, c.Args)
	}
	dst := ir.Reg(ir.None)
	if v == nil {
		in.Type = l.result(c.Signature())
	} else if hasResult(v) {
		dst = l.dst(v)
		in.Type = l.body.RegAt(dst).Type
	} else {
		in.Type = l.b.Tuple()
	}
	l.body.DefReg(dst, pos, in, args...)
}

// method returns the mention of an interface's method.
func (l *lowerer) method(m *types.Func) ir.MethodID {
	id, ok := l.methods[m]
	if !ok {
		id = l.b.Method(methodName(m), l.funcType(m.Signature(), nil))
		l.methods[m] = id
	}
	return id
}

// deferred lowers a defer statement. In the body of a range over a function the
// call runs when the function around it returns, which the IR cannot say; it is
// taken to run at the end of the iteration.
func (l *lowerer) deferred(v *ssa.Defer, pos ir.Pos) {
	if l.fn.yield {
		l.limit("range-func-defer", l.fn.symbol,
			"a call deferred in the body of a range over a function is taken to run at the end of the iteration", pos)
	}
	l.call(nil, v.Common(), ir.Deferred, pos)
}
