package golang

import (
	"go/types"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// typ returns the IR form of a type. This is the one place where aliases are
// resolved.
func (l *lowerer) typ(t types.Type) ir.TypeID {
	// go/ssa makes many of these anew for each use, so that a map by pointer
	// would not find them.
	switch t := t.(type) {
	case *types.Pointer:
		return l.b.Pointer(l.typ(t.Elem()))
	case *types.Slice:
		return l.b.Slice(l.typ(t.Elem()))
	case *types.Array:
		return l.b.Array(t.Len(), l.typ(t.Elem()))
	case *types.Tuple:
		return l.tuple(t)
	case *types.Basic:
		if l.basics[t.Kind()] == 0 {
			l.basics[t.Kind()] = l.basic(t)
		}
		return l.basics[t.Kind()]
	}
	if id, ok := l.types[t]; ok {
		return id
	}
	id := l.newType(types.Unalias(t))
	l.types[t] = id
	return id
}

func (l *lowerer) newType(t types.Type) ir.TypeID {
	switch t := t.(type) {
	case *types.Named:
		return l.named(t)
	case *types.Struct:
		return l.structType(t)
	case *types.Map:
		return l.b.Map(l.typ(t.Key()), l.typ(t.Elem()))
	case *types.Chan:
		return l.b.Chan(chanDirs[t.Dir()], l.typ(t.Elem()))
	case *types.Signature:
		return l.funcType(t, nil)
	case *types.Interface:
		return l.interfaceType(t)
	case *types.TypeParam:
		return l.b.TypeParam(t.Obj().Name(), l.offsets[t]+t.Index())
	case *types.Union:
		return l.b.Interface(nil) // part of a constraint, never the type of a value
	default:
		return l.typ(t) // an alias of one of those typ looks at
	}
}

var chanDirs = [...]ir.ChanDir{types.SendRecv: ir.ChanBoth, types.SendOnly: ir.ChanSend, types.RecvOnly: ir.ChanRecv}

// basic gives byte and rune their other names and untyped constants their
// default types: the IR tells no more apart than memory does.
func (l *lowerer) basic(t *types.Basic) ir.TypeID {
	switch t.Kind() {
	case types.UnsafePointer, types.UntypedNil:
		return l.b.Pointer(0)
	case types.Invalid:
		return 0
	}
	if t.Info()&types.IsUntyped != 0 {
		t = types.Default(t).(*types.Basic)
	}
	return l.b.Basic(types.Typ[t.Kind()].Name())
}

// named mentions a named type. A type declared in a generic function has that
// function's type parameters as arguments; they are those of the function at
// hand, since such a type cannot be named elsewhere.
func (l *lowerer) named(t *types.Named) ir.TypeID {
	name := t.Obj()
	if isSSAType(t) {
		return l.b.Pointer(0)
	}
	var args []ir.TypeID
	if local := l.locals[name]; local != nil {
		args = l.paramTypes(local.params)
	} else if t.TypeArgs().Len() > 0 {
		for arg := range t.TypeArgs().Types() {
			args = append(args, l.typ(arg))
		}
	} else {
		for p := range t.TypeParams().TypeParams() {
			args = append(args, l.typ(p))
		}
	}
	return l.b.Named(l.typeSymbol(name), args...)
}

// structType leaves offsets open: Go fixes no layout, and fields are told apart
// by their index.
func (l *lowerer) structType(t *types.Struct) ir.TypeID {
	fields := make([]ir.Field, 0, t.NumFields())
	for f := range t.Fields() {
		var flags ir.FieldFlags
		if f.Embedded() {
			flags |= ir.FieldEmbedded
		}
		if f.Exported() {
			flags |= ir.FieldExported
		}
		fields = append(fields, ir.Field{Name: f.Name(), Type: l.typ(f.Type()), Offset: -1, Flags: flags})
	}
	return l.b.Struct(fields)
}

// interfaceType keeps the methods only: type sets restrict instances, which
// have been checked.
func (l *lowerer) interfaceType(t *types.Interface) ir.TypeID {
	methods := make([]ir.Method, 0, t.NumMethods())
	for m := range t.Methods() {
		methods = append(methods, ir.Method{Name: methodName(m), Sig: l.funcType(m.Signature(), nil)})
	}
	slices.SortFunc(methods, func(a, b ir.Method) int { return strings.Compare(a.Name, b.Name) })
	return l.b.Interface(methods)
}

// funcType returns a function type; recv, if not nil, is its first parameter.
func (l *lowerer) funcType(sig *types.Signature, recv types.Type) ir.TypeID {
	params := make([]ir.TypeID, 0, sig.Params().Len()+1)
	if recv != nil {
		params = append(params, l.typ(recv))
	}
	for v := range sig.Params().Variables() {
		params = append(params, l.typ(v.Type()))
	}
	return l.b.FuncType(params, l.vars(sig.Results()), sig.Variadic())
}

func (l *lowerer) vars(t *types.Tuple) []ir.TypeID {
	ids := make([]ir.TypeID, 0, t.Len())
	for v := range t.Variables() {
		ids = append(ids, l.typ(v.Type()))
	}
	return ids
}

func (l *lowerer) tuple(t *types.Tuple) ir.TypeID { return l.b.Tuple(l.vars(t)...) }

// result returns the type of a call: that of the one result, or a tuple.
func (l *lowerer) result(sig *types.Signature) ir.TypeID {
	if r := sig.Results(); r.Len() == 1 {
		return l.typ(r.At(0).Type())
	}
	return l.tuple(sig.Results())
}

// coreType returns the one underlying type that all types of a type parameter
// share, or nil; of any other type, its underlying type.
func coreType(t types.Type) types.Type {
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return t.Underlying()
	}
	return termCore(p.Constraint())
}

// termCore looks through the constraint's elements. Several elements narrow
// each other, so the first that has an answer has the answer.
func termCore(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if core := elementCore(e); core != nil {
				return core
			}
		}
		return nil
	default:
		return u
	}
}

func elementCore(e types.Type) types.Type {
	union, ok := types.Unalias(e).(*types.Union)
	if !ok {
		return termCore(e)
	}
	var core types.Type
	for term := range union.Terms() {
		u := termCore(term.Type())
		if u == nil || core != nil && !types.Identical(core, u) {
			return nil
		}
		core = u
	}
	return core
}

// deref returns what a pointer points to, or the type itself.
func deref(t types.Type) types.Type {
	if p, ok := coreType(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
