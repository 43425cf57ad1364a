package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// word reads what follows the word of an effect. It returns nil after a
// mistake.
func (p *parser) word(word string, e *Expr) *Expr {
	switch word {
	case "lock":
		return p.on(e, opLock, "excl", "shared", "try", "reentrant", "maybe")
	case "unlock":
		return p.on(e, opUnlock, "excl", "shared", "reentrant", "maybe")
	case "read":
		return p.on(e, opRead, "elems", "deep", "maybe")
	case "write":
		return p.on(e, opWrite, "elems", "deep", "maybe")
	case "receive":
		return p.on(e, opReceive)
	case "close":
		return p.on(e, opClose)
	case "post":
		return p.on(e, opPost)
	case "await":
		return p.on(e, opAwait, "maybe", "all")
	case "join":
		return p.on(e, opJoin, "maybe")
	case "notify":
		return p.on(e, opNotify, "all")
	case "callback":
		if p.on(e, opCallback) == nil {
			return nil
		}
		if x := e.X[0]; !isPlaceOp(x.Op) {
			p.fail(x.Off, "callback takes recv, args, last or an argument")
			return nil
		}
		return e
	case "send":
		return p.two(e, opSend)
	case "copy":
		return p.two(e, opCopyElems)
	case "once":
		if p.two(e, opOnce) == nil {
			return nil
		}
		if e.Type = p.resultType(); p.failed {
			return nil
		}
		return e
	case "condwait":
		e.Op = opCondWait
		if !p.operands(e, 1) || !p.atEnd() && !p.operands(e, 1) {
			return nil
		}
		return e
	case "spawn", "call", "invoke":
		return p.call(word, e)
	case "atomic":
		return p.atomic(e)
	case "fence":
		e.Op, e.Order = opFence, ir.SeqCst
		if !p.flags(e, orders[1:]...) {
			return nil
		}
		return e
	case "group":
		return p.group(e)
	case "return":
		return p.returns(e)
	case "if":
		return p.condition(e)
	case "exit", "throw":
		e.Op = opExit
		if word == "throw" {
			e.Op = opThrow
		}
		return e
	}
	return nil
}

// isEffectWord tells whether word knows a word.
func isEffectWord(s string) bool {
	return slices.ContainsFunc(words[:], func(w Word) bool { return w.Text == s && w.Kind == WordEffect })
}

// on reads an effect on one operand with modifiers.
func (p *parser) on(e *Expr, op exprOp, allowed ...string) *Expr {
	e.Op = op
	if !p.operands(e, 1) {
		return nil
	}
	if len(allowed) > 0 && !p.flags(e, allowed...) {
		return nil
	}
	if x := e.X[0]; x.Op == opArgs && op != opRead && op != opWrite && op != opCallback {
		p.fail(x.Off, "args has a meaning after read, write, call and callback only")
		return nil
	}
	return e
}

func (p *parser) two(e *Expr, op exprOp) *Expr {
	e.Op = op
	if !p.operands(e, 2) {
		return nil
	}
	return e
}

// operands reads n values. A value that is itself an effect ends where its
// modifiers do, so only the last operand of an effect should be one.
func (p *parser) operands(e *Expr, n int) bool {
	for range n {
		x := p.single()
		if x == nil {
			return false
		}
		e.X = append(e.X, x)
	}
	return true
}

func (p *parser) atomic(e *Expr) *Expr {
	e.Op, e.Order = opAtomic, ir.SeqCst
	k := slices.Index(atomicKinds, p.tok.text)
	if k < 0 {
		p.fail(p.tok.off, "unexpected %v after atomic: one of %s wanted", p.tok, strings.Join(atomicKinds, ", "))
		return nil
	}
	e.Sub = uint8(k)
	p.advance()
	if !p.operands(e, 1+atomicOperands[k]) || !p.flags(e, orders[1:]...) {
		return nil
	}
	return e
}

