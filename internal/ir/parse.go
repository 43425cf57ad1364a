package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxTypeDepth bounds how deep types nest, so that readers may recurse.
const maxTypeDepth = 500

// pendingIndex stands for the index of a field that text leaves to the
// definition of its struct, until all definitions have been read.
const pendingIndex = -2

// Parse reads a file that holds one unit. The result is in canonical form; it
// has not been checked. Errors have the form file:line:col: message.
func Parse(filename, src string) (*Unit, error) {
	units, err := ParseAll(filename, src)
	if err != nil {
		return nil, err
	}
	if len(units) != 1 {
		return nil, fmt.Errorf("%s:1:1: has %d units, want one", filename, len(units))
	}
	return units[0], nil
}

// ParseAll reads a file that holds any number of units, each of which starts
// with a unit line.
func ParseAll(filename, src string) ([]*Unit, error) {
	p := &parser{filename: filename, src: src}
	p.lex = lexer{src: src, fail: p.failAt}
	p.tok, p.after = p.lex.next(), p.lex.next()
	var units []*Unit
	for p.err == nil && p.tok.kind != tokEOF {
		units = append(units, p.unit())
	}
	if p.err != nil {
		return nil, p.err
	}
	return units, nil
}

type parser struct {
	filename string
	src      string
	lex      lexer
	tok      token // the current token
	after    token // the one after it
	err      error // the first error; from then on there are no more tokens

	b          *Builder
	typeParams []string // of the function or type being read
	depth      int      // of nested types
	refs       []funcUse
	body       bodyParser
}

// funcUse is a mention of a function of the same unit by symbol, to be resolved
// at the end of the unit.
type funcUse struct {
	symbol string
	off    int
	set    func(FuncID)
}

func (p *parser) failAt(off int, format string, args ...any) {
	if p.err != nil {
		return
	}
	before := p.src[:off]
	line := 1 + strings.Count(before, "\n")
	col := off - strings.LastIndexByte(before, '\n')
	p.err = fmt.Errorf("%s:%d:%d: %s", p.filename, line, col, fmt.Sprintf(format, args...))
	p.tok = token{kind: tokEOF, line: true, off: len(p.src)}
	p.after = p.tok
}

func (p *parser) fail(format string, args ...any) { p.failAt(p.tok.off, format, args...) }

func (p *parser) want(what string) {
	if p.tok.kind == tokEOF {
		p.fail("want %s, not the end of the file", what)
	} else {
		p.fail("want %s, not %s", what, p.tok.text)
	}
}

// advance takes the current token.
func (p *parser) advance() token {
	t := p.tok
	if p.err == nil {
		p.tok = p.after
		p.after = p.lex.next()
	}
	if p.err != nil { // by the lexer, perhaps
		p.tok = token{kind: tokEOF, line: true, off: len(p.src)}
		p.after = p.tok
	}
	return t
}

func (p *parser) at(punct byte) bool { return p.tok.punct == punct }

// got takes a punctuation mark if it is the current token.
func (p *parser) got(punct byte) bool {
	if p.tok.punct == punct {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(punct byte) {
	if !p.got(punct) {
		p.want(strconv.Quote(string(punct)))
	}
}

func (p *parser) atWord(word string) bool { return p.tok.kind == tokWord && p.tok.text == word }

func (p *parser) gotWord(word string) bool {
	if p.atWord(word) {
		p.advance()
		return true
	}
	return false
}

// name reads a symbol or name, quoted or not.
func (p *parser) name(what string) string {
	switch p.tok.kind {
	case tokWord:
		return p.advance().text
	case tokString:
		return p.quoted(what)
	}
	p.want(what)
	return ""
}

// quoted reads a string.
func (p *parser) quoted(what string) string {
	if p.tok.kind != tokString {
		p.want(what)
		return ""
	}
	s, err := strconv.Unquote(p.tok.text)
	if err != nil {
		p.fail("malformed string %s", p.tok.text)
	}
	p.advance()
	return s
}

func (p *parser) symbol(mark byte, what string) string {
	p.expect(mark)
	return p.name(what)
}

// number reads an integer that is not negative and fits into the given bits.
func (p *parser) number(bits int, what string) int64 {
	if p.tok.kind != tokNumber {
		p.want(what)
		return 0
	}
	n, err := strconv.ParseUint(p.tok.text, 10, bits-1)
	if err != nil {
		p.fail("want %s, not %s", what, p.tok.text)
	}
	p.advance()
	return int64(n)
}

// flags reads a list of words in brackets that follows a keyword at once.
func (p *parser) flags(names []string) uint32 {
	if !p.at('[') || !p.tok.glued {
		return 0
	}
	p.advance()
	var bits uint32
	for p.err == nil {
		bits |= p.flag(names)
		if !p.got(',') {
			break
		}
	}
	p.expect(']')
	return bits
}

func (p *parser) flag(names []string) uint32 {
	i := slices.Index(names, p.tok.text)
	if i < 0 {
		p.want("one of " + strings.Join(names, ", "))
		return 0
	}
	p.advance()
	return 1 << i
}

// names reads declared type parameters in brackets.
func (p *parser) names() []string {
	if !p.at('[') || p.after.kind != tokWord && p.after.kind != tokString {
		return nil
	}
	p.advance()
	var list []string
	for p.err == nil {
		list = append(list, p.name("a type parameter"))
		if !p.got(',') {
			break
		}
	}
	p.expect(']')
	return list
}

// pos reads a position after a semicolon, if there is one.
func (p *parser) pos() Pos {
	if !p.at(';') {
		return Pos{}
	}
	p.advance()
	if p.gotWord("_") {
		return Pos{}
	}
	var pos Pos
	if p.tok.kind == tokWord {
		n, ok := numbered('f', p.tok.text)
		if !ok {
			p.want("a position such as f0:12:3-9")
		}
		pos.File = FileID(n)
		p.advance()
		p.expect(':')
	}
	pos.Line = int32(p.number(32, "a line"))
	if !p.got(':') {
		return pos
	}
	pos.Col = int32(p.number(32, "a column"))
	if p.tok.kind != tokNumber || p.tok.text[0] != '-' {
		return pos
	}
	end := p.tok
	n, err := strconv.ParseUint(end.text[1:], 10, 31)
	if err != nil {
		p.want("an end line or column")
	}
	p.advance()
	if p.got(':') {
		pos.EndLine, pos.EndCol = int32(n), int32(p.number(32, "an end column"))
	} else {
		pos.EndLine, pos.EndCol = pos.Line, int32(n)
	}
	return pos
}

// numbered reads names such as v12, b3 and f0.
func numbered(prefix byte, s string) (int32, bool) {
	if len(s) < 2 || s[0] != prefix || s[1] == '0' && len(s) > 2 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:], 10, 29)
	return int32(n), err == nil
}

