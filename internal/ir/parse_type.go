package ir

import (
	"slices"
	"strings"
)

// typ reads a type.
func (p *parser) typ() TypeID {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxTypeDepth {
		p.fail("types are nested more than %d deep", maxTypeDepth)
		return 0
	}
	switch {
	case p.tok.kind == tokWord:
		return p.wordType()
	case p.tok.kind == tokString:
		return p.namedType(p.quoted("a type"))
	case p.tok.kind == tokArrow:
		p.advance()
		if !p.gotWord("chan") {
			p.want("chan")
		}
		return p.b.Chan(ChanRecv, p.typ())
	case p.got('*'):
		return p.b.Pointer(p.typ())
	case p.got('['):
		if p.got(']') {
			return p.b.Slice(p.typ())
		}
		length := int64(-1)
		if !p.got('?') {
			length = p.number(64, "a length")
		}
		p.expect(']')
		return p.b.Array(length, p.typ())
	case p.at('('):
		return p.b.Tuple(p.tuple()...)
	case p.got('$'):
		return p.typeParam()
	}
	p.want("a type")
	return 0
}

func (p *parser) wordType() TypeID {
	word := p.advance().text
	switch word {
	case "_":
		return 0
	case "any":
		return p.b.Interface(nil)
	case "basic":
		p.expect('(')
		name := p.name("a basic type's name")
		p.expect(')')
		return p.b.Basic(name)
	case "struct":
		return p.structType()
	case "interface":
		return p.interfaceType()
	case "func":
		params, variadic := p.params()
		return p.b.FuncType(params, p.results(), variadic)
	case "map":
		p.expect('[')
		key := p.typ()
		p.expect(']')
		return p.b.Map(key, p.typ())
	case "chan":
		if p.tok.kind == tokArrow && p.tok.glued {
			p.advance()
			return p.b.Chan(ChanSend, p.typ())
		}
		return p.b.Chan(ChanBoth, p.typ())
	}
	if slices.Contains(basicNames, word) {
		return p.b.Basic(word)
	}
	return p.namedType(word)
}

func (p *parser) namedType(symbol string) TypeID {
	return p.b.Named(symbol, p.typeArgs()...)
}

// typeArgs reads types in brackets, if there are any.
func (p *parser) typeArgs() []TypeID {
	if !p.got('[') {
		return nil
	}
	var args []TypeID
	for p.err == nil {
		args = append(args, p.typ())
		if !p.got(',') {
			break
		}
	}
	p.expect(']')
	return args
}

// tuple reads types in parentheses.
func (p *parser) tuple() []TypeID {
	p.expect('(')
	var elems []TypeID
	for p.err == nil && !p.at(')') {
		elems = append(elems, p.typ())
		if !p.got(',') {
			break
		}
	}
	p.expect(')')
	return elems
}

// params reads the types of parameters, the last of which may be dots.
func (p *parser) params() (elems []TypeID, variadic bool) {
	p.expect('(')
	for p.err == nil && !p.at(')') {
		if p.tok.kind == tokDots {
			p.advance()
			variadic = true
			break
		}
		elems = append(elems, p.typ())
		if !p.got(',') {
			break
		}
	}
	p.expect(')')
	return elems, variadic
}

func (p *parser) results() []TypeID {
	if p.at('(') && !p.tok.line {
		return p.tuple()
	}
	return nil
}

// separated tells whether another member follows, after a semicolon or on a
// new line.
func (p *parser) separated() bool {
	semicolon := p.got(';')
	if p.at('}') || p.tok.kind == tokEOF {
		return false
	}
	if !semicolon && !p.tok.line {
		p.want("; or }")
		return false
	}
	return true
}

func (p *parser) structType() TypeID {
	p.expect('{')
	var fields []Field
	for more := p.err == nil && !p.at('}'); more; more = p.separated() {
		f := Field{Name: p.name("a field's name"), Offset: -1}
		f.Type = p.typ()
		if p.got('@') {
			f.Offset = p.number(64, "an offset")
		}
		for p.got('!') {
			f.Flags |= FieldFlags(p.flag(fieldFlagNames))
		}
		fields = append(fields, f)
	}
	p.expect('}')
	return p.b.Struct(fields)
}

func (p *parser) interfaceType() TypeID {
	p.expect('{')
	var methods []Method
	for more := p.err == nil && !p.at('}'); more; more = p.separated() {
		m := Method{Name: p.name("a method's name")}
		m.Sig = p.typ()
		methods = append(methods, m)
	}
	p.expect('}')
	slices.SortStableFunc(methods, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return p.b.Interface(methods)
}

// typeParam reads what follows the dollar sign: a declared name, or an index
// and a name.
func (p *parser) typeParam() TypeID {
	if p.tok.kind == tokNumber {
		index := p.number(32, "an index")
		p.expect(':')
		return p.b.TypeParam(p.name("a type parameter"), int(index))
	}
	off := p.tok.off
	name := p.name("a type parameter")
	index := slices.Index(p.typeParams, name)
	if index < 0 && p.err == nil {
		p.failAt(off, "type parameter %s is not declared here: write $index:%s", name, name)
	}
	return p.b.TypeParam(name, index)
}

// fieldRef reads a struct, a dot, a field's name and perhaps its index.
func (p *parser) fieldRef() FieldID {
	var strct TypeID
	var name string
	if dot := strings.LastIndexByte(p.tok.text, '.'); p.tok.kind == tokWord && dot > 0 && p.after.punct != '.' && p.after.punct != '[' {
		word := p.tok.text
		if !isBareType(word[:dot]) {
			p.want("a field of a struct")
		}
		strct, name = p.b.Named(word[:dot]), word[dot+1:]
		p.advance()
	} else {
		strct = p.typ()
		p.expect('.')
		name = p.name("a field's name")
	}
	index := int32(pendingIndex)
	if p.got('#') {
		if p.gotWord("_") {
			index = None
		} else {
			index = int32(p.number(32, "an index"))
		}
	}
	return p.b.Field(strct, name, index)
}