func (p *parser) group(e *Expr) *Expr {
	e.Op = opGroup
	k := slices.Index(groupKinds, p.tok.text)
	if k < 0 {
		p.fail(p.tok.off, "unexpected %v after group: one of %s wanted", p.tok, strings.Join(groupKinds, ", "))
		return nil
	}
	e.Sub = uint8(k)
	p.advance()
	if !p.operands(e, 1) || ir.GroupKind(k) == ir.GroupAdd && !p.atEnd() && !p.operands(e, 1) {
		return nil
	}
	return e
}

// call reads the target, arguments and modifiers of a call.
func (p *parser) call(word string, e *Expr) *Expr {
	e.Op = opCall
	if word == "spawn" {
		e.Sub = uint8(ir.Spawned)
		if p.tok.text == "invoke" {
			p.advance()
			word = "invoke"
		}
	}
	if word == "invoke" {
		e.Op = opInvoke
		if !p.method(e) || !p.arguments(e) {
			return nil
		}
	} else if target := p.single(); target == nil {
		return nil
	} else if e.X = []*Expr{target}; target.Op != opFunc || p.tok.text == "(" {
		if !p.arguments(e) {
			return nil
		}
	}
	if ir.How(e.Sub) == ir.Spawned {
		p.describe(e)
		return p.spawnModifiers(e)
	}
	if e.Type = p.resultType(); p.failed {
		return nil
	}
	p.describe(e)
	if !p.flags(e, "many", "maybe") {
		return nil
	}
	return e
}

// describe gives the method of an invoke in Java the descriptor that follows from
// the types of arguments and result: what is not known is an Object.
func (p *parser) describe(e *Expr) {
	if p.row.Lang != ir.LangJava || e.Op != opInvoke || e.Name == "*" {
		return
	}
	params := make([]*TypeExpr, len(e.X)-1)
	for i, x := range e.X[1:] {
		if params[i] = p.staticType(x); params[i] == nil {
			params[i] = classRef(objectClass)
		}
	}
	e.Name = methodKey(e.Name, params, e.Type)
}

// method reads X.M of an invoke. M may be a star.
func (p *parser) method(e *Expr) bool {
	t := p.tok
	path := t.text
	if t.kind != tokWord || !p.isOperandWord(path) {
		p.fail(t.off, "unexpected %v: a place and a method wanted, as in arg1.Close", t)
		return false
	}
	if path == "global" {
		p.fail(t.off, "bind the global to a name first")
		return false
	}
	// The method is the last element of the path, which may go on after [].
	dot := strings.LastIndexByte(path, '.')
	if dot > 0 && p.peek() != "[" {
		p.lex, p.tok = p.before, t
		p.lex.off, p.tok.text = t.off+dot, path[:dot]
		p.lex.last = p.tok
		x := p.operand()
		if x == nil {
			return false
		}
		e.X, e.Name = []*Expr{x}, p.methodName()
		return e.Name != ""
	}
	x := p.elementOf()
	if x == nil {
		return false
	}
	e.X, e.Name = []*Expr{x}, p.methodName()
	return e.Name != ""
}

// elementOf reads PLACE[] in front of a method.
func (p *parser) elementOf() *Expr {
	t := p.tok
	head, rest, _ := strings.Cut(t.text, ".")
	x := p.head(head, t.off)
	if x != nil && rest != "" {
		x = p.fields(x, rest, t.off+len(head)+1)
	}
	if x == nil {
		return nil
	}
	p.advance()
	if !p.expect("[") || !p.expect("]") {
		return nil
	}
	return &Expr{Op: opElem, X: []*Expr{x}, Off: t.off}
}

func (p *parser) methodName() string {
	t := p.tok
	name, ok := strings.CutPrefix(t.text, ".")
	switch {
	case ok && t.kind == tokWord && name == "":
		p.advance()
		if p.tok.text == "*" {
			name = "*"
		}
		fallthrough
	case ok && t.kind == tokWord && !strings.ContainsAny(name, "./$"):
		if name != "" {
			p.advance()
			return name
		}
	}
	p.fail(t.off, "unexpected %v: a method wanted, as in arg1.Close", t)
	return ""
}