// endLine demands that a line ends here.
func (p *parser) endLine() {
	if !p.tok.line {
		p.want("the end of the line")
	}
}

func (p *parser) unit() *Unit {
	if !p.gotWord("unit") {
		p.want("a unit line")
		return nil
	}
	path := p.name("the unit's path")
	lang := LangIR
	if !p.tok.line {
		i := slices.Index(langNames, p.tok.text)
		if i < 0 {
			p.want("one of " + strings.Join(langNames, ", "))
		}
		lang = Lang(max(i, 0))
		p.advance()
	}
	p.endLine()
	p.b = NewBuilder(path, lang)
	p.refs = nil
	for p.tok.kind != tokEOF && !p.atWord("unit") {
		p.typeParams = nil
		p.declaration()
		p.endLine()
	}
	if p.err != nil {
		return nil
	}
	return p.finishUnit()
}

func (p *parser) declaration() {
	switch keyword := p.tok.text; keyword {
	case "file":
		p.advance()
		flags := p.flags(fileFlagNames)
		p.b.AddFile(File{Path: p.quoted("a quoted path"), Generated: flags&1 != 0, Test: flags&2 != 0})
	case "import":
		p.advance()
		p.b.AddImport(p.name("a unit's path"))
	case "init":
		p.advance()
		u := p.b.u
		p.useFunc(func(id FuncID) { u.Init = id })
	case "type":
		p.typeDecl()
	case "global":
		p.advance()
		g := Global{Flags: GlobalFlags(p.flags(globalFlagNames))}
		g.Symbol = p.symbol('$', "a global's symbol")
		g.Type = p.typ()
		g.Pos = p.pos()
		p.b.AddGlobal(g)
	case "func":
		p.function()
	case "alias":
		p.advance()
		a := Alias{Symbol: p.symbol('@', "a function's symbol")}
		a.Target = p.symbol('@', "a function's symbol")
		p.b.AddAlias(a)
	case "annotation":
		p.advance()
		a := Annotation{Target: p.name("a target"), Text: p.quoted("a quoted text")}
		a.Pos = p.pos()
		p.b.AddAnnotation(a)
	case "limit":
		p.advance()
		l := Limit{Kind: p.name("a kind"), Symbol: p.name("a symbol"), Text: p.quoted("a quoted text")}
		l.Pos = p.pos()
		p.b.AddLimit(l)
	default:
		p.want("a declaration")
	}
}

// useFunc reads the symbol of a function of this unit.
func (p *parser) useFunc(set func(FuncID)) {
	off := p.tok.off
	p.refs = append(p.refs, funcUse{p.symbol('@', "a function's symbol"), off, set})
}

func (p *parser) typeDecl() {
	p.advance()
	d := TypeDecl{Flags: TypeFlags(p.flags(typeFlagNames))}
	d.Symbol = p.name("a type's symbol")
	d.Params = p.names()
	p.typeParams = d.Params
	d.Underlying = p.typ()
	if !p.got('{') {
		d.Pos = p.pos()
		p.b.AddTypeDecl(d)
		return
	}
	d.Pos = p.pos()
	for p.err == nil && !p.at('}') {
		if p.gotWord("super") {
			d.Supers = append(d.Supers, p.typ())
		} else if p.gotWord("method") {
			flags := p.flags(methodFlagNames)
			m := MethodDecl{Name: p.name("a method's name"), Pointer: flags&1 != 0, Static: flags&2 != 0}
			m.Func = p.symbol('@', "a function's symbol")
			d.Methods = append(d.Methods, m)
		} else {
			p.want("super or method")
		}
		if !p.at('}') {
			p.endLine()
		}
	}
	p.expect('}')
	p.b.AddTypeDecl(d)
}

// finishUnit resolves what text may mention before it is defined.
func (p *parser) finishUnit() *Unit {
	u := p.b.u
	bySymbol := make(map[string]FuncID, len(u.Funcs))
	for i := len(u.Funcs) - 1; i >= 0; i-- {
		bySymbol[u.Funcs[i].Symbol] = FuncID(i)
	}
	for _, use := range p.refs {
		id, ok := bySymbol[use.symbol]
		if !ok {
			p.failAt(use.off, "function @%s is not defined in this unit", quoteName(use.symbol))
			return nil
		}
		use.set(id)
	}
	decls := u.declIndex()
	for i := range u.Fields {
		if f := &u.Fields[i]; f.Index == pendingIndex {
			f.Index = u.fieldIndex(decls, f.Struct, f.Name)
		}
	}
	return p.b.Finish()
}
