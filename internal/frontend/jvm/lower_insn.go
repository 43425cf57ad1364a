package jvm

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// insn lowers one instruction.
func (x *method) insn(in *classfile.Insn) {
	switch op := in.Op; {
	case op == classfile.OpNop:
	case op == classfile.OpAConstNull:
		x.push(nullDesc, x.constant(objectDesc, "nil"))
	case op == classfile.OpLdc:
		x.ldc(in)
	case op >= classfile.OpILoad && op <= classfile.OpALoad:
		w := x.value(x.locals[in.Local])
		if op == classfile.OpALoad && !isRef(w.desc) {
			w.v = x.bad("%s where a reference is needed", w.desc)
		}
		x.push(loadDesc(op, w.desc), w.v)
	case op >= classfile.OpIStore && op <= classfile.OpAStore:
		x.storeLocal(in)
	case op >= classfile.OpIALoad && op <= classfile.OpSALoad:
		i, array := x.pop(1), x.popRef()
		desc := elemDesc(array.desc, op)
		x.push(desc, x.def(desc, ir.Instr{Op: ir.OpLoad}, x.element(array, desc, i.v)))
	case op >= classfile.OpIAStore && op <= classfile.OpSAStore:
		x.storeElement(op)
	case op >= classfile.OpPop && op <= classfile.OpSwap:
		x.stack, _ = shuffle(op, x.stack)
	case op >= classfile.OpIAdd && op <= classfile.OpLXor:
		x.arithmetic(op)
	case op == classfile.OpIInc:
		w := x.value(x.locals[in.Local])
		sum := x.def("I", ir.Instr{Op: ir.OpBinary, Sub: uint8(ir.BinAdd)}, w.v, x.integer("I", in.Int))
		x.locals[in.Local] = word{sum, "I"}
		x.nameLocal(int(in.Local), sum)
	case op >= classfile.OpI2L && op <= classfile.OpI2S:
		e := fixed[op]
		v := x.pop(e.pops)
		x.push(e.push, x.def(e.push, ir.Instr{Op: ir.OpConvert}, v.v))
	case op >= classfile.OpLCmp && op <= classfile.OpDCmpG:
		n := fixed[op].pops / 2
		b, a := x.pop(n), x.pop(n)
		x.push("I", x.def("I", ir.Instr{Op: ir.OpBinary, Sub: uint8(ir.BinCmp)}, a.v, b.v))
	case isJump(op):
		x.jump(in)
	case in.Switch != nil:
		x.switchOn(in)
	case op >= classfile.OpIReturn && op <= classfile.OpReturn:
		x.ret(op)
	case op >= classfile.OpGetStatic && op <= classfile.OpPutField:
		x.member(in)
	case op >= classfile.OpInvokeVirtual && op <= classfile.OpInvokeInterface:
		x.call(in)
	case op == classfile.OpInvokeDynamic:
		x.dynamic(in.Dynamic)
	default:
		x.object(in)
	}
}

