package link

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// A class is a named type with supertypes, the superclass first. Objects of a
// class begin with the parts of its superclass, so that the address of an object
// serves for all its classes; members that a class does not declare are those
// of its supertypes.

// superclass returns the class that t extends, or NoType. That of an interface
// is the class whose members all objects have, if the language has one.
func (p *Program) superclass(t TypeID) TypeID {
	ty := &p.types.list[t]
	if ty.Kind != ir.KindNamed {
		return NoType
	}
	d, ok := p.typeDecls[ty.Name]
	if !ok {
		return NoType
	}
	decl := &p.Units[d.unit].TypeDecls[d.decl]
	if len(decl.Supers) == 0 {
		return NoType
	}
	s := p.unitType(d.unit, decl.Supers[0])
	if s == t || p.types.list[p.Underlying(s)].Kind != ir.KindStruct {
		return NoType
	}
	return s
}

// maxSupers bounds the length of a chain of superclasses, against classes that
// extend themselves in a circle.
const maxSupers = 64

// supers calls visit with a class and all its supertypes until it returns true:
// the chain of superclasses first, then interfaces, nearer ones before those
// they extend.
func (p *Program) supers(t TypeID, visit func(TypeID) bool) bool {
	seen := make(map[TypeID]bool)
	var list []TypeID
	add := func(t TypeID) {
		if t != NoType && !seen[t] {
			seen[t] = true
			list = append(list, t)
		}
	}
	for s, n := t, 0; s != NoType && n < maxSupers; s, n = p.superclass(s), n+1 {
		add(s)
	}
	for i := 0; i < len(list); i++ {
		if visit(list[i]) {
			return true
		}
		if d, _ := p.Decl(list[i]); d != nil {
			unit := p.typeDecls[p.types.list[list[i]].Name].unit
			for _, s := range d.Supers {
				add(p.unitType(unit, s))
			}
		}
	}
	return false
}

// Extends tells whether a named type is another one, or has it among its
// supertypes. One that no unit declares may extend anything.
func (p *Program) Extends(t, super TypeID) bool {
	if t == super {
		return true
	}
	key := implKey{t, super}
	if ok, known := p.extends[key]; known {
		return ok
	}
	ok := p.supers(t, func(s TypeID) bool {
		if s == super {
			return true
		}
		d, _ := p.Decl(s)
		return d == nil
	})
	p.extends[key] = ok
	return ok
}

// IsClass tells whether a type is a class or an interface of classes: a named
// type with supertypes, or a supertype.
func (p *Program) IsClass(t TypeID) bool {
	ty := &p.types.list[t]
	return ty.Kind == ir.KindNamed && p.classes[ty.Name]
}

// IsValue tells whether instances of a type never change, and which of them one
// has does not matter.
func (p *Program) IsValue(t TypeID) bool {
	d, _ := p.Decl(t)
	return d != nil && d.Flags&ir.TypeValue != 0
}

// findInherited finds a method of a class: the one that the class or the
// nearest superclass declares, else one with code of an interface, of which the
// most specific counts (JVMS, section 5.4.6).
func (p *Program) findInherited(t TypeID, name string) FuncID {
	var found *ir.MethodDecl
	var owner TypeID
	p.supers(t, func(s TypeID) bool {
		d, _ := p.Decl(s)
		if d == nil {
			return false
		}
		isClass := p.types.list[p.Underlying(s)].Kind == ir.KindStruct
		for i := range d.Methods {
			m := &d.Methods[i]
			if m.Name != name || m.Static {
				continue
			}
			switch {
			case found == nil, !p.hasCode(found) && p.hasCode(m), p.hasCode(m) && !isClass && p.Extends(s, owner):
				found, owner = m, s
			}
			return isClass && p.hasCode(m)
		}
		return false
	})
	if found == nil {
		return None
	}
	return p.methodFunc(owner, found)
}

func (p *Program) hasCode(m *ir.MethodDecl) bool {
	s, ok := p.symbols[m.Func]
	return ok && p.Units[s.unit].Funcs[s.id].HasBody()
}

// inheritedFunc finds the function that a symbol "Class.method" means if the
// class does not declare it.
func (p *Program) inheritedFunc(sym string) (symbol, bool) {
	class, name, ok := splitMember(sym)
	if !ok {
		return symbol{}, false
	}
	var found symbol
	ok = p.supersOf(class, func(s TypeID) bool {
		found, ok = p.symbols[p.types.list[s].Name+"."+name]
		return ok
	})
	return found, ok
}

// inheritedGlobal is inheritedFunc for a static field.
func (p *Program) inheritedGlobal(sym string) (GlobalID, bool) {
	class, name, ok := splitMember(sym)
	if !ok {
		return None, false
	}
	var found GlobalID
	ok = p.supersOf(class, func(s TypeID) bool {
		found, ok = p.globalIDs[p.types.list[s].Name+"."+name]
		return ok
	})
	return found, ok
}

func (p *Program) supersOf(class string, visit func(TypeID) bool) bool {
	d, ok := p.typeDecls[class]
	if !ok || len(p.Units[d.unit].TypeDecls[d.decl].Supers) == 0 {
		return false
	}
	t := p.types.intern(ir.Type{Kind: ir.KindNamed, Name: class})
	return p.supers(t, visit)
}

// splitMember splits "a.b.Class.member" at the last dot before an opening
// parenthesis.
func splitMember(sym string) (class, member string, ok bool) {
	head := sym
	if i := strings.IndexByte(sym, '('); i > 0 {
		head = sym[:i]
	}
	i := strings.LastIndexByte(head, '.')
	if i <= 0 {
		return "", "", false
	}
	return sym[:i], sym[i+1:], true
}

