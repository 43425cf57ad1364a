package model

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// maxDepth bounds how deep definitions, functions and values may nest.
const maxDepth = 32

// maxEffects bounds what the definitions of one row may expand to.
const maxEffects = 1000

// parser reads the effects of one row at a time.
type parser struct {
	src    string
	lex    lexer
	before lexer // lex as it was before tok
	tok    token
	failed bool // since the line began
	fail   func(off int, format string, args ...any)

	defines map[string]int

	row     *Row
	anyRecv bool // a definition: whether there is a receiver is up to its users
	scopes  []*scope
	using   []string // definitions being expanded
	depth   int
	size    int // effects of the row so far
}

// scope holds the names of a row, or of a function value in it.
type scope struct {
	fn     *Expr // nil for the row itself
	locals map[string]*TypeExpr
}

func (p *parser) advance() {
	p.before = p.lex
	p.tok = p.lex.next()
}

// symbol reads the token at hand again as a function symbol.
func (p *parser) symbol() token {
	off := p.tok.off
	p.lex = p.before
	t := p.lex.symbol(off)
	p.advance()
	return t
}

func (p *parser) expect(text string) bool {
	if p.tok.text != text {
		p.fail(p.tok.off, "unexpected %v: %q wanted", p.tok, text)
		return false
	}
	p.advance()
	return true
}

// begin starts a row.
func (p *parser) begin(row *Row, anyRecv bool) {
	p.row, p.anyRecv, p.depth, p.size = row, anyRecv, 0, 0
	p.scopes = []*scope{{locals: make(map[string]*TypeExpr)}}
	p.using = nil
}

// effects reads the effects of the row and sets what follows from them.
func (p *parser) effects() {
	row := p.row
	row.Effects = p.list()
	if p.failed {
		return
	}
	if row.threadsafe {
		row.Effects = slices.DeleteFunc(row.Effects, touchesReceiver)
	}
	for i, e := range row.Effects {
		if (e.Op == opExit || e.Op == opThrow || e.Op == opReturn) && i+1 < len(row.Effects) {
			p.fail(e.Off, "nothing may follow %s", endWords[e.Op])
		}
		e.walk(func(x *Expr) {
			x.id = row.nodes
			row.nodes++
			row.asks = row.asks || x.Op == opIf || x.Dots
			row.special = row.special || x.Op == opFunc || x.Op == opField && x.Struct == nil
			row.callsArgs = row.callsArgs || row.Lang == ir.LangJava && x.Op == opCall && isPlaceOp(x.X[0].Op)
			row.callsBack = row.callsBack || x.Op == opCallback
		})
	}
	row.special = row.special || len(row.Params) > 0
	if row.mode != modeEffects && len(row.Effects) > 0 {
		p.fail(row.Effects[0].Off, "ignore and analyse stand alone")
	}
}

// touchesReceiver tells whether an effect is a plain access to memory of the
// receiver.
func touchesReceiver(e *Expr) bool {
	if e.Op != opRead && e.Op != opWrite {
		return false
	}
	x := e.X[0]
	for x.Op == opField || x.Op == opElem {
		x = x.X[0]
	}
	return x.Op == opRecv
}

// isPlaceOp tells whether a value is a receiver or argument: what is known of its
// type depends on the function.
func isPlaceOp(op exprOp) bool { return op == opRecv || op == opArg || op == opArgs || op == opLast }

var endWords = map[exprOp]string{opExit: "exit", opThrow: "throw", opReturn: "return"}

// list reads effects up to the end of the line or a closing brace.
func (p *parser) list() []*Expr {
	var effects []*Expr
	for !p.failed {
		effects = append(effects, p.effect()...)
		if p.tok.text != ";" || p.failed {
			break
		}
		p.advance()
	}
	return effects
}

// effect reads one effect, which may be a definition that stands for several.
func (p *parser) effect() []*Expr {
	t := p.tok
	if t.kind != tokWord {
		p.fail(t.off, "unexpected %v: an effect wanted, that is one of %s, or NAME = VALUE", t, wordsOf(WordEffect, WordWhole))
		return nil
	}
	if p.size++; p.size > maxEffects {
		p.fail(t.off, "the row has more than %d effects", maxEffects)
		return nil
	}
	if start, ok := p.defines[t.text]; ok {
		return p.expand(t, start)
	}
	switch t.text {
	case "opaque":
		p.advance()
		return nil
	case "ignore", "analyse":
		if len(p.scopes) > 1 {
			p.fail(t.off, "%s concerns the row as a whole and cannot be part of a function", t.text)
		}
		p.advance()
		p.row.mode = modeIgnore
		if t.text == "analyse" {
			p.row.mode = modeAnalyse
		}
		return nil
	case "entry":
		p.advance()
		p.entry(t)
		return nil
	case "threadsafe":
		p.advance()
		p.row.threadsafe = true
		return nil
	}
	e := p.simple()
	if e == nil || p.failed {
		return nil
	}
	return []*Expr{e}
}

