package model

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// value reads alternatives of values.
func (p *parser) value() *Expr {
	off := p.tok.off
	v := p.single()
	if v == nil || p.tok.text != "|" {
		return v
	}
	u := &Expr{Op: opUnion, X: []*Expr{v}, Off: off}
	for p.tok.text == "|" {
		p.advance()
		if v = p.single(); v == nil {
			return nil
		}
		u.X = append(u.X, v)
	}
	return u
}

// single reads one value and what it is known to be.
func (p *parser) single() *Expr {
	if !p.enter() {
		return nil
	}
	defer func() { p.depth-- }()
	v := p.primary()
	for v != nil && p.tok.text == "as" {
		as := &Expr{Op: opAs, X: []*Expr{v}, Off: p.tok.off}
		p.advance()
		if as.Type = p.typ(); as.Type == nil {
			return nil
		}
		if v.Op == opBox { // "box V as T" boxes V as a T
			as.X[0], v.X[0] = v.X[0], as
			continue
		}
		v = as
	}
	return v
}

func (p *parser) primary() *Expr {
	t := p.tok
	e := &Expr{Off: t.off}
	switch t.kind {
	case tokInt:
		p.advance()
		n, err := strconv.Atoi(t.text)
		if err != nil {
			p.fail(t.off, "%s is too large", t.text)
			return nil
		}
		e.Op, e.N = opInt, n
		return e
	case tokWord:
		switch t.text {
		case "fresh", "nil", "alike":
			p.advance()
			e.Op = map[string]exprOp{"fresh": opFresh, "nil": opNil, "alike": opAlike}[t.text]
			return e
		case "box", "at":
			p.advance()
			e.Op = opBox
			if t.text == "at" {
				e.Op = opAt
			}
			x := p.single()
			if x == nil {
				return nil
			}
			e.X = []*Expr{x}
			return e
		case "new":
			return p.newValue(e)
		case "func":
			return p.function(e)
		case "call", "invoke", "once", "atomic", "receive", "lock":
			p.advance()
			return p.word(t.text, e)
		}
		if p.isOperandWord(t.text) {
			return p.operand()
		}
	case tokPunct:
		if t.text == "&" {
			p.advance()
			x := p.operand()
			if x == nil {
				return nil
			}
			if x.Op != opField && x.Op != opElem && x.Op != opGlobal {
				p.fail(t.off, "& wants a field, an element or a global")
				return nil
			}
			x.Addr = true
			return x
		}
	}
	if p.startsType() {
		e.Op = opUnknown
		if e.Type = p.typ(); e.Type == nil {
			return nil
		}
		return e
	}
	p.fail(t.off, "unexpected %v: a value wanted, that is recv, argN, last, a name, a type for an unknown value of it, or one of %s", t, wordsOf(WordValue))
	return nil
}

func (p *parser) newValue(e *Expr) *Expr {
	p.advance()
	e.Op = opNew
	if e.Type = p.typ(); e.Type == nil {
		return nil
	}
	if p.row.Lang == ir.LangJava && e.Type.Kind == ir.KindPointer {
		e.Type = e.Type.Elem // of a class, references are the type
	}
	if p.tok.kind == tokInt {
		if e.Type.Kind != ir.KindChan {
			p.fail(p.tok.off, "only a channel has a capacity")
			return nil
		}
		e.N, _ = strconv.Atoi(p.tok.text)
		p.advance()
	}
	return e
}

// function reads a function value, or an unknown value of function type.
func (p *parser) function(e *Expr) *Expr {
	p.advance()
	t, names := p.signature()
	if t == nil {
		return nil
	}
	e.Type = t
	if p.tok.text != "{" {
		e.Op = opUnknown
		return e
	}
	e.Op, e.Params = opFunc, names
	s := &scope{fn: e, locals: make(map[string]*TypeExpr)}
	for i, name := range names {
		if name != "" {
			s.locals[name] = t.Elems[i]
		}
	}
	p.scopes = append(p.scopes, s)
	e.Body = p.block()
	p.scopes = p.scopes[:len(p.scopes)-1]
	if p.failed {
		return nil
	}
	return e
}

func (p *parser) block() []*Expr {
	if !p.enter() || !p.expect("{") {
		return nil
	}
	defer func() { p.depth-- }()
	var list []*Expr
	if p.tok.text != "}" {
		list = p.list()
	}
	if !p.failed {
		p.expect("}")
	}
	return list
}

// isOperandWord tells whether a word begins a place.
func (p *parser) isOperandWord(s string) bool {
	head, _, _ := strings.Cut(s, ".")
	return isPlace(head) || head == "global" || p.isLocal(head)
}

