package golang

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// wrapperKind tells the two functions apart that a method makes as a value.
type wrapperKind uint8

const (
	bound wrapperKind = iota // x.M: the receiver is a capture
	thunk                    // T.M: the receiver is the first parameter
)

var wrapperSuffix = [...]string{bound: "$bound", thunk: "$thunk"}

// wrapper is a bound method or thunk to be made.
type wrapper struct {
	kind   wrapperKind
	symbol string
	recv   types.Type         // of the receiver; generic as declared
	params []*types.TypeParam // what recv is generic in
	method *types.Func        // as go/ssa found it
	flags  ir.FuncFlags
	parent ir.FuncID
}

// wrapperRef returns the mention of a bound method or thunk and sees to it that
// there is one. go/ssa makes one for each mention, with type arguments put in;
// ours is as generic as the receiver and the same for every unit.
func (l *lowerer) wrapperRef(fn *ssa.Function) (ir.FuncRefID, bool) {
	method, ok := fn.Object().(*types.Func)
	if !ok || fn.Pkg != nil || fn.Parent() != nil {
		return 0, false
	}
	w := &wrapper{method: method, parent: ir.None, flags: ir.FuncShared | ir.FuncSynthetic}
	switch {
	case strings.HasSuffix(fn.Name(), "$bound") && len(fn.FreeVars) == 1:
		w.kind, w.recv = bound, fn.FreeVars[0].Type()
	case strings.HasSuffix(fn.Name(), "$thunk") && fn.Signature.Params().Len() > 0:
		w.kind, w.recv = thunk, fn.Signature.Params().At(0).Type()
	default:
		return 0, false
	}
	if len(fn.TypeArgs()) > 0 {
		panic(oddity("a generic method as a value"))
	}
	named, pointer := receiverBase(w.recv)
	if named == nil {
		return l.localWrapper(w), true
	}
	name := method.Name()
	if method.Pkg() != named.Obj().Pkg() {
		name = methodName(method) // promoted; the type may have its own of that name
	}
	w.symbol = methodSymbol(l.typeSymbol(named.Obj()), pointer, name) + wrapperSuffix[w.kind]
	args := l.b.TypeAt(l.typ(named)).Elems
	w.recv = named.Origin()
	if local := l.locals[named.Obj()]; local != nil {
		w.params = local.params
	} else if named.TypeParams().Len() > 0 {
		// As an instance for its own parameters the type has methods that
		// mention them, not others of their own.
		var own []types.Type
		for p := range named.TypeParams().TypeParams() {
			w.params = append(w.params, p)
			own = append(own, p)
		}
		t, err := types.Instantiate(nil, w.recv, own, false)
		if err != nil {
			panic(oddity(err.Error()))
		}
		w.recv = t
	}
	if pointer {
		w.recv = types.NewPointer(w.recv)
	}
	if !l.wrappers[w.symbol] {
		l.wrappers[w.symbol] = true
		l.declareWrapper(w)
	}
	return l.b.FuncRef(w.symbol, args...), true
}

// localWrapper makes a wrapper for a receiver without a name, whose type may
// mention the type parameters of the function at hand.
func (l *lowerer) localWrapper(w *wrapper) ir.FuncRefID {
	f := l.fn
	f.extra++
	w.symbol = f.symbol + "$" + w.method.Name() + wrapperSuffix[w.kind] + "·" + strconv.Itoa(f.extra)
	w.params, w.parent, w.flags = f.params, f.id, ir.FuncSynthetic
	l.declareWrapper(w)
	return l.b.FuncRef(w.symbol, l.paramTypes(w.params)...)
}

// declareWrapper defines a wrapper: it takes the receiver to the embedded field
// the method belongs to, calls, and returns what the method returns. It has no
// position, since all units must define it alike.
func (l *lowerer) declareWrapper(w *wrapper) {
	obj, index, _ := types.LookupFieldOrMethod(w.recv, true, w.method.Pkg(), w.method.Name())
	method, ok := obj.(*types.Func)
	if !ok {
		panic(oddity("no method " + w.method.Name() + " of " + w.recv.String()))
	}
	sig := method.Signature()
	recv := w.recv
	if w.kind == bound {
		recv = nil
	}
	id := l.b.AddFunc(ir.Func{
		Symbol: w.symbol, Name: wrapperName(w), Sig: l.funcType(sig, recv),
		TypeParams: typeParamNames(w.params), Parent: w.parent, Flags: w.flags,
	})
	l.pending = append(l.pending, pendingFunc{id, func() { l.wrapperBody(w, method, index) }})
}

