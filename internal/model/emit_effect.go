package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// effect emits an effect whose value, if any, is not wanted.
func (m *emitter) effect(e *Expr) {
	switch e.Op {
	case opAssign:
		m.assign(e.X[0], e.X[1])
	case opIf:
		list := e.Else
		if m.holds(e) {
			list = e.Body
		}
		for _, x := range list {
			m.effect(x)
		}
	case opExit, opThrow:
		// Whoever put the call in its block has ended the block after it.
	default:
		m.perform(e, false, 0, ir.None)
	}
}

// holds decides a condition.
func (m *emitter) holds(e *Expr) bool {
	if e.X[0].Op == opCaller {
		return m.old != nil && m.v.mentions(m.old, e.Name)
	}
	x := m.value(e.X[0], 0, ir.None).v
	return e.Name == "" && m.v.isNumber(x, e.N) || e.Name != "" && m.v.calls(m.old, x, e.Name)
}

func (m *emitter) assign(target, value *Expr) {
	if target.Op == opLocal {
		m.locals[target.Name] = m.value(value, 0, ir.None)
		return
	}
	x := m.value(value, 0, ir.None)
	if target.Op == opElem {
		if to := m.value(target.X[0], 0, ir.None); m.isKind(to.t, ir.KindMap) {
			m.emit(ir.Instr{Op: ir.OpMapSet}, to.v, m.v.base.undef, x.v)
			return
		}
	}
	m.emit(ir.Instr{Op: ir.OpStore, Sub: order(target.Name), Type: m.orAddr(x.t)}, m.address(target), x.v)
}

// perform emits an effect. If its value is wanted, want is the type it is wanted
// as, or 0, and dst the register it is wanted in, or None.
func (m *emitter) perform(e *Expr, wanted bool, want ir.TypeID, dst ir.Reg) typed {
	switch e.Op {
	case opCall, opInvoke:
		return m.call(e, wanted, dst)
	case opCallback:
		m.callBack(e)
		return typed{m.v.base.undef, 0}
	case opRead:
		m.access(e, ir.AccessRead)
		return typed{m.v.base.undef, 0}
	case opWrite:
		m.access(e, ir.AccessWrite)
		return typed{m.v.base.undef, 0}
	}
	x := make([]typed, len(e.X))
	args := make([]ir.Value, len(e.X))
	for i := range e.X {
		x[i] = m.value(e.X[i], 0, ir.None)
		if i == 0 {
			x[i] = m.channel(e, x[i])
		}
		args[i] = x[i].v
	}
	in := ir.Instr{Op: effectOps[e.Op], Sub: e.Sub, Flags: e.Flags}
	result := ir.TypeID(0)
	switch e.Op {
	case opLock:
		if e.Flags&ir.FlagTry != 0 {
			result = m.v.base.bool
		}
	case opAtomic:
		in.Aux = int32(e.Order)
		in.Type, result = m.atomicTypes(e, x, want)
		if !wanted {
			result = 0
		}
	case opFence:
		in.Sub = uint8(e.Order)
	case opReceive:
		in.Type = m.orAddr(want)
		if x[0].t != m.v.base.channel && m.isKind(x[0].t, ir.KindChan) {
			in.Type = m.v.u.Types[x[0].t].Elem
		}
		result = in.Type
	case opOnce:
		in.Type = m.use.ids[e.id].typ
		if wanted && in.Type == m.v.base.none {
			in.Type = m.orAddr(want)
		}
		if wanted {
			result = in.Type
		}
	case opGroup:
		if ir.GroupKind(e.Sub) == ir.GroupAdd && len(args) == 1 {
			args = append(args, m.v.base.one)
		}
	case opCopyElems:
		in.Type = m.v.base.addr
		if m.isKind(x[0].t, ir.KindSlice) {
			in.Type = m.v.u.Types[x[0].t].Elem
		}
		if wanted {
			result = m.v.base.int
		}
	}
	return m.def(in, result, dst, args...)
}

// channel makes the operand of a channel operation a channel, as far as types
// go: what comes out of a cell that models make up is but an address.
func (m *emitter) channel(e *Expr, x typed) typed {
	switch e.Op {
	case opSend, opReceive, opClose:
	default:
		return x
	}
	if x.v.Reg() != ir.None && x.t != m.v.base.addr {
		return x
	}
	t := m.v.base.channel
	return m.def(ir.Instr{Op: ir.OpCast, Type: t}, t, ir.None, x.v)
}

var effectOps = map[exprOp]ir.Op{
	opLock:      ir.OpLock,
	opUnlock:    ir.OpUnlock,
	opAtomic:    ir.OpAtomic,
	opFence:     ir.OpFence,
	opSend:      ir.OpSend,
	opReceive:   ir.OpRecv,
	opClose:     ir.OpClose,
	opPost:      ir.OpPost,
	opAwait:     ir.OpAwait,
	opGroup:     ir.OpGroup,
	opOnce:      ir.OpOnce,
	opJoin:      ir.OpJoin,
	opCondWait:  ir.OpCondWait,
	opNotify:    ir.OpNotify,
	opCopyElems: ir.OpCopyRange,
}

