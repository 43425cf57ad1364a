package model

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// typed is a value and the type it is known to have, or 0.
type typed struct {
	v ir.Value
	t ir.TypeID
}

// result is one result of a modelled call: its type, and the register that it
// is to be put into. Where it is to be computed but goes nowhere in particular
// the register is None; where nobody wants it, unused is set.
type result struct {
	typ    ir.TypeID
	dst    ir.Reg
	unused bool
}

// emitter turns the effects of one use into instructions, in the place of a call
// or in a body of their own.
type emitter struct {
	v       *view
	use     *use
	bb      *ir.BodyBuilder
	pos     ir.Pos
	symbol  string   // of the function that is called
	old     *ir.Body // the body around the call, or nil
	recv    typed
	args    []typed
	caps    map[place]typed // of a helper: what stands for places of the row
	locals  map[string]typed
	results []result
	values  []ir.Value // of the results, once effects have run
}

// place is a place of a row that a function value captures.
type place struct {
	op   exprOp
	n    int
	name string
}

// effects emits a list of effects and the results of the call.
func (m *emitter) effects(list []*Expr) {
	m.values = make([]ir.Value, len(m.results))
	returned := false
	for i, e := range list {
		switch {
		case e.Op == opReturn:
			m.returns(e.X)
			returned = true
		case i+1 == len(list) && len(m.results) > 0 && e.yields():
			m.returns([]*Expr{e})
			returned = true
		default:
			m.effect(e)
		}
	}
	if !returned {
		m.returns(nil)
	}
}

// yields tells whether an effect that ends a row is the result of the call.
func (e *Expr) yields() bool {
	switch e.Op {
	case opLock:
		return e.Flags&ir.FlagTry != 0
	case opAtomic:
		return ir.AtomicKind(e.Sub) != ir.AtomicStore
	case opReceive:
		return true
	}
	return false
}

// hasEffect tells whether computing a value does something.
func (e *Expr) hasEffect() bool {
	found := false
	e.walk(func(x *Expr) { found = found || x.Op >= opCall })
	return found && e.Op != opFunc
}

// returns computes the results; those that the row does not name are fresh, or
// unknown if the row is to be ignored.
func (m *emitter) returns(list []*Expr) {
	for i, r := range m.results {
		switch {
		case i < len(list) && (!r.unused || list[i].hasEffect()):
			m.values[i] = m.value(list[i], r.typ, r.dst).v
		case r.unused:
		case m.use.row.mode == modeIgnore:
			m.values[i] = m.unknown(r.typ, r.dst).v
		default:
			m.values[i] = m.fresh(r.typ, r.dst).v
		}
	}
	for _, e := range list[min(len(m.results), len(list)):] {
		if e.hasEffect() {
			m.effect(e)
		}
	}
}

// emit appends an instruction without result, marked as written by a model
// where the operation has such a mark.
func (m *emitter) emit(in ir.Instr, args ...ir.Value) {
	m.def(in, 0, ir.None, args...)
}

// def appends an instruction with a result of type t, in dst or, for None, in a
// new register; with t 0 there is no result.
func (m *emitter) def(in ir.Instr, t ir.TypeID, dst ir.Reg, args ...ir.Value) typed {
	kind := in.Flags.Origin()
	in.Flags = ((in.Flags | ir.FlagModel) & in.Op.Info().Flags).WithOrigin(kind)
	if t == 0 {
		m.bb.Emit(m.pos, in, args...)
		return m.unknown(0, dst)
	}
	if dst != ir.None && m.bb.RegAt(dst).Type == t {
		m.bb.DefReg(dst, m.pos, in, args...)
		return typed{ir.RegValue(dst), t}
	}
	x := typed{ir.RegValue(m.bb.Def(t, "", m.pos, in, args...)), t}
	return m.put(x, dst) // of another name for the same type
}

// put returns x, copied to dst if that is a register.
func (m *emitter) put(x typed, dst ir.Reg) typed {
	if dst == ir.None {
		return x
	}
	t := m.bb.RegAt(dst).Type
	m.bb.DefReg(dst, m.pos, ir.Instr{Op: ir.OpCopy, Type: t}, x.v)
	return typed{ir.RegValue(dst), t}
}