// operand reads a place: a name, its fields, elements and components.
func (p *parser) operand() *Expr {
	t := p.tok
	if t.text == "global" {
		p.advance()
		g := p.tok
		if g.kind != tokWord {
			p.fail(g.off, "unexpected %v: the symbol of a global wanted", g)
			return nil
		}
		p.advance()
		return &Expr{Op: opGlobal, Name: g.text, Off: g.off}
	}
	head, rest, _ := strings.Cut(t.text, ".")
	e := p.head(head, t.off)
	if e == nil {
		return nil
	}
	off := t.off + len(head) + 1
	p.advance()
	for {
		if rest != "" {
			if e = p.fields(e, rest, off); e == nil {
				return nil
			}
		}
		if p.tok.text != "[" {
			return e
		}
		p.advance()
		if !p.expect("]") {
			return nil
		}
		e = &Expr{Op: opElem, X: []*Expr{e}, Off: t.off}
		rest = ""
		if p.tok.kind == tokWord && strings.HasPrefix(p.tok.text, ".") {
			rest, off = p.tok.text[1:], p.tok.off+1
			p.advance()
		}
	}
}

// head resolves the name a place begins with and notes where functions capture
// it.
func (p *parser) head(name string, off int) *Expr {
	e := &Expr{Off: off}
	level := 0
	switch {
	case name == "recv":
		e.Op = opRecv
		if !p.row.isMethod() && !p.anyRecv {
			p.fail(off, "%s has no receiver", p.row.Pattern)
			return nil
		}
	case name == "args":
		e.Op = opArgs
	case name == "last":
		e.Op = opLast
	case argNumber(name) > 0:
		e.Op, e.N = opArg, argNumber(name)
	default:
		e.Op, e.Name = opLocal, name
		for level = len(p.scopes) - 1; level >= 0; level-- {
			if _, ok := p.scopes[level].locals[name]; ok {
				break
			}
		}
		if level < 0 {
			p.fail(off, "unknown name %s", name)
			return nil
		}
	}
	for _, s := range p.scopes[level+1:] {
		if e.Op == opArgs {
			p.fail(off, "args cannot be used in a function: name the argument")
			return nil
		}
		s.capture(e)
	}
	return e
}

func (s *scope) capture(e *Expr) {
	for _, c := range s.fn.Caps {
		if c.Op == e.Op && c.N == e.N && c.Name == e.Name {
			return
		}
	}
	s.fn.Caps = append(s.fn.Caps, &Expr{Op: e.Op, N: e.N, Name: e.Name, Off: e.Off})
}

// fields applies a path such as "f", "f.g" or "0" to a value.
func (p *parser) fields(e *Expr, path string, off int) *Expr {
	for name := range strings.SplitSeq(path, ".") {
		switch {
		case name == "" || strings.ContainsAny(name, "/-~+"):
			p.fail(off, "%q is not the name of a field", name)
			return nil
		case isDigits(name):
			n, err := strconv.Atoi(name)
			if err != nil || n > 255 {
				p.fail(off, "%s is too large", name)
				return nil
			}
			e = &Expr{Op: opPart, N: n, X: []*Expr{e}, Off: off}
		default:
			f := &Expr{Op: opField, Name: name, X: []*Expr{e}, Off: off}
			if p.row.Lang == ir.LangJava && strings.HasPrefix(name, "$") {
				f.Struct = classRef(objectClass).Elem
			} else if e.Op != opRecv {
				st := p.staticType(e)
				if st == nil || st.Kind != ir.KindPointer || st.Elem == nil || st.Elem.Kind != ir.KindNamed {
					p.fail(off, "what the field %s belongs to is not known here: bind it first, as in x = arg1 as *example.com/p.T", name)
					return nil
				}
				f.Struct = st.Elem
			}
			e = f
		}
		off += len(name) + 1
	}
	return e
}

// staticType returns the type a value is known to have, or nil.
func (p *parser) staticType(e *Expr) *TypeExpr {
	switch e.Op {
	case opLocal:
		for i := len(p.scopes) - 1; i >= 0; i-- {
			if t, ok := p.scopes[i].locals[e.Name]; ok {
				return t
			}
		}
	case opAs, opUnknown, opFunc:
		return e.Type
	case opInt:
		return &TypeExpr{Kind: ir.KindBasic, Name: "int"}
	case opNew:
		switch e.Type.Kind {
		case ir.KindSlice, ir.KindMap, ir.KindChan:
			return e.Type
		}
		return &TypeExpr{Kind: ir.KindPointer, Elem: e.Type}
	}
	return nil
}
