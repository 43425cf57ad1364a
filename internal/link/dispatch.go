package link

import (
	"sort"

	"github.com/deadheat/deadheat/internal/ir"
)

type methodKey struct {
	t    TypeID
	name int32
}

type implKey struct{ t, iface TypeID }

// MethodName returns the name of a method that an invoke of function f names.
func (p *Program) MethodName(f FuncID, m ir.MethodID) string {
	return p.Unit(f).Methods[m].Name
}

// Method returns the function that a call of the named method runs on a value
// whose dynamic type is t; None if t has no such method.
func (p *Program) Method(t TypeID, name string) FuncID {
	id, ok := p.methodIDs[name]
	if !ok {
		id = int32(len(p.methodIDs))
		p.methodIDs[name] = id
	}
	key := methodKey{t, id}
	if f, ok := p.found[key]; ok {
		return f
	}
	f := p.findMethod(t, name)
	p.found[key] = f
	return f
}

// Implements tells whether values of dynamic type t have all methods of an
// interface type.
func (p *Program) Implements(t, iface TypeID) bool {
	key := implKey{t, iface}
	if ok, known := p.impls[key]; known {
		return ok
	}
	ok := true
	for _, m := range p.types.list[p.Underlying(iface)].Methods {
		if p.Method(t, m.Name) == None {
			ok = false
			break
		}
	}
	p.impls[key] = ok
	return ok
}

// selection is how a method is reached from a value: through embedded fields,
// to the function that implements it or, at an embedded interface, by
// dispatch.
type selection struct {
	path     []step
	recv     TypeID // named type that declares the method, or the interface
	method   *ir.MethodDecl
	iface    bool
	sig      TypeID // of an interface method
	indirect bool   // the receiver of the method is a pointer
}

// step goes from a struct (or a pointer to it) to one of its fields.
type step struct {
	structType TypeID
	field      int
	fieldType  TypeID
}

// findMethod searches by growing depth of embedding, as the Go specification
// says of selectors, and along the superclasses of a class.
func (p *Program) findMethod(t TypeID, name string) FuncID {
	ptr := p.types.list[t].Kind == ir.KindPointer
	base := t
	if ptr {
		base = TypeID(p.types.list[t].Elem)
	}
	if p.IsClass(base) {
		return p.findInherited(base, name)
	}
	sel, ok := p.selectMethod(base, name)
	if !ok {
		return None
	}
	if len(sel.path) == 0 && !sel.iface && sel.method.Pointer == ptr {
		return p.methodFunc(sel.recv, sel.method)
	}
	return p.wrapper(t, name, sel)
}

// methodFunc returns the function of a method of a named type, instantiated
// with the type's arguments.
func (p *Program) methodFunc(recv TypeID, m *ir.MethodDecl) FuncID {
	s, ok := p.symbols[m.Func]
	if !ok {
		return p.missing(m.Func)
	}
	elems := p.types.list[recv].Elems
	if len(elems) == 0 {
		return p.instance(s, 0, m.Func)
	}
	args := make([]TypeID, len(elems))
	for i, e := range elems {
		args[i] = TypeID(e)
	}
	return p.instance(s, p.env(args), m.Func)
}

func (p *Program) selectMethod(base TypeID, name string) (selection, bool) {
	type candidate struct {
		t    TypeID
		path []step
	}
	level := []candidate{{t: base}}
	seen := map[TypeID]bool{}
	for depth := 0; len(level) > 0 && depth < 16; depth++ {
		var next []candidate
		for _, c := range level {
			if seen[c.t] {
				continue
			}
			seen[c.t] = true
			if d, _ := p.Decl(c.t); d != nil {
				for i := range d.Methods {
					if m := &d.Methods[i]; m.Name == name && !m.Static {
						return selection{path: c.path, recv: c.t, method: m, indirect: m.Pointer}, true
					}
				}
			}
			u := &p.types.list[p.Underlying(c.t)]
			switch u.Kind {
			case ir.KindInterface:
				for _, m := range u.Methods {
					if m.Name == name && len(c.path) > 0 {
						return selection{path: c.path, recv: c.t, iface: true, sig: TypeID(m.Sig)}, true
					}
				}
			case ir.KindStruct:
				for i, f := range u.Fields {
					if f.Flags&ir.FieldEmbedded == 0 {
						continue
					}
					ft := TypeID(f.Type)
					target := ft
					if p.types.list[ft].Kind == ir.KindPointer {
						target = TypeID(p.types.list[ft].Elem)
					}
					path := append(append([]step(nil), c.path...), step{c.t, i, ft})
					next = append(next, candidate{target, path})
				}
			}
		}
		level = next
	}
	return selection{}, false
}

// Methods returns the names of all methods that values of dynamic type t have,
// sorted, promoted ones included.
func (p *Program) Methods(t TypeID) []string {
	base := t
	if p.types.list[t].Kind == ir.KindPointer {
		base = TypeID(p.types.list[t].Elem)
	}
	names := map[string]bool{}
	p.collectMethods(base, names, map[TypeID]bool{})
	out := make([]string, 0, len(names))
	for n := range names {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

func (p *Program) collectMethods(t TypeID, names map[string]bool, seen map[TypeID]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if d, _ := p.Decl(t); d != nil {
		for _, m := range d.Methods {
			if !m.Static {
				names[m.Name] = true
			}
		}
		for _, s := range d.Supers {
			p.collectMethods(p.unitType(p.typeDecls[p.types.list[t].Name].unit, s), names, seen)
		}
	}
	u := &p.types.list[p.Underlying(t)]
	switch u.Kind {
	case ir.KindInterface:
		for _, m := range u.Methods {
			names[m.Name] = true
		}
	case ir.KindStruct:
		for _, f := range u.Fields {
			if f.Flags&ir.FieldEmbedded == 0 {
				continue
			}
			ft := TypeID(f.Type)
			if p.types.list[ft].Kind == ir.KindPointer {
				ft = TypeID(p.types.list[ft].Elem)
			}
			p.collectMethods(ft, names, seen)
		}
	}
}
