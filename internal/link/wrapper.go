package link

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// wrappers is the synthetic unit that holds the functions no source text
// spells out: methods promoted from embedded fields, and value methods called
// through a pointer. Both read memory on the way, which counts as access.
type wrappers struct {
	unit  *ir.Unit
	id    UnitID
	types map[TypeID]ir.TypeID
}

// wrapper returns a function with the receiver type t that selects through the
// embedded fields and calls the method found there.
func (p *Program) wrapper(t TypeID, name string, sel selection) FuncID {
	if !sel.iface && sel.indirect && !reachesPointer(p, t, sel) {
		return None
	}
	var target FuncID = None
	var sig *ir.Type
	if sel.iface {
		sig = p.Type(sel.sig)
	} else {
		target = p.methodFunc(sel.recv, sel.method)
		def := p.Def(target)
		if def == nil {
			return target
		}
		full := p.Type(p.TypeOf(target, def.Sig))
		sig = &ir.Type{Elems: full.Elems[1:], Results: full.Results, Variadic: full.Variadic}
	}
	w := &wrapperBody{p: p, w: &p.wrap}
	body := w.build(t, name, sel, target, sig)

	sym := p.TypeString(t) + "." + name + "$promoted"
	fullSig := ir.Type{Kind: ir.KindFunc, Variadic: sig.Variadic, Results: sig.Results,
		Elems: append([]ir.TypeID{ir.TypeID(t)}, sig.Elems...)}
	fn := ir.Func{Symbol: sym, Name: "(" + p.TypeString(t) + ")." + name, Parent: ir.None,
		Sig:   w.typ(p.types.intern(fullSig)),
		Flags: ir.FuncSynthetic | ir.FuncShared | ir.FuncMethod}
	fn.SetBody(body)
	p.wrap.unit.Funcs = append(p.wrap.unit.Funcs, fn)
	id := ir.FuncID(len(p.wrap.unit.Funcs) - 1)
	p.bodies[p.wrap.id] = append(p.bodies[p.wrap.id], nil)
	return p.instance(symbol{p.wrap.id, id}, 0, sym)
}

// reachesPointer tells whether a pointer method can be called through the
// selection: some step, or the receiver itself, is a pointer.
func reachesPointer(p *Program, t TypeID, sel selection) bool {
	if p.types.list[t].Kind == ir.KindPointer {
		return true
	}
	for _, s := range sel.path {
		if p.types.list[s.fieldType].Kind == ir.KindPointer {
			return true
		}
	}
	return false
}

// wrapperBody writes one straight-line body.
type wrapperBody struct {
	p    *Program
	w    *wrappers
	body ir.Body
}

func (w *wrapperBody) build(t TypeID, name string, sel selection, target FuncID, sig *ir.Type) *ir.Body {
	p, b := w.p, &w.body
	b.Recover = ir.None
	b.Params = int32(1 + len(sig.Elems))
	cur := w.reg(t)
	args := make([]ir.Value, 0, len(sig.Elems)+1)
	args = append(args, ir.NoValue)
	for _, e := range sig.Elems {
		args = append(args, ir.RegValue(w.reg(TypeID(e))))
	}

	// cur is the address of a value of type at, or that value itself.
	at, addr := t, false
	deref := func(ft TypeID) {
		at, addr = ft, false
		if p.types.list[ft].Kind == ir.KindPointer {
			at, addr = TypeID(p.types.list[ft].Elem), true
		}
	}
	deref(t)
	for _, s := range sel.path {
		if addr {
			ref := w.field(s)
			a := w.emit(ir.Instr{Op: ir.OpField, Type: w.typ(p.Pointer(s.fieldType)), Aux: int32(ref)}, p.Pointer(s.fieldType), ir.RegValue(cur))
			cur, at = a, s.fieldType
			if p.types.list[s.fieldType].Kind == ir.KindPointer {
				cur = w.emit(ir.Instr{Op: ir.OpLoad, Type: w.typ(s.fieldType)}, s.fieldType, ir.RegValue(cur))
				at = TypeID(p.types.list[s.fieldType].Elem)
			}
			continue
		}
		cur = w.emit(ir.Instr{Op: ir.OpExtract, Type: w.typ(s.fieldType), Aux: int32(s.field)}, s.fieldType, ir.RegValue(cur))
		deref(s.fieldType)
	}
	if addr && (sel.iface || !sel.indirect) {
		cur = w.emit(ir.Instr{Op: ir.OpLoad, Type: w.typ(at)}, at, ir.RegValue(cur))
	}
	args[0] = ir.RegValue(cur)

	res := w.resultType(sig)
	call := ir.Instr{Op: ir.OpCall, Type: w.typ(res)}
	if sel.iface {
		call.Op = ir.OpInvoke
		w.w.unit.Methods = append(w.w.unit.Methods, ir.Method{Name: name, Sig: w.typ(sel.sig)})
		call.Aux = int32(len(w.w.unit.Methods) - 1)
	} else {
		call.Aux = int32(w.funcRef(target))
	}
	var ret []ir.Value
	if len(sig.Results) == 0 {
		w.emit(call, NoType, args...)
	} else {
		r := w.emit(call, res, args...)
		if len(sig.Results) == 1 {
			ret = append(ret, ir.RegValue(r))
		} else {
			for i, e := range sig.Results {
				x := w.emit(ir.Instr{Op: ir.OpExtract, Type: w.typ(TypeID(e)), Aux: int32(i)}, TypeID(e), ir.RegValue(r))
				ret = append(ret, ir.RegValue(x))
			}
		}
	}
	w.emit(ir.Instr{Op: ir.OpReturn}, NoType, ret...)
	b.Blocks = []ir.Block{{First: 0, End: int32(len(b.Instrs))}}
	return b
}