// atomicTypes returns the type of the cell and that of the result, or 0. The
// cell's type is taken from the values that go in and come out.
func (m *emitter) atomicTypes(e *Expr, x []typed, want ir.TypeID) (cell, result ir.TypeID) {
	kind := ir.AtomicKind(e.Sub)
	for _, v := range x[1:] {
		if cell == 0 {
			cell = v.t
		}
	}
	if kind == ir.AtomicCAS {
		return m.orAddr(cell), m.v.base.bool
	}
	if cell == 0 || kind == ir.AtomicLoad {
		cell = m.orAddr(want)
	}
	if kind == ir.AtomicStore {
		return cell, 0
	}
	return cell, cell
}

// access emits reads or writes of what operands point to.
func (m *emitter) access(e *Expr, kind ir.AccessKind) {
	in := ir.Instr{Op: ir.OpAccess, Sub: uint8(kind), Flags: e.Flags}
	if e.X[0].Op != opArgs {
		if x := m.value(e.X[0], 0, ir.None); x.v.Const() == ir.None {
			m.emit(in, x.v)
		}
		return
	}
	for _, x := range m.args {
		if m.accessible(x, e.Flags) {
			m.emit(in, x.v)
		}
	}
}

// accessible tells whether an argument can be meant when a row accesses all of
// them: it points to memory or, with elems, to elements.
func (m *emitter) accessible(x typed, flags ir.Flags) bool {
	if x.v.Const() != ir.None || x.v.Func() != ir.None {
		return false
	}
	if x.t == 0 {
		return flags&ir.FlagElems == 0 // the address of a global
	}
	switch m.v.u.Types[x.t].Kind {
	case ir.KindSlice, ir.KindMap:
		return true
	case ir.KindPointer, ir.KindInterface, ir.KindNamed:
		return flags&ir.FlagElems == 0
	}
	return false
}

// call emits calls of a function value or method.
func (m *emitter) call(e *Expr, wanted bool, dst ir.Reg) typed {
	if e.Op == opCall && m.use.ids[e.id].calls != nil {
		return m.callFunctions(e, wanted, dst)
	}
	if e.X[0].Op == opArgs {
		for _, x := range m.args {
			if x.v.Func() != ir.None || m.isKind(x.t, ir.KindFunc) {
				m.callValue(e, x, false, ir.None)
			}
		}
		return typed{m.v.base.undef, 0}
	}
	if e.Op == opCall {
		return m.callValue(e, m.value(e.X[0], 0, ir.None), wanted, dst)
	}
	args := m.group(e)
	for _, x := range e.X {
		args = append(args, m.value(x, 0, ir.None).v)
	}
	id := &m.use.ids[e.id]
	in := ir.Instr{Op: ir.OpInvoke, Sub: e.Sub, Flags: e.Flags, Type: id.typ, Aux: int32(id.method)}
	return m.finishCall(in, wanted, dst, args)
}

// callValue emits a call of a function value.
func (m *emitter) callValue(e *Expr, fn typed, wanted bool, dst ir.Reg) typed {
	boxed := m.isKind(fn.t, ir.KindInterface)
	if boxed {
		fn = m.unbox(fn)
	}
	if fn.v.Const() != ir.None || m.isKind(fn.t, ir.KindInterface) {
		return m.unknown(0, dst) // nothing is known of what would be called
	}
	in := ir.Instr{Op: ir.OpCallPtr, Sub: e.Sub, Flags: e.Flags, Type: m.use.ids[e.id].typ}
	args := m.group(e)
	if ref := fn.v.Func(); ref != ir.None {
		in.Op, in.Aux = ir.OpCall, int32(ref)
	} else {
		args = append(args, fn.v)
	}
	if e.Dots {
		f := m.v.signature(fn)
		if f == nil {
			return m.unknown(0, dst)
		}
		for _, t := range f.Elems {
			args = append(args, m.fresh(t, ir.None).v)
		}
	} else {
		for _, x := range e.X[1:] {
			arg := m.value(x, 0, ir.None)
			if boxed { // a call by reflection takes its arguments out too
				arg = m.unbox(arg)
			}
			args = append(args, arg.v)
		}
	}
	return m.finishCall(in, wanted, dst, args)
}

func (m *emitter) isKind(t ir.TypeID, kind ir.TypeKind) bool {
	return t != 0 && m.v.u.Types[t].Kind == kind
}

// unbox returns what an interface value holds if it was made in the body, else
// the value itself.
func (m *emitter) unbox(x typed) typed {
	if in := definition(m.old, x.v); in != nil && in.Op == ir.OpBox {
		v := m.old.Args(in)[0]
		return typed{v, m.v.typeOf(m.old, v)}
	}
	return x
}

func (m *emitter) group(e *Expr) []ir.Value {
	if e.Group == nil {
		return nil
	}
	return []ir.Value{m.value(e.Group, 0, ir.None).v}
}

func (m *emitter) finishCall(in ir.Instr, wanted bool, dst ir.Reg, args []ir.Value) typed {
	if wanted && in.Type != m.v.base.none {
		return m.def(in, in.Type, dst, args...)
	}
	m.emit(in, args...)
	return m.unknown(0, dst)
}
