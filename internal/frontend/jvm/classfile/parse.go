package classfile

// magic begins every class file.
const magic = 0xCAFEBABE

// Attributes with annotations of types.
const (
	visibleTypes   = "RuntimeVisibleTypeAnnotations"
	invisibleTypes = "RuntimeInvisibleTypeAnnotations"
)

// parser reads one class file. It lives as long as Parse runs.
type parser struct {
	*pool
	c *Class
}

// Parse reads a class file without the code of its methods, which
// [Decoder.Decode] reads. The class keeps b, which must not change afterwards.
// An error is an *Error.
func Parse(b []byte) (*Class, error) {
	p := &parser{pool: &pool{b: b}, c: &Class{}}
	p.c.pool = p.pool
	c := &cursor{b: b, end: len(b), f: &p.f}
	p.file(c)
	if p.f.err != nil {
		p.f.err.Class = p.c.Name
		return nil, p.f.err
	}
	return p.c, nil
}

func (p *parser) file(c *cursor) {
	if m := c.u4(); m != magic {
		c.f.fail(0, "begins with %#08x, not with the number of a class file", m)
		return
	}
	k := p.c
	k.Minor, k.Major = uint16(c.u2()), uint16(c.u2())
	p.read(c)
	if p.f.err != nil {
		return
	}
	k.Access = Access(c.u2())
	k.Name = p.class(c.ref())
	k.Super = p.optionalClass(c.ref())
	k.Interfaces = p.classes(c)
	if n := c.count(8); n > 0 && p.f.err == nil {
		k.Fields = make([]Field, n)
		for i := range k.Fields {
			p.field(c, &k.Fields[i])
		}
	}
	if n := c.count(8); n > 0 && p.f.err == nil {
		k.Methods = make([]Method, n)
		for i := range k.Methods {
			p.method(c, &k.Methods[i])
		}
	}
	p.attributes(c, p.classAttribute)
	c.done("the class")
}

// classes reads a list of class references.
func (p *parser) classes(c *cursor) []string { return p.names(c, tagClass) }

func (p *parser) names(c *cursor, tag int) []string {
	n := c.count(2)
	if n == 0 || p.f.err != nil {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		from, j := c.ref()
		out[i] = p.named(from, j, tag)
	}
	return out
}

func (p *parser) field(c *cursor, f *Field) {
	f.Access = Access(c.u2())
	f.Name = p.utf8(c.ref())
	at := c.off
	f.Desc = p.utf8(at, c.u2())
	if p.f.err == nil && !ValidType(f.Desc) {
		p.f.fail(at, "field %s has the descriptor %q", f.Name, f.Desc)
	}
	p.attributes(c, func(name []byte, at int, a *cursor) {
		switch string(name) {
		case "ConstantValue":
			v := p.constant(a.ref())
			f.Const = &v
		case "Signature":
			f.Signature = p.utf8(a.ref())
		case "RuntimeVisibleAnnotations":
			f.Annotations = p.annotations(a, true, f.Annotations)
		case "RuntimeInvisibleAnnotations":
			f.Annotations = p.annotations(a, false, f.Annotations)
		case visibleTypes, invisibleTypes:
			p.typeAnnotations(a, string(name) == visibleTypes, func(_, _ int, t Annotation) { f.Annotations = with(f.Annotations, t) })
		default:
			return
		}
		a.done(string(name))
	})
}

func (p *parser) method(c *cursor, m *Method) {
	m.Access = Access(c.u2())
	m.Name = p.utf8(c.ref())
	at := c.off
	m.Desc = p.utf8(at, c.u2())
	if p.f.err == nil && !validMethodDesc(m.Desc) {
		p.f.fail(at, "method %s has the descriptor %q", m.Name, m.Desc)
	}
	p.attributes(c, func(name []byte, at int, a *cursor) {
		switch string(name) {
		case "Code":
			if m.HasCode() {
				p.f.fail(at, "method %s%s has two Code attributes", m.Name, m.Desc)
			}
			m.code = span{a.off, a.end - a.off}
			return
		case "Exceptions":
			m.Exceptions = p.classes(a)
		case "Signature":
			m.Signature = p.utf8(a.ref())
		case "RuntimeVisibleAnnotations":
			m.Annotations = p.annotations(a, true, m.Annotations)
		case "RuntimeInvisibleAnnotations":
			m.Annotations = p.annotations(a, false, m.Annotations)
		case "RuntimeVisibleParameterAnnotations":
			m.ParamAnnotations = p.paramAnnotations(a, true, m.ParamAnnotations)
		case "RuntimeInvisibleParameterAnnotations":
			m.ParamAnnotations = p.paramAnnotations(a, false, m.ParamAnnotations)
		case visibleTypes, invisibleTypes:
			p.methodTypeAnnotations(a, string(name) == visibleTypes, m)
		case "AnnotationDefault":
			v := p.value(a, true, 0)
			m.Default = &v
		default:
			return
		}
		a.done(string(name))
	})
}