func (l *lowerer) wrapperBody(w *wrapper, method *types.Func, index []int) {
	sig := method.Signature()
	var args []ir.Value
	if w.kind == thunk {
		args = append(args, ir.RegValue(l.body.Param(l.typ(w.recv), "recv")))
	} else {
		args = append(args, 0)
	}
	for p := range sig.Params().Variables() {
		args = append(args, ir.RegValue(l.body.Param(l.typ(p.Type()), p.Name())))
	}
	if w.kind == bound {
		args[0] = ir.RegValue(l.body.Capture(l.typ(w.recv), "recv"))
	}
	l.body.NewBlock()
	l.wrapperCall(method, w.recv, index[:len(index)-1], args)
}

func wrapperName(w *wrapper) string {
	named, pointer := receiverBase(w.recv)
	switch {
	case named == nil:
		return w.method.Name()
	case pointer:
		return "(*" + named.Obj().Name() + ")." + w.method.Name()
	default:
		return named.Obj().Name() + "." + w.method.Name()
	}
}

// wrapperCall goes from args[0], of type t, along embedded fields to the
// method's receiver, and calls.
func (l *lowerer) wrapperCall(method *types.Func, t types.Type, path []int, args []ir.Value) {
	v, typ := args[0], t
	for _, i := range path {
		v, typ = l.embedded(v, typ, i)
	}
	sig := method.Signature()
	declared := sig.Recv().Type()
	if _, pointer := types.Unalias(declared).(*types.Pointer); !pointer {
		if p, ok := types.Unalias(typ).(*types.Pointer); ok {
			typ = p.Elem()
			v = l.load(v, typ)
		}
	}
	args[0] = v
	in := ir.Instr{Op: ir.OpInvoke, Type: l.result(sig)}
	if types.IsInterface(declared) {
		in.Aux = int32(l.method(method))
	} else {
		in.Op = ir.OpCall
		named, _ := receiverBase(typ)
		in.Aux = int32(l.b.FuncRef(l.funcSymbol(method), l.b.TypeAt(l.typ(named)).Elems...))
	}
	l.tailCall(in, sig.Results(), args)
}

// embedded selects field i of a struct or, if v is an address, what is at the
// field's address: the pointer that is embedded, or the address itself.
func (l *lowerer) embedded(v ir.Value, typ types.Type, i int) (ir.Value, types.Type) {
	p, ok := types.Unalias(typ).(*types.Pointer)
	if !ok {
		f := coreType(typ).(*types.Struct).Field(i).Type()
		id := l.typ(f)
		return ir.RegValue(l.body.Def(id, "", ir.Pos{}, ir.Instr{Op: ir.OpExtract, Type: id, Aux: int32(i)}, v)), f
	}
	f := coreType(p.Elem()).(*types.Struct).Field(i).Type()
	addr := types.NewPointer(f)
	id := l.typ(addr)
	in := ir.Instr{Op: ir.OpField, Type: id, Aux: int32(l.field(p.Elem(), i))}
	v = ir.RegValue(l.body.Def(id, "", ir.Pos{}, in, v))
	if _, ok := types.Unalias(f).(*types.Pointer); ok {
		return l.load(v, f), f
	}
	return v, addr
}

func (l *lowerer) load(addr ir.Value, typ types.Type) ir.Value {
	id := l.typ(typ)
	return ir.RegValue(l.body.Def(id, "", ir.Pos{}, ir.Instr{Op: ir.OpLoad, Type: id}, addr))
}

func (l *lowerer) tailCall(in ir.Instr, results *types.Tuple, args []ir.Value) {
	if results.Len() == 0 {
		l.body.Emit(ir.Pos{}, in, args...)
		l.body.Return(ir.Pos{})
		return
	}
	r := ir.RegValue(l.body.Def(in.Type, "", ir.Pos{}, in, args...))
	if results.Len() == 1 {
		l.body.Return(ir.Pos{}, r)
		return
	}
	var parts []ir.Value
	for i, id := range l.vars(results) {
		parts = append(parts, ir.RegValue(l.body.Def(id, "", ir.Pos{}, ir.Instr{Op: ir.OpExtract, Type: id, Aux: int32(i)}, r)))
	}
	l.body.Return(ir.Pos{}, parts...)
}
