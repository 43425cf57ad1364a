package jvm

import (
	"path"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// lowerer makes the unit of one class.
type lowerer struct {
	c       *classfile.Class
	b       *ir.Builder
	types   types
	name    string // dotted
	source  ir.FileID
	fields  map[string]int32 // own instance fields by name
	lambdas []*forwarder
	*buffers
	noLines map[string]ir.FileID // by symbol: files of methods without line tables
	errs    []error              // methods that could not be lowered
}

// buffers are kept from one class to the next. One goroutine at a time may use
// them.
type buffers struct {
	dec  classfile.Decoder
	body ir.BodyBuilder
}

// lowerClass makes the unit of a class from its code. Methods that cannot be
// lowered have no code; the errors name them.
func lowerClass(c *classfile.Class, buf *buffers) (*ir.Unit, []error) {
	l := newLowerer(c, buf)
	l.declare(true)
	for i := range c.Methods {
		l.lowerMethod(&c.Methods[i])
	}
	for _, f := range l.lambdas { // their own code has no lambdas
		l.defineLambda(f)
	}
	l.annotations()
	return l.b.Finish(), l.errs // pruned phis leave entries of the tables behind
}

func newLowerer(c *classfile.Class, buf *buffers) *lowerer {
	name := dotted(c.Name)
	b := ir.NewBuilder(name, ir.LangJava)
	l := &lowerer{c: c, b: b, buffers: buf, types: newTypes(b), name: name, fields: make(map[string]int32), noLines: make(map[string]ir.FileID)}
	l.source = b.AddFile(ir.File{Path: sourcePath(c)})
	return l
}

// sourcePath is where the source of a class is, relative to where the sources
// of its program are: the package says the directory.
func sourcePath(c *classfile.Class) string {
	file := c.SourceFile
	if file == "" {
		return c.Name + ".class"
	}
	return path.Join(path.Dir(c.Name), path.Base(file))
}

// posAt is the position of a byte offset of code. Without a line table it is
// the offset, in a file that is named after the method.
func (l *lowerer) posAt(code *classfile.Code, symbol string, pc int32) ir.Pos {
	if len(code.Lines) == 0 {
		file, ok := l.noLines[symbol]
		if !ok {
			file = l.b.AddFile(ir.File{Path: l.c.Name + ".class/" + strings.ReplaceAll(strings.TrimPrefix(symbol, l.name+"."), "/", ".")})
			l.noLines[symbol] = file
		}
		return ir.Pos{File: file, Line: pc + 1}
	}
	if n := code.LineAt(int(pc)); n > 0 {
		return ir.Pos{File: l.source, Line: int32(n)}
	}
	return ir.Pos{}
}

// declare defines the class, its fields and the object that stands for it.
// Private members of a class whose code is not analysed are left out.
func (l *lowerer) declare(analysed bool) {
	c := l.c
	var fields []ir.Field
	for i := range c.Fields {
		f := &c.Fields[i]
		if !analysed && f.Access.Has(classfile.AccPrivate) {
			continue
		}
		if f.Access.Has(classfile.AccStatic) {
			l.declareStatic(f)
			continue
		}
		if _, dup := l.fields[f.Name]; dup {
			continue // fields of one name and different types: only obfuscators write them
		}
		l.fields[f.Name] = int32(len(fields))
		fields = append(fields, ir.Field{Name: f.Name, Type: l.types.of(f.Desc), Offset: -1, Flags: fieldFlags(f.Access)})
	}
	l.b.AddGlobal(ir.Global{Symbol: classObject(l.name), Type: l.types.named("java/lang/Class"), Flags: ir.GlobalFinal})
	decl := ir.TypeDecl{Symbol: l.name, Underlying: l.b.Struct(fields)}
	if c.Access.Has(classfile.AccInterface) {
		decl.Underlying = l.b.Interface(nil)
	}
	if c.Super != "" {
		decl.Supers = append(decl.Supers, l.types.named(c.Super))
	}
	for _, i := range c.Interfaces {
		decl.Supers = append(decl.Supers, l.types.named(i))
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		if m.Name == "<init>" || m.Name == "<clinit>" || !analysed && m.Access.Has(classfile.AccPrivate) {
			continue
		}
		symbol := methodSymbol(l.name, m.Name, m.Desc)
		static := m.Access.Has(classfile.AccStatic)
		decl.Methods = append(decl.Methods, ir.MethodDecl{Name: m.Name + m.Desc, Func: symbol, Static: static})
	}
	for _, f := range [...]struct {
		has  bool
		flag ir.TypeFlags
	}{
		{c.Access.Has(classfile.AccPublic), ir.TypeExported},
		{c.Access.Has(classfile.AccAbstract), ir.TypeAbstract},
		{c.Access.Has(classfile.AccFinal), ir.TypeFinal},
	} {
		if f.has {
			decl.Flags |= f.flag
		}
	}
	l.b.AddTypeDecl(decl)
}

func (l *lowerer) declareStatic(f *classfile.Field) {
	var flags ir.GlobalFlags
	if !f.Access.Has(classfile.AccPrivate) {
		flags |= ir.GlobalExported
	}
	if f.Access.Has(classfile.AccVolatile) {
		flags |= ir.GlobalVolatile | ir.GlobalAtomic
	}
	if f.Access.Has(classfile.AccFinal) {
		flags |= ir.GlobalFinal
	}
	symbol := l.name + "." + f.Name
	for _, g := range l.b.Unit().Globals {
		if g.Symbol == symbol {
			return // fields of one name and different types: only obfuscators write them
		}
	}
	l.b.AddGlobal(ir.Global{Symbol: symbol, Type: l.types.of(f.Desc), Flags: flags})
}

func fieldFlags(a classfile.Access) ir.FieldFlags {
	var flags ir.FieldFlags
	if !a.Has(classfile.AccPrivate) {
		flags |= ir.FieldExported
	}
	if a.Has(classfile.AccVolatile) {
		flags |= ir.FieldVolatile | ir.FieldAtomic
	}
	if a.Has(classfile.AccFinal) {
		flags |= ir.FieldFinal
	}
	return flags
}

// lowerMethod defines the function of a method.
func (l *lowerer) lowerMethod(m *classfile.Method) {
	d, err := classfile.ParseMethodDesc(m.Desc)
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	symbol := methodSymbol(l.name, m.Name, m.Desc)
	id := l.b.AddFunc(ir.Func{Symbol: symbol, Name: simpleName(l.name) + "." + m.Name, Sig: l.signature(m, &d), Parent: ir.None, Flags: methodFlags(m)})
	if !m.HasCode() {
		l.b.FuncAt(id).Flags |= ir.FuncExternal
		if m.Access.Has(classfile.AccNative) {
			l.b.AddLimit(ir.Limit{Kind: "native", Symbol: symbol, Text: "a native method; calls of it are taken to do nothing"})
		}
		return
	}
	if m.Name == "<clinit>" {
		l.b.SetInit(id)
	}
	if err := l.lowerCode(id, m, d, symbol); err != nil {
		l.b.FuncAt(id).Flags |= ir.FuncExternal
		l.errs = append(l.errs, &MethodError{Method: simpleName(l.name) + "." + m.Name + m.Desc, Err: err})
		l.b.AddLimit(ir.Limit{Kind: "bytecode", Symbol: symbol, Text: "its code cannot be read; calls of it are taken to do nothing"})
	}
}

// lowerHeader makes the unit of a class of which only the declarations count:
// what its methods do, models say.
func lowerHeader(c *classfile.Class, buf *buffers) (*ir.Unit, []error) {
	l := newLowerer(c, buf)
	l.declare(false)
	for i := range c.Methods {
		m := &c.Methods[i]
		d, err := classfile.ParseMethodDesc(m.Desc)
		if err != nil {
			l.errs = append(l.errs, err)
			continue
		}
		if m.Access.Has(classfile.AccPrivate) || m.Name == "<clinit>" {
			continue
		}
		l.b.AddFunc(ir.Func{Symbol: methodSymbol(l.name, m.Name, m.Desc), Name: simpleName(l.name) + "." + m.Name,
			Sig: l.signature(m, &d), Parent: ir.None, Flags: methodFlags(m)&^ir.FuncReentrant | ir.FuncExternal})
	}
	return l.b.Finish(), l.errs
}

// A MethodError says why a method has no code in its unit.
type MethodError struct {
	Method string
	Err    error
}

func (e *MethodError) Error() string { return e.Method + ": " + e.Err.Error() }
func (e *MethodError) Unwrap() error { return e.Err }

func (l *lowerer) signature(m *classfile.Method, d *classfile.MethodDesc) ir.TypeID {
	if m.Access.Has(classfile.AccStatic) {
		return l.types.sig(m.Desc, d)
	}
	return l.types.methodSig(l.c.Name, d)
}

// methodFlags says what a method is. The code of a lambda is synthetic for the
// compiler, but a person wrote it.
func methodFlags(m *classfile.Method) ir.FuncFlags {
	var flags ir.FuncFlags
	if !m.Access.Has(classfile.AccPrivate) {
		flags |= ir.FuncExported
	}
	if m.Access&(classfile.AccPublic|classfile.AccProtected) != 0 {
		flags |= ir.FuncPublic
	}
	if !m.Access.Has(classfile.AccStatic) {
		flags |= ir.FuncMethod
	}
	if m.Access.Has(classfile.AccSynthetic) && !strings.HasPrefix(m.Name, "lambda$") {
		flags |= ir.FuncSynthetic
	}
	if m.Access.Has(classfile.AccSynchronized) && m.HasCode() {
		flags |= ir.FuncReentrant
	}
	if m.Name == "<init>" {
		flags |= ir.FuncConstructor
	}
	if m.Name == "<clinit>" {
		flags |= ir.FuncInit
	}
	return flags
}