// initialiser returns the function that the first use of a class runs: that of
// its unit, or of the nearest superclass that has one.
func (p *Program) initialiser(t TypeID) (fn string, class TypeID, ok bool) {
	for n := 0; t != NoType && n < maxSupers; t, n = p.superclass(t), n+1 {
		_, u := p.Decl(t)
		if u == nil {
			return "", NoType, false
		}
		if u.Init != ir.None {
			return u.Funcs[u.Init].Symbol, t, true
		}
	}
	return "", NoType, false
}

// settle puts what only the linker knows into a body: the memory order of
// accesses to fields and globals that other units declare, and what triggers
// run. A trigger is a once on the object of the class, one that only waits a once
// without function; a trigger of a class without initialiser is nothing.
//
// Blocks of one function are in the order of its code, which is not that of
// dominance; an address is taken in the block that uses it.
func (p *Program) settle(f FuncID, body *ir.Body) *ir.Body {
	var out *ir.Body
	edit := func() {
		if out == nil {
			c := *body
			c.Instrs = append([]ir.Instr(nil), body.Instrs...)
			out = &c
		}
	}
	triggers := false
	places := make([]ir.FieldID, len(body.Regs)) // by register: the field whose address it is, plus one
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpTrigger:
			triggers = true
		case ir.OpField:
			places[in.Dst] = ir.FieldID(in.Aux) + 1
		case ir.OpLoad, ir.OpStore:
			if ir.Order(in.Sub) != ir.Plain || !p.declares {
				continue
			}
			if order, volatile := p.declaredOrder(f, places, body.Args(in)[0]); order != ir.Plain {
				edit()
				out.Instrs[i].Sub = uint8(order)
				if volatile {
					out.Instrs[i].Flags |= ir.FlagVolatile
				}
			}
		}
	}
	if out == nil {
		out = body
	}
	if triggers {
		out = p.expandTriggers(f, out)
	}
	return out
}

// declaredOrder is the memory order that a declaration gives all accesses: an
// atomic field or global orders, a final one is never raced on, since whoever
// gets to the object after its construction sees it (JLS, section 17.5).
func (p *Program) declaredOrder(f FuncID, places []ir.FieldID, addr ir.Value) (order ir.Order, volatile bool) {
	if g := addr.Global(); g != ir.None {
		gl := &p.globals[p.GlobalOf(f, g)]
		if gl.Unit == None {
			return ir.Plain, false
		}
		flags := p.Units[gl.Unit].Globals[gl.ID].Flags
		return orderOf(flags&ir.GlobalAtomic != 0, flags&ir.GlobalFinal != 0), flags&ir.GlobalVolatile != 0
	}
	r := addr.Reg()
	if r == ir.None || places[r] == 0 {
		return ir.Plain, false
	}
	flags := p.fieldFlags(f, places[r]-1)
	return orderOf(flags&ir.FieldAtomic != 0, flags&ir.FieldFinal != 0), flags&ir.FieldVolatile != 0
}

func orderOf(atomic, final bool) ir.Order {
	switch {
	case atomic:
		return ir.SeqCst
	case final:
		return ir.Relaxed
	}
	return ir.Plain
}

// expandTriggers replaces triggers. The tables of the function's unit, which is
// this program's own copy, get what the new instructions mention.
func (p *Program) expandTriggers(f FuncID, body *ir.Body) *ir.Body {
	unit := p.funcs[f].Unit
	var b ir.BodyBuilder
	return b.Rewrite(body, func(i int) bool {
		in := &body.Instrs[i]
		if in.Op != ir.OpTrigger {
			return false
		}
		fn, class, ok := p.initialiser(p.TypeOf(f, in.Type))
		if ok && fn != p.funcs[f].Symbol {
			object := p.addGlobalRef(unit, p.types.list[class].Name+".class")
			init := ir.NoValue
			if in.Flags&ir.FlagBlocking == 0 {
				init = ir.FuncValue(p.addFuncRef(unit, fn))
			}
			b.Emit(body.Pos[i], ir.Instr{Op: ir.OpOnce, Type: p.addTuple(unit)}, ir.GlobalValue(object), init)
		}
		return true
	})
}

func (p *Program) addGlobalRef(unit UnitID, sym string) ir.GlobalRef {
	u := p.Units[unit]
	for i, s := range u.GlobalRefs {
		if s == sym {
			return ir.GlobalRef(i)
		}
	}
	u.GlobalRefs = append(u.GlobalRefs, sym)
	p.globalRefs[unit] = append(p.globalRefs[unit], None)
	return ir.GlobalRef(len(u.GlobalRefs) - 1)
}

func (p *Program) addFuncRef(unit UnitID, sym string) ir.FuncRefID {
	u := p.Units[unit]
	for i := range u.FuncRefs {
		if r := &u.FuncRefs[i]; r.Symbol == sym && len(r.Args) == 0 {
			return ir.FuncRefID(i)
		}
	}
	u.FuncRefs = append(u.FuncRefs, ir.FuncRef{Symbol: sym})
	p.refs[unit] = append(p.refs[unit], refUnknown)
	return ir.FuncRefID(len(u.FuncRefs) - 1)
}

// addTuple returns the type of calls that yield nothing.
func (p *Program) addTuple(unit UnitID) ir.TypeID {
	u := p.Units[unit]
	for i := range u.Types {
		if t := &u.Types[i]; t.Kind == ir.KindTuple && len(t.Elems) == 0 {
			return ir.TypeID(i)
		}
	}
	u.Types = append(u.Types, ir.Type{Kind: ir.KindTuple})
	p.unitTypes[unit] = append(p.unitTypes[unit], NoType)
	return ir.TypeID(len(u.Types) - 1)
}
