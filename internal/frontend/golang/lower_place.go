package golang

import (
	"go/ast"
	"go/token"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// placeBlock finds the positions of a block's instructions. What go/ssa gives
// none to has, in this order: that of the expression it is known to belong to,
// that of what was evaluated last before it, that of what comes next, that of
// the block that leads here.
func (f *function) placeBlock(l *lowerer, b *ssa.BasicBlock) {
	if cap(f.at) < len(b.Instrs) {
		f.at = make([]ir.Pos, 2*len(b.Instrs))
	}
	f.at = f.at[:len(b.Instrs)]
	for i := range b.Instrs {
		f.at[i] = f.explicit(l, b.Instrs, i)
	}
	var carry ir.Pos
	var ref *ssa.DebugRef // later than carry; most are never asked for
	for i, instr := range b.Instrs {
		switch v := instr.(type) {
		case *ssa.DebugRef:
			ref = v
			continue
		case *ssa.Phi:
			// Has the position of the variable's declaration.
			if !f.at[i].IsValid() {
				f.at[i] = f.inherited(l, b)
			}
			continue
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Alloc, *ssa.RunDefers:
			// An address is for the access that follows.
			if !f.at[i].IsValid() {
				f.at[i] = f.following(b.Instrs, i)
			}
		}
		switch {
		case f.at[i].IsValid():
			carry, ref = f.at[i], nil
			continue
		case ref != nil:
			carry, ref = f.expr(l, ref.Expr), nil
		case !carry.IsValid():
			carry = f.inherited(l, b)
		}
		f.at[i] = carry
	}
	f.last[b.Index] = carry
}

// inherited returns the position for the instructions without one that a block
// begins with.
func (f *function) inherited(l *lowerer, b *ssa.BasicBlock) ir.Pos {
	for i, instr := range b.Instrs {
		switch v := instr.(type) {
		case *ssa.Phi:
			continue
		case *ssa.DebugRef:
			return f.expr(l, v.Expr)
		}
		if f.at[i].IsValid() {
			return f.at[i]
		}
	}
	for d := b.Idom(); d != nil; d = d.Idom() {
		if f.last[d.Index].IsValid() {
			return f.last[d.Index]
		}
	}
	return f.start
}

func (f *function) following(instrs []ssa.Instruction, i int) ir.Pos {
	for ; i < len(instrs); i++ {
		if f.at[i].IsValid() {
			return f.at[i]
		}
	}
	return ir.Pos{}
}

// explicit returns the position that instruction i has by itself.
func (f *function) explicit(l *lowerer, instrs []ssa.Instruction, i int) ir.Pos {
	switch v := instrs[i].(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.Jump, *ssa.RunDefers:
		return ir.Pos{}
	case *ssa.Store:
		return f.placeStore(l, v)
	case *ssa.UnOp:
		if v.Op == token.MUL && !f.trusted(v.Pos()) {
			return f.placeLoad(l, instrs, i, v)
		}
	case *ssa.IndexAddr:
		if isRangeIndex(v.Index) {
			return ir.Pos{} // has the position of the slice's definition
		}
	case *ssa.Index:
		if isRangeIndex(v.Index) {
			return ir.Pos{}
		}
	case *ssa.Extract:
		if ref := refTo(instrs, i, v); ref != nil {
			return f.expr(l, ref)
		}
		return f.defined(l, v.Tuple)
	case *ssa.MakeClosure:
		if !v.Pos().IsValid() {
			return l.pos.read(v.Fn.Pos())
		}
	case *ssa.Call:
		return f.placeCall(l, v)
	case *ssa.Slice:
		if !v.Pos().IsValid() {
			return f.defined(l, v.X) // of the values of a variadic call
		}
	case *ssa.Return:
		if !v.Pos().IsValid() {
			return f.end
		}
	}
	return f.token(l, instrs[i].Pos())
}

// trusted tells whether a position is in the text of the function.
func (f *function) trusted(pos token.Pos) bool { return f.lo <= pos && pos < f.hi }

func (f *function) token(l *lowerer, pos token.Pos) ir.Pos {
	if !f.trusted(pos) {
		return ir.Pos{}
	}
	return l.pos.read(pos)
}

// defined returns the position of the instruction that defines a value.
func (f *function) defined(l *lowerer, v ssa.Value) ir.Pos {
	if call, ok := v.(*ssa.Call); ok {
		return f.placeCall(l, call)
	}
	if _, ok := v.(ssa.Instruction); !ok {
		return ir.Pos{}
	}
	return f.token(l, v.Pos())
}

func (f *function) placeStore(l *lowerer, s *ssa.Store) ir.Pos {
	if addr, ok := s.Addr.(*ssa.IndexAddr); ok {
		if array, ok := addr.X.(*ssa.Alloc); ok && array.Comment == "varargs" {
			return f.placeArgument(l, s.Pos(), array.Pos())
		}
	}
	if f.trusted(s.Pos()) {
		return l.pos.written(s.Pos())
	}
	return f.defined(l, s.Addr) // a parameter or loop variable put in its cell
}

// placeArgument finds the position of a store to the values of a variadic call.
// It is given that of the value's definition, which is good if that is in the
// call; else the call's has to do.
func (f *function) placeArgument(l *lowerer, value, rparen token.Pos) ir.Pos {
	if f.trusted(value) && f.trusted(rparen) && l.pos.inside(value, rparen) {
		return l.pos.read(value)
	}
	return f.token(l, rparen)
}

// placeLoad finds the position of a load that has none: of an embedded
// pointer, of a range element, of a receiver passed by value.
func (f *function) placeLoad(l *lowerer, instrs []ssa.Instruction, i int, v *ssa.UnOp) ir.Pos {
	if ref := refTo(instrs, i, v); ref != nil {
		return f.expr(l, ref)
	}
	if ret, ok := instrs[len(instrs)-1].(*ssa.Return); ok && returns(ret, v) {
		if !ret.Pos().IsValid() {
			return f.end
		}
		return f.token(l, ret.Pos())
	}
	for j := i - 1; j >= 0 && j >= i-16; j-- {
		if ref, ok := instrs[j].(*ssa.DebugRef); ok && ref.X == v.X {
			return f.expr(l, ref.Expr)
		}
	}
	return f.defined(l, v.X)
}

func returns(ret *ssa.Return, v ssa.Value) bool {
	for _, r := range ret.Results {
		if r == v {
			return true
		}
	}
	return false
}

// refTo returns the expression that the next instructions say is v.
func refTo(instrs []ssa.Instruction, i int, v ssa.Value) ast.Expr {
	for j := i + 1; j < len(instrs) && j <= i+4; j++ {
		if ref, ok := instrs[j].(*ssa.DebugRef); ok && ref.X == v {
			return ref.Expr
		}
	}
	return nil
}

func (f *function) placeCall(l *lowerer, call *ssa.Call) ir.Pos {
	if pos := call.Common().Pos(); f.trusted(pos) {
		return l.pos.read(pos)
	}
	for _, arg := range call.Call.Args {
		if c, ok := arg.(*ssa.MakeClosure); ok {
			return l.pos.read(c.Fn.Pos()) // the body of a range over a function
		}
	}
	if callee := call.Call.StaticCallee(); callee != nil && callee.Pkg == f.ssa.Pkg && f.ssa.Syntax() == nil {
		return l.pos.read(callee.Pos()) // an init function, called by the initialiser
	}
	return ir.Pos{}
}

// isRangeIndex tells whether a value counts the elements of a range statement.
func isRangeIndex(v ssa.Value) bool {
	incr, ok := v.(*ssa.BinOp)
	if !ok || incr.Pos().IsValid() {
		return false
	}
	phi, ok := incr.X.(*ssa.Phi)
	return ok && phi.Comment == "rangeindex"
}

// expr returns the position of an expression.
func (f *function) expr(l *lowerer, e ast.Expr) ir.Pos {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return l.pos.read(e.Sel.NamePos)
	case *ast.CallExpr:
		return l.pos.read(e.Lparen)
	case *ast.IndexExpr:
		return l.pos.read(e.Lbrack)
	case *ast.BinaryExpr:
		return l.pos.read(e.OpPos)
	case *ast.CompositeLit:
		return l.pos.read(e.Lbrace)
	default:
		return l.pos.read(e.Pos())
	}
}