// unknown returns some value of a type.
func (m *emitter) unknown(want ir.TypeID, dst ir.Reg) typed {
	return m.put(typed{m.v.base.undef, want}, dst)
}

// fresh returns new memory of a type, or an unknown value if the type is not
// known to stand for memory.
func (m *emitter) fresh(want ir.TypeID, dst ir.Reg) typed {
	base := &m.v.base
	switch t := &m.v.u.Types[want]; t.Kind {
	case ir.KindPointer:
		if t.Elem != 0 {
			return m.def(ir.Instr{Op: ir.OpAlloc, Type: t.Elem, Aux: ir.None}, want, dst)
		}
	case ir.KindSlice:
		return m.def(ir.Instr{Op: ir.OpMakeSlice, Type: want}, want, dst, base.zero, base.zero)
	case ir.KindMap:
		return m.def(ir.Instr{Op: ir.OpMakeMap, Type: want}, want, dst)
	case ir.KindChan:
		return m.def(ir.Instr{Op: ir.OpMakeChan, Type: want}, want, dst, base.zero)
	}
	return m.unknown(want, dst)
}

// lookup returns what a place of the row stands for.
func (m *emitter) lookup(e *Expr) typed {
	if x, ok := m.caps[place{e.Op, e.N, e.Name}]; ok {
		return x
	}
	n := e.N
	switch e.Op {
	case opRecv:
		if m.recv.v != ir.NoValue {
			return m.recv
		}
	case opLocal:
		if x, ok := m.locals[e.Name]; ok {
			return x
		}
	case opLast:
		n = len(m.args)
		fallthrough
	case opArg:
		if n > 0 && n <= len(m.args) {
			return m.args[n-1]
		}
	}
	return typed{m.v.base.undef, 0}
}

// value emits what computes e. want is the type it is wanted as, or 0; dst the
// register it is wanted in, or None.
func (m *emitter) value(e *Expr, want ir.TypeID, dst ir.Reg) typed {
	base, id := &m.v.base, &m.use.ids[e.id]
	switch e.Op {
	case opRecv, opArg, opLast, opLocal:
		return m.put(m.lookup(e), dst)
	case opInt:
		return m.put(typed{id.value, base.int}, dst)
	case opNil:
		return m.put(typed{base.null, base.any}, dst)
	case opUnknown:
		return m.put(typed{id.value, id.typ}, dst)
	case opFresh:
		return m.fresh(m.orAddr(want), dst)
	case opAlike:
		return m.alike(m.orAddr(want), dst)
	case opGlobal:
		if e.Addr {
			return m.put(typed{id.value, base.addr}, dst)
		}
		return m.load(id.value, e.Name, m.orAddr(want), dst)
	case opField, opElem:
		if e.Addr {
			return m.put(typed{m.address(e), base.addr}, dst)
		}
		if e.Op == opElem {
			return m.element(e, want, dst)
		}
		return m.load(m.address(e), e.Name, m.orAddr(want), dst)
	case opPart:
		x := m.value(e.X[0], 0, ir.None)
		t := m.orAddr(want)
		if x.t != 0 && m.v.u.Types[x.t].Kind == ir.KindTuple && e.N < len(m.v.u.Types[x.t].Elems) {
			t = m.v.u.Types[x.t].Elems[e.N]
		}
		return m.def(ir.Instr{Op: ir.OpExtract, Type: t, Aux: int32(e.N)}, t, dst, x.v)
	case opAt:
		return m.load(m.value(e.X[0], 0, ir.None).v, "", m.orAddr(want), dst)
	case opNew:
		return m.allocate(e, id, dst)
	case opBox:
		return m.box(e.X[0], want, dst)
	case opAs:
		x := m.value(e.X[0], id.typ, ir.None)
		if m.isKind(x.t, ir.KindInterface) && x.v.Const() == ir.None && !m.isKind(id.typ, ir.KindInterface) {
			return m.def(ir.Instr{Op: ir.OpAssert, Type: id.typ}, id.typ, dst, x.v)
		}
		return m.put(typed{x.v, id.typ}, dst)
	case opUnion:
		return m.union(e, m.orAddr(want), dst)
	case opFunc:
		args := make([]ir.Value, len(e.Caps))
		for i, c := range e.Caps {
			args[i] = m.lookup(c).v
		}
		return m.def(ir.Instr{Op: ir.OpClosure, Type: id.typ, Aux: int32(id.ref)}, id.typ, dst, args...)
	}
	return m.perform(e, true, want, dst)
}

