package model

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// basicTypes are the types without pointers that all languages share.
var basicTypes = map[string]bool{
	"bool": true, "string": true, "uintptr": true,
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true,
	"uint": true, "uint8": true, "uint16": true, "uint32": true, "uint64": true,
	"float32": true, "float64": true, "complex64": true, "complex128": true,
	"byte": true, "rune": true, "boolean": true, "char": true, "double": true, "float": true, "long": true, "short": true,
}

// startsType tells whether the token at hand can begin a type.
func (p *parser) startsType() bool {
	switch p.tok.kind {
	case tokArrow:
		return true
	case tokPunct:
		return p.tok.text == "*" || p.tok.text == "["
	case tokWord:
		return p.isTypeWord(p.tok.text)
	}
	return false
}

// isTypeWord tells whether a word begins a type and nothing else.
func (p *parser) isTypeWord(s string) bool {
	switch s {
	case "any", "error", "map", "chan", "struct", "func", "unsafe.Pointer":
		return true
	}
	if basicTypes[s] || p.isTypeParam(s) {
		return true
	}
	head, _, qualified := strings.Cut(s, ".")
	if p.row.Lang == ir.LangJava && !qualified {
		return s[0] >= 'A' && s[0] <= 'Z' && !p.isLocal(s) // of java.lang
	}
	return (qualified || strings.Contains(s, "/")) && !isPlace(head) && !p.isLocal(head)
}

func (p *parser) isTypeParam(s string) bool {
	for _, name := range p.row.Params {
		if name == s {
			return true
		}
	}
	return false
}

// typ reads a type in Go's syntax; the path of a named type is its full import
// path. It returns nil after a mistake.
func (p *parser) typ() *TypeExpr {
	t := p.tok
	switch {
	case t.kind == tokArrow:
		p.advance()
		if !p.expect("chan") {
			return nil
		}
		return p.unary(&TypeExpr{Kind: ir.KindChan, Dir: ir.ChanRecv})
	case t.text == "*":
		p.advance()
		return p.unary(&TypeExpr{Kind: ir.KindPointer})
	case t.text == "[":
		p.advance()
		if !p.expect("]") {
			return nil
		}
		return p.unary(&TypeExpr{Kind: ir.KindSlice})
	case t.text == "(":
		list, ok := p.results()
		if !ok {
			return nil
		}
		return &TypeExpr{Kind: ir.KindTuple, Elems: list}
	case t.kind != tokWord:
		p.fail(t.off, "unexpected %v: a type wanted", t)
		return nil
	}
	switch t.text {
	case "map":
		p.advance()
		m := &TypeExpr{Kind: ir.KindMap}
		if !p.expect("[") {
			return nil
		}
		if m.Key = p.typ(); m.Key == nil || !p.expect("]") {
			return nil
		}
		return p.unary(m)
	case "chan":
		p.advance()
		c := &TypeExpr{Kind: ir.KindChan}
		if p.tok.kind == tokArrow {
			p.advance()
			c.Dir = ir.ChanSend
		}
		return p.unary(c)
	case "func":
		p.advance()
		f, _ := p.signature()
		return f
	case "struct":
		p.advance()
		if !p.expect("{") || !p.expect("}") {
			return nil
		}
		return &TypeExpr{Kind: ir.KindStruct}
	}
	return p.namedType(t)
}

func (p *parser) unary(t *TypeExpr) *TypeExpr {
	if t.Elem = p.typ(); t.Elem == nil {
		return nil
	}
	return t
}

func (p *parser) namedType(t token) *TypeExpr {
	if !p.isTypeWord(t.text) {
		p.fail(t.off, "unknown type %v: a basic type, any, error, a type parameter of the row, or a name with its full path wanted", t)
		return nil
	}
	p.advance()
	switch {
	case t.text == "any":
		return &TypeExpr{Kind: ir.KindInterface}
	case t.text == "unsafe.Pointer":
		return &TypeExpr{Kind: ir.KindPointer}
	case t.text == "byte" && p.row.Lang == ir.LangGo:
		return &TypeExpr{Kind: ir.KindBasic, Name: "uint8"}
	case t.text == "rune" && p.row.Lang == ir.LangGo:
		return &TypeExpr{Kind: ir.KindBasic, Name: "int32"}
	case p.row.Lang == ir.LangJava:
		return p.javaType(t.text)
	case basicTypes[t.text]:
		return &TypeExpr{Kind: ir.KindBasic, Name: t.text}
	case p.isTypeParam(t.text):
		return &TypeExpr{Kind: ir.KindParam, Name: t.text}
	}
	n := &TypeExpr{Kind: ir.KindNamed, Name: t.text}
	if p.tok.text == "[" {
		p.advance()
		for {
			arg := p.typ()
			if arg == nil {
				return nil
			}
			n.Elems = append(n.Elems, arg)
			if p.tok.text != "," {
				break
			}
			p.advance()
		}
		if !p.expect("]") {
			return nil
		}
	}
	return n
}

// javaType reads what follows the name of a type: brackets make it an array.
// Names without a package are those of java.lang; of a class the type is that of
// references to it.
func (p *parser) javaType(name string) *TypeExpr {
	if !basicTypes[name] && !strings.Contains(name, ".") {
		name = "java.lang." + name
	}
	t := typeOfName(name)
	for p.tok.text == "[" {
		p.advance()
		if !p.expect("]") {
			return nil
		}
		t = &TypeExpr{Kind: ir.KindSlice, Elem: t}
	}
	return t
}

// signature reads what follows the word func, and the names of parameters.
func (p *parser) signature() (*TypeExpr, []string) {
	f := &TypeExpr{Kind: ir.KindFunc}
	var names []string
	if !p.expect("(") {
		return nil, nil
	}
	for p.tok.text != ")" {
		name := ""
		if p.tok.kind == tokWord && !p.isTypeWord(p.tok.text) {
			name = p.tok.text
			if isReserved(name) || isPlace(name) || strings.ContainsAny(name, "./$-") {
				p.fail(p.tok.off, "%v cannot name a parameter", p.tok)
				return nil, nil
			}
			p.advance()
		}
		t := p.param(f)
		if t == nil {
			return nil, nil
		}
		f.Elems = append(f.Elems, t)
		names = append(names, name)
		if p.tok.text != "," {
			break
		}
		p.advance()
	}
	if !p.expect(")") {
		return nil, nil
	}
	var ok bool
	if f.Results, ok = p.results(); !ok {
		return nil, nil
	}
	return f, names
}

func (p *parser) param(f *TypeExpr) *TypeExpr {
	if p.tok.kind == tokDots {
		p.advance()
		f.Variadic = true
		return p.unary(&TypeExpr{Kind: ir.KindSlice})
	}
	return p.typ()
}

// results reads an optional result type or a list of them in parentheses.
func (p *parser) results() ([]*TypeExpr, bool) {
	if p.tok.text != "(" {
		if !p.startsType() {
			return nil, true
		}
		t := p.typ()
		return []*TypeExpr{t}, t != nil
	}
	p.advance()
	var list []*TypeExpr
	for p.tok.text != ")" {
		t := p.typ()
		if t == nil {
			return nil, false
		}
		list = append(list, t)
		if p.tok.text != "," {
			break
		}
		p.advance()
	}
	return list, p.expect(")")
}