// arguments reads (V, V) or (...).
func (p *parser) arguments(e *Expr) bool {
	if !p.expect("(") {
		return false
	}
	if p.tok.kind == tokDots {
		p.advance()
		e.Dots = true
		return p.expect(")")
	}
	for p.tok.text != ")" {
		v := p.value()
		if v == nil {
			return false
		}
		e.X = append(e.X, v)
		if p.tok.text != "," {
			break
		}
		p.advance()
	}
	if x := e.X[0]; x.Op == opArgs {
		p.fail(x.Off, "args may only be called as args(...), since they differ in what they take")
		return false
	}
	return p.expect(")")
}

// resultType reads the optional type of a call's result: a tuple if there are
// several, nil if there is none.
func (p *parser) resultType() *TypeExpr {
	if p.tok.kind == tokWord && (flagWords[p.tok.text] != 0 || p.tok.text == "as") {
		return nil
	}
	list, ok := p.results()
	switch {
	case !ok || len(list) == 0:
		return nil
	case len(list) == 1:
		return list[0]
	}
	return &TypeExpr{Kind: ir.KindTuple, Elems: list}
}

func (p *parser) spawnModifiers(e *Expr) *Expr {
	allowed := append([]string{"many", "maybe"}, originKinds...)
	for {
		for p.tok.kind == tokWord && slices.Contains(allowed, p.tok.text) {
			w := p.tok.text
			if i := slices.Index(originKinds, w); i >= 0 {
				e.Flags = e.Flags.WithOrigin(ir.OriginKind(i))
			} else {
				e.Flags |= flagWords[w]
			}
			p.advance()
		}
		w := p.tok
		if w.text != "group" && w.text != "serial" {
			break
		}
		if e.Group != nil {
			p.fail(w.off, "an origin belongs to one group only")
			return nil
		}
		p.advance()
		if e.Group = p.single(); e.Group == nil {
			return nil
		}
		e.Flags |= ir.FlagGroup
		if w.text == "serial" {
			e.Flags |= ir.FlagSerial
		}
	}
	if p.tok.kind == tokWord {
		p.fail(p.tok.off, "unexpected %v: one of %s, group, serial may follow, or ;", p.tok, strings.Join(allowed, ", "))
		return nil
	}
	return e
}

func (p *parser) returns(e *Expr) *Expr {
	e.Op = opReturn
	for {
		v := p.value()
		if v == nil {
			return nil
		}
		e.X = append(e.X, v)
		if p.tok.text != "," {
			return e
		}
		p.advance()
	}
}

// condition reads what follows if.
func (p *parser) condition(e *Expr) *Expr {
	e.Op = opIf
	if p.tok.text == "caller" {
		e.X = append(e.X, &Expr{Op: opCaller, Off: p.tok.off})
		if p.advance(); p.tok.text != "calls" {
			p.fail(p.tok.off, "unexpected %v: calls wanted after caller", p.tok)
			return nil
		}
	} else if !p.operands(e, 1) {
		return nil
	}
	switch p.tok.text {
	case "calls":
		p.advance()
		e.Name = p.symbol().text
	case "is":
		p.advance()
		n := p.tok
		if n.kind != tokInt {
			p.fail(n.off, "unexpected %v: a number wanted after is", n)
			return nil
		}
		p.advance()
		e.N, _ = strconv.Atoi(n.text)
	default:
		p.fail(p.tok.off, "unexpected %v: calls or is wanted", p.tok)
		return nil
	}
	e.Body = p.block()
	if !p.failed && p.tok.text == "else" {
		p.advance()
		e.Else = p.block()
	}
	if p.failed {
		return nil
	}
	for _, list := range [...][]*Expr{e.Body, e.Else} {
		for _, x := range list {
			if x.Op == opReturn || x.Op == opExit || x.Op == opThrow || x.Op == opAssign && x.X[0].Op == opLocal {
				p.fail(x.Off, "the branches of an if may not name values, return or end the call")
				return nil
			}
		}
	}
	return e
}