func (m *emitter) orAddr(t ir.TypeID) ir.TypeID {
	if t == 0 {
		return m.v.base.addr
	}
	return t
}

// order is the memory order of an access to a cell: those that models make up
// carry values from call to call and are never raced on.
func order(name string) uint8 {
	if i := strings.LastIndexByte(name, '.'); strings.HasPrefix(name[i+1:], "$") {
		return uint8(ir.Relaxed)
	}
	return uint8(ir.Plain)
}

func (m *emitter) load(addr ir.Value, name string, t ir.TypeID, dst ir.Reg) typed {
	return m.def(ir.Instr{Op: ir.OpLoad, Sub: order(name), Type: t}, t, dst, addr)
}

// address emits the address of a field, an element or a global.
func (m *emitter) address(e *Expr) ir.Value {
	base, id := &m.v.base, &m.use.ids[e.id]
	switch e.Op {
	case opGlobal:
		return id.value
	case opField:
		x := m.value(e.X[0], 0, ir.None)
		return m.def(ir.Instr{Op: ir.OpField, Type: base.addr, Aux: int32(id.field)}, base.addr, ir.None, x.v).v
	}
	x := m.value(e.X[0], 0, ir.None)
	return m.def(ir.Instr{Op: ir.OpIndex, Type: base.addr}, base.addr, ir.None, x.v, base.index).v
}

// element emits the value of any element of a slice, array or map.
func (m *emitter) element(e *Expr, want ir.TypeID, dst ir.Reg) typed {
	base := &m.v.base
	x := m.value(e.X[0], 0, ir.None)
	t := m.orAddr(want)
	if x.t != 0 {
		xt := &m.v.u.Types[x.t]
		switch xt.Kind {
		case ir.KindMap:
			return m.def(ir.Instr{Op: ir.OpMapGet, Type: xt.Elem}, xt.Elem, dst, x.v, base.undef)
		case ir.KindSlice:
			t = xt.Elem
		case ir.KindPointer, ir.KindNamed, ir.KindParam:
		default:
			return m.unknown(want, dst) // has no elements
		}
	}
	addr := m.def(ir.Instr{Op: ir.OpIndex, Type: base.addr}, base.addr, ir.None, x.v, base.index)
	return m.load(addr.v, "", t, dst)
}

func (m *emitter) allocate(e *Expr, id *entry, dst ir.Reg) typed {
	base := &m.v.base
	switch e.Type.Kind {
	case ir.KindChan:
		return m.def(ir.Instr{Op: ir.OpMakeChan, Type: id.typ}, id.typ, dst, id.value)
	case ir.KindSlice:
		return m.def(ir.Instr{Op: ir.OpMakeSlice, Type: id.typ}, id.typ, dst, base.zero, base.zero)
	case ir.KindMap:
		return m.def(ir.Instr{Op: ir.OpMakeMap, Type: id.typ}, id.typ, dst)
	}
	return m.def(ir.Instr{Op: ir.OpAlloc, Type: id.typ, Aux: ir.None}, id.ptr, dst)
}

func (m *emitter) box(e *Expr, want ir.TypeID, dst ir.Reg) typed {
	x := m.value(e, 0, ir.None)
	if e.Op == opAs {
		// The register's type is the dynamic type.
		t := m.use.ids[e.id].typ
		x = m.def(ir.Instr{Op: ir.OpCopy, Type: t}, t, ir.None, x.v)
	}
	if want == 0 {
		want = m.v.base.any
	}
	return m.def(ir.Instr{Op: ir.OpBox, Type: want}, want, dst, x.v)
}

// union puts all values into one cell and takes any of them out.
func (m *emitter) union(e *Expr, t ir.TypeID, dst ir.Reg) typed {
	cell := m.def(ir.Instr{Op: ir.OpAlloc, Sub: uint8(ir.AllocStack), Type: t, Aux: ir.None}, m.v.base.addr, ir.None)
	for _, x := range e.X {
		m.emit(ir.Instr{Op: ir.OpStore, Type: t}, cell.v, m.value(x, t, ir.None).v)
	}
	return m.load(cell.v, "", t, dst)
}