// object lowers the instructions that make and look at objects.
func (x *method) object(in *classfile.Insn) {
	switch in.Op {
	case classfile.OpNew:
		x.trigger(in.Text)
		x.push(classfile.DescOf(in.Text), x.alloc(in.Text))
	case classfile.OpNewArray, classfile.OpANewArray:
		desc := "[" + in.Text
		if in.Op == classfile.OpANewArray {
			desc = "[" + classfile.DescOf(in.Text)
		}
		n := x.pop(1)
		x.push(desc, x.newArray(desc, n.v))
	case classfile.OpMultiANewArray:
		x.multiArray(in)
	case classfile.OpArrayLength:
		array := x.popRef()
		x.push("I", x.def("I", ir.Instr{Op: ir.OpLen}, x.asArray(array, objectDesc)))
	case classfile.OpAThrow:
		v := x.popRef()
		if x.lock != ir.NoValue && len(x.g.blocks[x.block].handlers) == 0 {
			x.emit(ir.Instr{Op: ir.OpUnlock, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, x.lock)
		}
		x.emit(ir.Instr{Op: ir.OpThrow}, v.v)
	case classfile.OpCheckCast:
		v := x.popRef()
		desc := classfile.DescOf(in.Text)
		x.push(desc, x.cast(v, desc))
	case classfile.OpInstanceOf:
		x.pop(1)
		x.push("Z", x.undef("Z"))
	case classfile.OpMonitorEnter:
		x.emit(ir.Instr{Op: ir.OpLock, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, x.monitor(x.popRef()))
	case classfile.OpMonitorExit:
		x.emit(ir.Instr{Op: ir.OpUnlock, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, x.monitor(x.popRef()))
	}
}

// constant returns a constant of the type of a descriptor.
func (l *lowerer) constant(desc, text string) ir.Value {
	return ir.ConstValue(l.b.Const(l.types.of(desc), text))
}

func (l *lowerer) integer(desc string, n int64) ir.Value {
	return l.constant(desc, strconv.FormatInt(n, 10))
}

// undef is any value of a type. Of a reference it is one that leads nowhere,
// as those to strings that nobody can tell apart.
func (l *lowerer) undef(desc string) ir.Value { return l.constant(desc, "undef") }

func (x *method) ldc(in *classfile.Insn) {
	desc := constDesc(in)
	switch in.Const {
	case classfile.ConstInt, classfile.ConstLong:
		x.push(desc, x.integer(desc, in.Int))
	case classfile.ConstFloat:
		x.push(desc, x.constant(desc, strconv.FormatFloat(in.Float(), 'g', -1, 32)))
	case classfile.ConstDouble:
		x.push(desc, x.constant(desc, strconv.FormatFloat(in.Float(), 'g', -1, 64)))
	case classfile.ConstString:
		x.push(desc, x.constant(desc, strconv.Quote(in.Text)))
	case classfile.ConstClass:
		x.push(desc, ir.GlobalValue(x.b.GlobalRef(classObject(dotted(in.Text)))))
	case classfile.ConstDynamic:
		x.dynamicConst(in.Dynamic)
	default:
		x.push(desc, x.undef(desc))
	}
}

// monitor is what a monitor instruction locks. A string literal is one object
// for the whole program.
func (x *method) monitor(w word) ir.Value {
	if c := w.v.Const(); c != ir.None && w.desc == stringDesc {
		text := x.b.Unit().Consts[c].Text
		if s, err := strconv.Unquote(text); err == nil {
			return ir.GlobalValue(x.b.GlobalRef("java.lang.String." + s))
		}
	}
	return w.v
}

func (x *method) storeLocal(in *classfile.Insn) {
	n := 1
	if in.Op == classfile.OpLStore || in.Op == classfile.OpDStore {
		n = 2
	}
	w := x.pop(n)
	x.locals[in.Local] = w
	if n == 2 {
		x.locals[in.Local+1] = word{ir.NoValue, ""}
	}
	x.nameLocal(int(in.Local), w.v)
}

// nameLocal gives a register the name of the variable it is assigned to, which
// begins to live at the next instruction.
func (x *method) nameLocal(local int, v ir.Value) {
	r := v.Reg()
	if r == ir.None || x.body.RegAt(r).Name != "" {
		return
	}
	for i := range x.code.Locals {
		if lv := &x.code.Locals[i]; lv.Index == local && lv.Start > int(x.pc) && lv.Start <= int(x.pc)+4 || lv.Index == local && lv.Start <= int(x.pc) && int(x.pc) < lv.End {
			x.body.RegAt(r).Name = lv.Name
			return
		}
	}
}

// asArray returns an array as a slice whose elements are of the given type: a
// reference whose type was lost where control meets is cast.
func (x *method) asArray(w word, elem string) ir.Value {
	if len(w.desc) > 0 && w.desc[0] == '[' {
		return w.v
	}
	return x.def("["+elem, ir.Instr{Op: ir.OpCast}, w.v)
}

// element is the address of an element.
func (x *method) element(array word, elem string, i ir.Value) ir.Value {
	a := x.asArray(array, elem)
	t := x.types.addr(elem)
	return ir.RegValue(x.body.Def(t, "", x.pos, ir.Instr{Op: ir.OpIndex, Type: t}, a, i))
}

func (x *method) storeElement(op classfile.Op) {
	n := 1
	if op == classfile.OpLAStore || op == classfile.OpDAStore {
		n = 2
	}
	v, i, array := x.pop(n), x.pop(1), x.popRef()
	desc := elemDesc(array.desc, op)
	x.emit(ir.Instr{Op: ir.OpStore, Type: x.types.of(desc)}, x.element(array, desc, i.v), v.v)
}

// alloc makes an object of a class.
func (x *method) alloc(class string) ir.Value {
	return ir.RegValue(x.body.Def(x.types.of(classfile.DescOf(class)), "", x.pos, ir.Instr{Op: ir.OpAlloc, Sub: uint8(ir.AllocHeap), Type: x.types.named(class), Aux: ir.None}))
}

func (x *method) newArray(desc string, n ir.Value) ir.Value {
	return x.def(desc, ir.Instr{Op: ir.OpMakeSlice}, n, n)
}

// multiArray makes an array of arrays: an array for each dimension, of which
// the outer ones hold the next.
func (x *method) multiArray(in *classfile.Insn) {
	lengths := make([]word, in.Dims)
	for i := len(lengths) - 1; i >= 0; i-- {
		lengths[i] = x.pop(1)
	}
	desc := in.Text
	outer := x.newArray(desc, lengths[0].v)
	array := word{outer, desc}
	for _, n := range lengths[1:] {
		inner := array.desc[1:]
		v := x.newArray(inner, n.v)
		at := x.element(array, inner, x.undef("I"))
		x.emit(ir.Instr{Op: ir.OpStore, Type: x.types.of(inner)}, at, v)
		array = word{v, inner}
	}
	x.push(desc, outer)
}

// cast is the reference seen as of another type.
func (x *method) cast(w word, desc string) ir.Value {
	if w.desc == desc || w.v.Kind() == ir.ValueConst {
		return w.v
	}
	return x.def(desc, ir.Instr{Op: ir.OpCast}, w.v)
}

var arithmetics = [...]ir.BinaryKind{ir.BinAdd, ir.BinSub, ir.BinMul, ir.BinDiv, ir.BinRem}

func (x *method) arithmetic(op classfile.Op) {
	switch {
	case op >= classfile.OpINeg && op <= classfile.OpDNeg:
		e := fixed[op]
		v := x.pop(e.pops)
		x.push(e.push, x.def(e.push, ir.Instr{Op: ir.OpUnary, Sub: uint8(ir.UnNeg)}, v.v))
		return
	case op >= classfile.OpIShl && op <= classfile.OpLUshr:
		kind := ir.BinShr
		if op <= classfile.OpLShl {
			kind = ir.BinShl
		}
		desc := fixed[op].push
		by, v := x.pop(1), x.pop(classfile.Words(desc))
		x.push(desc, x.def(desc, ir.Instr{Op: ir.OpBinary, Sub: uint8(kind)}, v.v, by.v))
		return
	}
	desc := arithmeticDesc(op)
	n := classfile.Words(desc)
	b, a := x.pop(n), x.pop(n)
	var kind ir.BinaryKind
	if op <= classfile.OpDRem {
		kind = arithmetics[(op-classfile.OpIAdd)/4]
	} else {
		kind = [...]ir.BinaryKind{ir.BinAnd, ir.BinOr, ir.BinXor}[(op-classfile.OpIAnd)/2]
		if a.desc == "Z" && b.desc == "Z" {
			desc = "Z"
		}
	}
	x.push(desc, x.def(desc, ir.Instr{Op: ir.OpBinary, Sub: uint8(kind)}, a.v, b.v))
}

var comparisons = [...]ir.BinaryKind{ir.BinEq, ir.BinNe, ir.BinLt, ir.BinGe, ir.BinGt, ir.BinLe}

// jump ends a block. A test of a boolean against zero is that boolean.
func (x *method) jump(in *classfile.Insn) {
	b := &x.g.blocks[x.block]
	then := x.ids[b.succs[0]]
	if in.Op == classfile.OpGoto {
		x.body.Jump(x.pos, then)
		return
	}
	els := x.ids[b.succs[1]]
	var kind ir.BinaryKind
	var l, r ir.Value
	switch op := in.Op; {
	case op <= classfile.OpIfLe:
		v := x.pop(1)
		if v.desc == "Z" && op <= classfile.OpIfNe {
			if op == classfile.OpIfEq {
				then, els = els, then
			}
			x.body.If(x.pos, v.v, then, els)
			return
		}
		kind, l, r = comparisons[op-classfile.OpIfEq], v.v, x.integer("I", 0)
	case op <= classfile.OpIfACmpNe:
		b, a := x.pop(1), x.pop(1)
		kind, l, r = comparisons[(op-classfile.OpIfICmpEq)%6], a.v, b.v
	default:
		v := x.pop(1)
		kind, l, r = ir.BinEq, v.v, x.constant(objectDesc, "nil")
		if op == classfile.OpIfNonNull {
			kind = ir.BinNe
		}
	}
	x.body.If(x.pos, x.def("Z", ir.Instr{Op: ir.OpBinary, Sub: uint8(kind)}, l, r), then, els)
}

func (x *method) switchOn(in *classfile.Insn) {
	args := []ir.Value{x.pop(1).v}
	for _, k := range in.Switch.Keys {
		args = append(args, x.integer("I", int64(k)))
	}
	b := &x.g.blocks[x.block]
	ids := make([]ir.BlockID, len(b.succs))
	for i, s := range b.succs {
		ids[i] = x.ids[s]
	}
	x.emit(ir.Instr{Op: ir.OpSwitch}, args...)
	x.body.SetSuccs(x.ids[x.block], ids...)
}

func (x *method) ret(op classfile.Op) {
	var results []ir.Value
	if op != classfile.OpReturn {
		results = append(results, x.pop(fixed[op].pops).v)
	}
	if x.lock != ir.NoValue {
		x.emit(ir.Instr{Op: ir.OpUnlock, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, x.lock)
	}
	switch {
	case x.desc.Result == "V":
		results = nil
	case len(results) == 0: // no compiler writes it
		results = append(results, x.undef(x.desc.Result))
	}
	x.body.Return(x.pos, results...)
}

// member lowers accesses to fields. Whether a field is volatile or final its
// class knows; the linker looks there.
func (x *method) member(in *classfile.Insn) {
	m := in.Member
	words := classfile.Words(m.Desc)
	switch in.Op {
	case classfile.OpGetStatic:
		x.triggerField(m.Owner)
		x.push(m.Desc, x.def(m.Desc, ir.Instr{Op: ir.OpLoad}, x.staticField(m)))
	case classfile.OpPutStatic:
		v := x.pop(words)
		x.triggerField(m.Owner)
		x.emit(ir.Instr{Op: ir.OpStore, Type: x.types.of(m.Desc)}, x.staticField(m), v.v)
	case classfile.OpGetField:
		obj := x.popObject()
		x.push(m.Desc, x.def(m.Desc, ir.Instr{Op: ir.OpLoad}, x.field(m, obj.v)))
	default:
		v := x.pop(words)
		obj := x.popObject()
		x.emit(ir.Instr{Op: ir.OpStore, Type: x.types.of(m.Desc)}, x.field(m, obj.v), v.v)
	}
}

// popObject takes a reference to what has fields off the stack.
func (x *method) popObject() word {
	w := x.popRef()
	if w.desc[0] == '[' {
		return word{x.bad("a field of an array"), objectDesc}
	}
	return w
}

// staticField is the address of a static field.
func (x *method) staticField(m *classfile.Member) ir.Value {
	return ir.GlobalValue(x.b.GlobalRef(dotted(m.Owner) + "." + m.Name))
}

// field is the address of an instance field.
func (x *method) field(m *classfile.Member, obj ir.Value) ir.Value {
	index := int32(ir.None)
	if m.Owner == x.c.Name {
		if i, ok := x.fields[m.Name]; ok {
			index = i
		}
	}
	t := x.types.addr(m.Desc)
	ref := x.b.Field(x.types.named(m.Owner), m.Name, index)
	return ir.RegValue(x.body.Def(t, "", x.pos, ir.Instr{Op: ir.OpField, Type: t, Aux: int32(ref)}, obj))
}

// trigger says that a class must be initialised here, unless this code cannot
// run before it is: the class itself and its superclass are.
func (x *method) trigger(class string) {
	if class != x.c.Name && class != x.c.Super {
		x.initialise(class, 0)
	}
}

// triggerField is trigger for an access to a static field. It waits for the
// initialiser in methods of the class itself, too: they may run in an origin that
// was handed an object and has not met the class before.
func (x *method) triggerField(class string) {
	var flags ir.Flags
	if class == x.c.Name || class == x.c.Super {
		flags = ir.FlagBlocking
	}
	x.initialise(class, flags)
}

func (x *method) initialise(class string, flags ir.Flags) {
	if class == "" || class[0] == '[' || x.needed[class] || x.initial[class] {
		return
	}
	x.needed[class] = true
	x.emit(ir.Instr{Op: ir.OpTrigger, Type: x.types.named(class), Flags: flags})
}