func (w *wrapperBody) resultType(sig *ir.Type) TypeID {
	if len(sig.Results) == 1 {
		return TypeID(sig.Results[0])
	}
	return w.p.types.intern(ir.Type{Kind: ir.KindTuple, Elems: sig.Results})
}

func (w *wrapperBody) reg(t TypeID) ir.Reg {
	w.body.Regs = append(w.body.Regs, ir.RegInfo{Type: w.typ(t)})
	return ir.Reg(len(w.body.Regs) - 1)
}

// emit adds an instruction with a result of type res, or none for NoType.
func (w *wrapperBody) emit(in ir.Instr, res TypeID, args ...ir.Value) ir.Reg {
	in.Dst = ir.None
	if res != NoType {
		in.Dst = w.reg(res)
	}
	in.Args = ir.Span{Off: int32(len(w.body.Operands)), Len: int32(len(args))}
	w.body.Operands = append(w.body.Operands, args...)
	w.body.Instrs = append(w.body.Instrs, in)
	w.body.Pos = append(w.body.Pos, ir.Pos{})
	return in.Dst
}

func (w *wrapperBody) field(s step) ir.FieldID {
	u := w.w.unit
	name := w.p.types.list[w.p.Underlying(s.structType)].Fields[s.field].Name
	u.Fields = append(u.Fields, ir.FieldRef{Struct: w.typ(s.structType), Name: name, Index: int32(s.field)})
	return ir.FieldID(len(u.Fields) - 1)
}

func (w *wrapperBody) funcRef(f FuncID) ir.FuncRefID {
	u := w.w.unit
	fn := w.p.Func(f)
	ref := ir.FuncRef{Symbol: fn.Symbol}
	for _, a := range w.p.envs[fn.Env] {
		ref.Args = append(ref.Args, w.typ(a))
	}
	u.FuncRefs = append(u.FuncRefs, ref)
	w.p.refs[w.w.id] = append(w.p.refs[w.w.id], f)
	return ir.FuncRefID(len(u.FuncRefs) - 1)
}

// typ returns the wrapper unit's entry for a type of the program.
func (w *wrapperBody) typ(t TypeID) ir.TypeID {
	if t == NoType {
		return 0
	}
	if id, ok := w.w.types[t]; ok {
		return id
	}
	if w.w.types == nil {
		w.w.types = make(map[TypeID]ir.TypeID)
	}
	n := mapType(w.p.Type(t), func(e ir.TypeID) ir.TypeID { return w.typ(TypeID(e)) })
	u := w.w.unit
	id := ir.TypeID(len(u.Types))
	u.Types = append(u.Types, n)
	w.p.unitTypes[w.w.id] = append(w.p.unitTypes[w.w.id], t)
	w.w.types[t] = id
	return id
}