// entry reads how a framework calls the methods that the row is about.
func (p *parser) entry(t token) {
	if len(p.scopes) > 1 || p.row.Lang != ir.LangJava {
		p.fail(t.off, "entry concerns a row of Java as a whole")
		return
	}
	e := &Entry{}
	for p.tok.kind == tokWord {
		switch w := p.tok.text; {
		case slices.Contains(originKinds, w):
			e.Kind = ir.OriginKind(slices.Index(originKinds, w))
		case w == "many":
			e.Many = true
		case w == "serial":
			p.advance()
			e.Serial = p.tok.text
		default:
			p.fail(p.tok.off, "unexpected %v: one of %s, many or serial may follow", p.tok, strings.Join(originKinds, ", "))
			return
		}
		p.advance()
	}
	p.row.Entry, p.row.mode = e, modeAnalyse
}

// expand reads the effects of a definition in the place of its name.
func (p *parser) expand(t token, start int) []*Expr {
	if slices.Contains(p.using, t.text) || len(p.using) == maxDepth {
		p.fail(t.off, "%s uses itself", t.text)
		return nil
	}
	lex, before := p.lex, p.before
	p.using = append(p.using, t.text)
	p.lex = lexer{src: p.src, off: start, fail: p.fail, last: token{kind: tokNewline}}
	p.advance()
	effects := p.list()
	p.using = p.using[:len(p.using)-1]
	p.lex, p.before = lex, before
	p.advance()
	return effects
}

// simple reads an effect that is no definition and says nothing of the row.
func (p *parser) simple() *Expr {
	t := p.tok
	e := &Expr{Off: t.off}
	if isEffectWord(t.text) {
		p.advance()
		return p.word(t.text, e)
	}
	if !p.isOperandWord(t.text) && p.peek() != "=" {
		p.fail(t.off, "unknown word %v: one of %s wanted, or NAME = VALUE", t, wordsOf(WordEffect, WordWhole))
		return nil
	}
	return p.assign(e)
}

// peek returns the text of the token after the one at hand.
func (p *parser) peek() string {
	l := p.lex
	l.fail = func(int, string, ...any) {}
	return l.next().text
}

// assign reads NAME = VALUE or PLACE = VALUE.
func (p *parser) assign(e *Expr) *Expr {
	e.Op = opAssign
	name := p.tok
	isNew := p.peek() == "=" && !strings.Contains(name.text, ".") && !isPlace(name.text) && name.text != "global"
	var target *Expr
	if isNew {
		if isReserved(name.text) || strings.ContainsAny(name.text, "/$-~+") {
			p.fail(name.off, "%v cannot name a value", name)
			return nil
		}
		if p.isLocal(name.text) {
			p.fail(name.off, "%s has a value already", name.text)
			return nil
		}
		target = &Expr{Op: opLocal, Name: name.text, Off: name.off}
		p.advance()
	} else if target = p.operand(); target == nil {
		return nil
	} else if op := target.Op; op != opField && op != opGlobal && op != opElem {
		p.fail(name.off, "%v cannot be assigned: a new name, a field or a global wanted", name)
		return nil
	}
	if !p.expect("=") {
		return nil
	}
	v := p.value()
	if v == nil {
		return nil
	}
	if isNew {
		p.scopes[len(p.scopes)-1].locals[name.text] = p.staticType(v)
	}
	target.Addr = !isNew
	e.X = []*Expr{target, v}
	return e
}

// flags reads modifiers that are among the allowed ones.
func (p *parser) flags(e *Expr, allowed ...string) bool {
	for p.tok.kind == tokWord && slices.Contains(allowed, p.tok.text) {
		w := p.tok.text
		switch {
		case w == "shared":
			e.Sub = uint8(ir.Shared)
		case w == "excl":
			e.Sub = uint8(ir.Exclusive)
		case slices.Contains(originKinds, w):
			e.Flags = e.Flags.WithOrigin(ir.OriginKind(slices.Index(originKinds, w)))
		case slices.Contains(orders, w):
			e.Order = ir.Order(slices.Index(orders, w))
		default:
			e.Flags |= flagWords[w]
		}
		p.advance()
	}
	if p.tok.kind == tokWord && !p.atEnd() {
		p.fail(p.tok.off, "unexpected %v: one of %s may follow, or ;", p.tok, strings.Join(allowed, ", "))
		return false
	}
	return true
}

// atEnd tells whether an effect can end before the token at hand.
func (p *parser) atEnd() bool {
	switch p.tok.kind {
	case tokEOF, tokNewline:
		return true
	case tokWord:
		return p.tok.text == "as"
	}
	switch p.tok.text {
	case ";", "}", "|", ",", ")":
		return true
	}
	return false
}

// enter guards against values nested without end.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.tok.off, "nested too deep")
		return false
	}
	return true
}

func (p *parser) isLocal(name string) bool {
	for _, s := range p.scopes {
		if _, ok := s.locals[name]; ok {
			return true
		}
	}
	return false
}

// isPlace tells whether a word is recv, args, last or argN.
func isPlace(s string) bool {
	return s == "recv" || s == "args" || s == "last" || argNumber(s) > 0
}

// argNumber returns N of argN, or 0.
func argNumber(s string) int {
	digits, ok := strings.CutPrefix(s, "arg")
	if !ok || !isDigits(digits) || digits[0] == '0' || len(digits) > 2 {
		return 0
	}
	n, _ := strconv.Atoi(digits)
	return n
}
