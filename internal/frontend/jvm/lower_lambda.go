package jvm

import (
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// forwarder is the class of the object that a lambda or method reference makes.
type forwarder struct {
	class    string // internal name, made up
	iface    string
	markers  []string
	name     string // of the method of the interface
	desc     string
	bridges  []string // further descriptors under which the method is called
	sam      classfile.MethodDesc
	captured []string
	target   *classfile.Handle
}

// Bits of the flags of altMetafactory.
const (
	lambdaMarkers = 2
	lambdaBridges = 4
)

// extras reads the arguments that altMetafactory takes besides the three of
// metafactory: flags, marker interfaces, bridges.
func (f *forwarder) extras(args []classfile.Const, alt bool) {
	if !alt || len(args) == 0 {
		return
	}
	flags := args[0].Int
	args = args[1:]
	list := func(kind classfile.ConstKind) (out []string) {
		if len(args) == 0 {
			return nil
		}
		n := int(args[0].Int)
		args = args[1:]
		for ; n > 0 && len(args) > 0; n-- {
			if args[0].Kind == kind {
				out = append(out, args[0].Text)
			}
			args = args[1:]
		}
		return out
	}
	if flags&lambdaMarkers != 0 {
		f.markers = list(classfile.ConstClass)
	}
	if flags&lambdaBridges != 0 {
		f.bridges = list(classfile.ConstMethodType)
	}
}

// defineLambda adds the class and its method.
func (l *lowerer) defineLambda(f *forwarder) {
	fields := make([]ir.Field, len(f.captured))
	for i, desc := range f.captured {
		fields[i] = ir.Field{Name: captureName(i), Type: l.types.of(desc), Offset: -1, Flags: ir.FieldFinal}
	}
	class := dotted(f.class)
	symbol := methodSymbol(class, f.name, f.desc)
	decl := ir.TypeDecl{Symbol: class, Underlying: l.b.Struct(fields), Flags: ir.TypeFinal,
		Supers: []ir.TypeID{l.types.named("java/lang/Object"), l.types.named(f.iface)}}
	for _, m := range f.markers {
		if t := l.types.named(m); t != decl.Supers[1] {
			decl.Supers = append(decl.Supers, t)
		}
	}
	for i, desc := range append([]string{f.desc}, f.bridges...) {
		if i > 0 && desc == f.desc {
			continue
		}
		decl.Methods = append(decl.Methods, ir.MethodDecl{Name: f.name + desc, Func: symbol})
	}
	l.b.AddTypeDecl(decl)
	t := f.target.Member
	name := simpleName(dotted(t.Owner)) + "." + t.Name
	id := l.b.AddFunc(ir.Func{Symbol: symbol, Name: name, Sig: l.types.methodSig(f.class, &f.sam), Parent: ir.None, Flags: ir.FuncMethod | ir.FuncSynthetic})
	l.forward(f, id)
}

// forward writes the method: it calls the target with what was captured and
// the arguments.
func (l *lowerer) forward(f *forwarder, id ir.FuncID) {
	l.body.Reset()
	x := &method{lowerer: l, symbol: l.b.FuncAt(id).Symbol, m: new(classfile.Method), initial: map[string]bool{}, needed: map[string]bool{}}
	this := ir.RegValue(l.body.Param(l.types.of(classfile.DescOf(f.class)), "this"))
	var args []word
	for _, p := range f.sam.Params {
		args = append(args, word{ir.RegValue(l.body.Param(l.types.of(p), "")), p})
	}
	l.body.SetBlock(l.body.NewBlock())
	var all []word
	for i, desc := range f.captured {
		t := l.types.addr(desc)
		ref := l.b.Field(l.types.named(f.class), captureName(i), int32(i))
		at := l.body.Def(t, "", ir.Pos{}, ir.Instr{Op: ir.OpField, Type: t, Aux: int32(ref)}, this)
		all = append(all, word{x.def(desc, ir.Instr{Op: ir.OpLoad}, ir.RegValue(at)), desc})
	}
	result := x.callTarget(f.target, append(all, args...))
	switch {
	case f.sam.Result == "V":
		l.body.Return(ir.Pos{})
	case result.desc != "" && isRef(result.desc) == isRef(f.sam.Result):
		l.body.Return(ir.Pos{}, x.cast(result, f.sam.Result))
	default: // nothing, or a number that is boxed or unboxed
		l.body.Return(ir.Pos{}, x.undef(f.sam.Result))
	}
	l.b.SetBody(id, l.body.Finish())
}

// callTarget calls what a method handle refers to.
func (x *method) callTarget(h *classfile.Handle, args []word) word {
	m := h.Member
	d, err := classfile.ParseMethodDesc(m.Desc)
	if err != nil || h.Kind < classfile.HandleInvokeVirtual {
		return word{}
	}
	var values []ir.Value
	made := word{}
	op := classfile.OpInvokeStatic
	switch h.Kind {
	case classfile.HandleNewInvokeSpecial:
		x.trigger(m.Owner)
		op = classfile.OpInvokeSpecial
		made = word{x.alloc(m.Owner), classfile.DescOf(m.Owner)}
		values = append(values, made.v)
	case classfile.HandleInvokeStatic:
		x.trigger(m.Owner)
	default:
		if len(args) == 0 {
			return word{}
		}
		op = classfile.OpInvokeVirtual
		if h.Kind == classfile.HandleInvokeSpecial {
			op = classfile.OpInvokeSpecial
		}
		if len(m.Owner) > 0 && m.Owner[0] == '[' {
			return word{} // int[]::clone and the like
		}
		values = append(values, x.receiver(args[0], m.Owner))
		args = args[1:]
	}
	for i, p := range d.Params {
		switch {
		case i >= len(args) || isRef(args[i].desc) != isRef(p):
			values = append(values, x.undef(p))
		case isRef(p):
			values = append(values, x.cast(args[i], p))
		default:
			values = append(values, args[i].v)
		}
	}
	v := x.invoke(op, m, &d, values)
	if made.desc != "" {
		return made
	}
	if d.Result == "V" {
		return word{}
	}
	return word{v, d.Result}
}