// attributes calls read for each attribute of a table with a cursor over its
// contents; at is where the attribute begins. What read leaves over is skipped.
func (p *parser) attributes(c *cursor, read func(name []byte, at int, a *cursor)) {
	for n := c.count(6); n > 0 && p.f.err == nil; n-- {
		at := c.off
		name := p.raw(at, c.u2())
		a := c.sub(c.u4())
		if p.f.err != nil {
			return
		}
		read(name, at, &a)
	}
}

func (p *parser) classAttribute(name []byte, at int, a *cursor) {
	k := p.c
	switch string(name) {
	case "SourceFile":
		k.SourceFile = p.utf8(a.ref())
	case "SourceDebugExtension":
		// Some tools write plain UTF-8 here; it is text for people and their
		// tools, so what is not well-formed is no reason to refuse the class.
		k.SourceDebug, _ = decodeUTF8(a.b[a.off:a.end])
		return
	case "Signature":
		k.Signature = p.utf8(a.ref())
	case "RuntimeVisibleAnnotations":
		k.Annotations = p.annotations(a, true, k.Annotations)
	case "RuntimeInvisibleAnnotations":
		k.Annotations = p.annotations(a, false, k.Annotations)
	case "InnerClasses":
		p.innerClasses(a)
	case "EnclosingMethod":
		p.enclosingMethod(a)
	case "NestHost":
		k.NestHost = p.class(a.ref())
	case "NestMembers":
		k.NestMembers = p.classes(a)
	case "PermittedSubclasses":
		k.PermittedSubclasses = p.classes(a)
	case "Record":
		p.record(a)
	case "BootstrapMethods":
		p.bootstraps(a)
	case "Module":
		p.module(a)
	case "ModuleMainClass":
		p.needModule().MainClass = p.class(a.ref())
	default:
		return
	}
	a.done(string(name))
}

func (p *parser) innerClasses(a *cursor) {
	n := a.count(8)
	if n == 0 {
		return
	}
	p.c.InnerClasses = make([]InnerClass, n)
	for i := range p.c.InnerClasses {
		ic := &p.c.InnerClasses[i]
		ic.Inner = p.class(a.ref())
		ic.Outer = p.optionalClass(a.ref())
		ic.Name = p.optional(a.ref())
		ic.Access = Access(a.u2())
	}
}

func (p *parser) enclosingMethod(a *cursor) {
	e := &EnclosingMethod{Class: p.class(a.ref())}
	if from, i := a.ref(); i != 0 {
		e.Name, e.Desc = p.nameAndType(from, i)
	}
	p.c.EnclosingMethod = e
}

func (p *parser) record(a *cursor) {
	p.c.IsRecord = true
	n := a.count(6)
	if n == 0 {
		return
	}
	p.c.Components = make([]Component, n)
	for i := range p.c.Components {
		r := &p.c.Components[i]
		r.Name = p.utf8(a.ref())
		r.Desc = p.utf8(a.ref())
		p.attributes(a, func(name []byte, _ int, a *cursor) {
			switch string(name) {
			case "Signature":
				r.Signature = p.utf8(a.ref())
			case "RuntimeVisibleAnnotations":
				r.Annotations = p.annotations(a, true, r.Annotations)
			case "RuntimeInvisibleAnnotations":
				r.Annotations = p.annotations(a, false, r.Annotations)
			}
		})
	}
}

func (p *parser) bootstraps(a *cursor) {
	n := a.count(4)
	if n == 0 {
		return
	}
	p.c.Bootstraps = make([]Bootstrap, n)
	for i := range p.c.Bootstraps {
		if p.f.err != nil {
			return
		}
		b := &p.c.Bootstraps[i]
		b.Method = p.handle(a.ref())
		if n := a.count(2); n > 0 {
			b.Args = make([]Const, n)
			for j := range b.Args {
				b.Args[j] = p.constant(a.ref())
			}
		}
	}
}

// needModule returns the module, which ModuleMainClass may mention before the
// Module attribute.
func (p *parser) needModule() *Module {
	if p.c.Module == nil {
		p.c.Module = &Module{}
	}
	return p.c.Module
}

// module reads the Module attribute (JVMS 4.7.25); opened packages and those
// exported to some modules only are stepped over.
func (p *parser) module(a *cursor) {
	m := p.needModule()
	from, i := a.ref()
	m.Name = p.named(from, i, tagModule)
	a.u2() // flags
	m.Version = p.optional(a.ref())
	for n := a.count(6); n > 0; n-- {
		from, i := a.ref()
		m.Requires = append(m.Requires, p.named(from, i, tagModule))
		a.u4() // flags, version
	}
	for n := a.count(6); n > 0; n-- {
		from, i := a.ref()
		pkg := p.named(from, i, tagPackage)
		a.u2() // flags
		if to := p.names(a, tagModule); len(to) == 0 {
			m.Exports = append(m.Exports, pkg)
		}
	}
	for n := a.count(6); n > 0; n-- { // opened packages
		a.u4() // package, flags
		p.names(a, tagModule)
	}
	m.Uses = p.classes(a)
	for n := a.count(4); n > 0; n-- {
		service := p.class(a.ref())
		m.Provides = append(m.Provides, Provide{service, p.classes(a)})
	}
}
