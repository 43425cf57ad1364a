package classfile

// Annotation is an annotation of a class, member, parameter or record
// component. Annotations of the type of a field, of the result of a method or of
// a parameter as a whole are among those of the field, method or parameter: the
// source writes them in the same place.
type Annotation struct {
	Type     string // descriptor of the annotation type
	Visible  bool   // kept at run time (RetentionPolicy.RUNTIME), else only in the file
	Elements []Element
}

// Element is a name=value pair of an annotation.
type Element struct {
	Name  string
	Value Value
}

// Value is an element value (JVMS 4.7.16.1). Tag says which fields are set.
type Value struct {
	Tag    byte        // one of BCDFIJSZ, s string, e enum, c class, @ annotation, [ array
	Int    int64       // BCISZJ: the number; F, D: its bits
	Text   string      // s: the string; c: a descriptor, "V" for void; e: name of the constant
	Enum   string      // e: descriptor of the enum type
	Nested *Annotation // @
	Array  []Value     // [
}

// Element returns the value of an element, nil if the annotation does not give
// one (the default of its type then holds).
func (a *Annotation) Element(name string) *Value {
	for i := range a.Elements {
		if a.Elements[i].Name == name {
			return &a.Elements[i].Value
		}
	}
	return nil
}

// maxNesting bounds annotations within annotations and arrays within arrays:
// the language allows two levels of arrays and programs seldom go beyond four.
const maxNesting = 64

func (p *parser) annotations(c *cursor, visible bool, into []Annotation) []Annotation {
	n := c.count(4)
	if into == nil && n > 0 {
		into = make([]Annotation, 0, n)
	}
	for range n {
		if p.f.err != nil {
			break
		}
		into = append(into, p.annotation(c, visible, 0))
	}
	return into
}

func (p *parser) annotation(c *cursor, visible bool, depth int) Annotation {
	a := Annotation{Visible: visible}
	a.Type = p.utf8(c.ref())
	n := c.count(5)
	if n > 0 {
		a.Elements = make([]Element, 0, n)
	}
	for range n {
		if p.f.err != nil {
			break
		}
		name := p.utf8(c.ref())
		a.Elements = append(a.Elements, Element{name, p.value(c, visible, depth+1)})
	}
	return a
}

func (p *parser) value(c *cursor, visible bool, depth int) Value {
	at := c.off
	if depth > maxNesting {
		p.f.fail(at, "annotation values nested more than %d deep", maxNesting)
		return Value{}
	}
	v := Value{Tag: byte(c.u1())}
	switch v.Tag {
	case 'B', 'C', 'I', 'S', 'Z', 'D', 'F', 'J':
		v.Int = p.constant(c.ref()).Int
	case 's', 'c':
		v.Text = p.utf8(c.ref())
	case 'e':
		v.Enum = p.utf8(c.ref())
		v.Text = p.utf8(c.ref())
	case '@':
		a := p.annotation(c, visible, depth)
		v.Nested = &a
	case '[':
		n := c.count(3)
		v.Array = make([]Value, 0, n)
		for range n {
			if p.f.err != nil {
				break
			}
			v.Array = append(v.Array, p.value(c, visible, depth+1))
		}
	default:
		p.f.fail(at, "annotation value with the unknown tag %d", v.Tag)
	}
	return v
}

// paramAnnotations adds the annotations of parameters; visible and invisible
// ones come in attributes of their own.
func (p *parser) paramAnnotations(c *cursor, visible bool, into [][]Annotation) [][]Annotation {
	n := c.u1()
	if n*2 > c.end-c.off {
		p.f.fail(c.off, "annotations of %d parameters announced, %d bytes left", n, c.end-c.off)
		return into
	}
	for len(into) < n {
		into = append(into, nil)
	}
	for i := range n {
		into[i] = p.annotations(c, visible, into[i])
	}
	return into
}

// Targets of annotations of types (JVMS table 4.7.20-A) in fields and methods.
const (
	targetTypeParam   = 0x01
	targetBound       = 0x12
	targetField       = 0x13
	targetResult      = 0x14
	targetReceiver    = 0x15
	targetFormalParam = 0x16
	targetThrows      = 0x17
)

// typeAnnotations calls add for each annotation of a whole type, with what it
// belongs to and, for parameters, which. Those of parts of a type (elements of an
// array, type arguments) are stepped over.
func (p *parser) typeAnnotations(c *cursor, visible bool, add func(target, param int, a Annotation)) {
	for n := c.count(6); n > 0 && p.f.err == nil; n-- {
		at := c.off
		target, param := c.u1(), 0
		switch target {
		case targetField, targetResult, targetReceiver:
		case targetTypeParam, targetFormalParam:
			param = c.u1()
		case targetBound, targetThrows:
			c.u2()
		default:
			p.f.fail(at, "annotation of the unknown target %d", target)
			return
		}
		path := c.u1()
		if c.need(2 * path) {
			c.off += 2 * path
		}
		if a := p.annotation(c, visible, 0); path == 0 {
			add(target, param, a)
		}
	}
}

// with adds an annotation unless the type is there: one that is allowed both
// before declarations and before types is in the file twice. Only the first few
// are compared; nobody writes more, and time stays linear.
func with(list []Annotation, a Annotation) []Annotation {
	for i := range list[:min(len(list), 32)] {
		if list[i].Type == a.Type {
			return list
		}
	}
	return append(list, a)
}

// methodTypeAnnotations adds annotations of the result and of parameters.
func (p *parser) methodTypeAnnotations(c *cursor, visible bool, m *Method) {
	p.typeAnnotations(c, visible, func(target, param int, a Annotation) {
		switch target {
		case targetResult:
			m.Annotations = with(m.Annotations, a)
		case targetFormalParam:
			for len(m.ParamAnnotations) <= param {
				m.ParamAnnotations = append(m.ParamAnnotations, nil)
			}
			m.ParamAnnotations[param] = with(m.ParamAnnotations[param], a)
		}
	})
}
