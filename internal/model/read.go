package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// maxErrors bounds what Read says of one file.
const maxErrors = 20

// Error is a mistake in a model file.
type Error struct {
	At  Place
	Msg string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.At.File, e.At.Line, e.At.Col, e.Msg)
}

// Read reads a model file. The error, if any, joins all *Errors found; the rows
// without mistakes are returned all the same.
func Read(name, text string) ([]*Row, error) {
	r := &reader{name: name, defines: make(map[string]int)}
	r.parser = parser{src: text, fail: r.fail, defines: r.defines}
	r.lex = lexer{src: text, fail: r.fail}
	r.advance()
	r.file()
	if len(r.errs) > 0 {
		return r.rows, errors.Join(r.errs...)
	}
	return r.rows, nil
}

// reader reads lines; the parser in it reads effects.
type reader struct {
	parser
	name    string
	lines   []int // offsets of line starts, filled when first needed
	errs    []error
	rows    []*Row
	defines map[string]int // name → offset of its effects

	lang   ir.Lang
	kind   RowKind
	scopes []string
	seen   map[rowKey]*Row
}

// rowKey tells rows of one file apart.
type rowKey struct {
	lang           ir.Lang
	kind           RowKind
	scope, pattern string
}

func (r *reader) fail(off int, format string, args ...any) {
	r.failed = true
	if len(r.errs) == maxErrors {
		r.errs = append(r.errs, &Error{r.place(off), "too many mistakes; the rest is not shown"})
	}
	if len(r.errs) < maxErrors {
		r.errs = append(r.errs, &Error{r.place(off), fmt.Sprintf(format, args...)})
	}
}

func (r *reader) place(off int) Place {
	if r.lines == nil {
		r.lines = []int{0}
		for i := range len(r.src) {
			if r.src[i] == '\n' {
				r.lines = append(r.lines, i+1)
			}
		}
	}
	line, exact := slices.BinarySearch(r.lines, off)
	if !exact {
		line--
	}
	return Place{File: r.name, Line: line + 1, Col: off - r.lines[line] + 1}
}

func (r *reader) file() {
	for r.tok.kind != tokEOF {
		r.failed = false
		switch {
		case r.tok.kind == tokNewline:
		case r.tok.indent:
			r.row()
		case r.tok.kind == tokWord:
			r.header()
		default:
			r.fail(r.tok.off, "unexpected %v at the start of a line: rows are indented, other lines begin with one of %s", r.tok, wordsOf(WordHeader))
		}
		r.endLine()
	}
}

// endLine skips the rest of the line, which is a mistake unless there has been
// one already.
func (r *reader) endLine() {
	if r.tok.kind != tokNewline && r.tok.kind != tokEOF && !r.failed {
		r.fail(r.tok.off, "unexpected %v: end of line or ; wanted", r.tok)
	}
	for r.tok.kind != tokNewline && r.tok.kind != tokEOF {
		if r.failed {
			r.lex.depth = 0 // a bracket left open does not swallow the file
		}
		r.advance()
	}
	if r.tok.kind == tokNewline {
		r.advance()
	}
}

func (r *reader) header() {
	word := r.tok
	switch word.text {
	case "lang":
		r.advance()
		i := slices.Index(languages, r.tok.text)
		if i < 1 {
			r.fail(r.tok.off, "unknown language %v: one of go, java, c wanted", r.tok)
			return
		}
		r.lang, r.scopes, r.kind = ir.Lang(i), nil, RowFunc
		if r.lang == ir.LangC {
			r.scopes = []string{""}
		}
		r.advance()
	case "package", "class", "iface":
		r.scopeLine(word)
	case "function":
		r.function()
	case "value":
		r.values()
	case "annotated":
		r.annotated()
	case "define":
		r.define()
	default:
		r.fail(word.off, "unknown word %v at the start of a line: one of %s wanted, and rows are indented", word, wordsOf(WordHeader))
	}
}

func (r *reader) scopeLine(word token) {
	allowed := map[ir.Lang][]string{
		ir.LangGo:   {"package", "iface"},
		ir.LangJava: {"package", "class", "iface"},
	}[r.lang]
	if !slices.Contains(allowed, word.text) {
		switch r.lang {
		case ir.LangIR:
			r.fail(word.off, "%s before a lang line: say lang go, lang java or lang c first", word.text)
		default:
			r.fail(word.off, "%s has no meaning in lang %s: %s", word.text, languages[r.lang], allowedText(allowed))
		}
		r.scopes = nil
		return
	}
	r.kind, r.scopes = RowFunc, nil
	if word.text == "iface" && r.lang == ir.LangGo {
		r.kind = RowIface
	}
	for {
		r.advance()
		if r.tok.kind != tokWord {
			r.fail(r.tok.off, "unexpected %v: a name wanted after %s", r.tok, word.text)
			return
		}
		scope := r.tok.text
		r.advance()
		if r.tok.kind == tokDots && strings.HasSuffix(scope, "/") {
			scope += "..."
			r.advance()
		} else if word.text == "package" && r.lang == ir.LangJava {
			scope += packageMark
		}
		r.scopes = append(r.scopes, scope)
		if r.tok.text == "extends" && word.text == "class" {
			r.extends(scope)
			return
		}
		if r.tok.text != "," {
			return
		}
	}
}

// annotated reads the annotations whose methods the rows below are about.
func (r *reader) annotated() {
	r.kind, r.scopes = RowFunc, nil
	if r.lang != ir.LangJava {
		r.fail(r.tok.off, "annotated has a meaning in lang java only")
		return
	}
	for {
		r.advance()
		if r.tok.kind != tokWord {
			r.fail(r.tok.off, "unexpected %v: the simple name of an annotation wanted", r.tok)
			return
		}
		r.scopes = append(r.scopes, annotationMark+r.tok.text)
		r.advance()
		if r.tok.text != "," {
			return
		}
	}
}

// annotationMark begins the scope of rows for methods with an annotation.
const annotationMark = "@"

// extends reads what a class that models make up is below of.
func (r *reader) extends(class string) {
	row := &Row{Lang: r.lang, Kind: RowClass, Scope: class, At: r.place(r.tok.off)}
	if !isMadeUp(class) || len(r.scopes) > 1 {
		r.fail(r.tok.off, "%s cannot be made up: a single class whose last name begins with $ wanted", class)
		return
	}
	for {
		r.advance()
		if r.tok.kind != tokWord {
			r.fail(r.tok.off, "unexpected %v: a class wanted after extends", r.tok)
			return
		}
		row.Supers = append(row.Supers, r.tok.text)
		r.advance()
		if r.tok.text != "," {
			break
		}
	}
	r.rows = append(r.rows, row)
}

// values reads the types whose objects are values.
func (r *reader) values() {
	r.kind, r.scopes = RowFunc, nil
	if r.lang == ir.LangIR {
		r.fail(r.tok.off, "value before a lang line: say lang go, lang java or lang c first")
		return
	}
	for {
		r.advance()
		if r.tok.kind != tokWord {
			r.fail(r.tok.off, "unexpected %v: a type wanted after value", r.tok)
			return
		}
		r.rows = append(r.rows, &Row{Lang: r.lang, Kind: RowValue, Scope: r.tok.text, At: r.place(r.tok.off)})
		r.advance()
		if r.tok.text != "," {
			return
		}
	}
}

// function reads a line that says which method function values of an interface
// have.
func (r *reader) function() {
	if r.lang != ir.LangJava {
		r.fail(r.tok.off, "function has a meaning in lang java only")
		return
	}
	r.advance()
	name := r.tok
	if name.kind != tokWord {
		r.fail(name.off, "unexpected %v: an interface wanted after function", name)
		return
	}
	r.advance()
	row := &Row{Lang: r.lang, Kind: RowFunction, Scope: name.text, At: r.place(name.off), Method: &Method{Name: r.tok.text}}
	if r.tok.kind != tokWord {
		r.fail(r.tok.off, "unexpected %v: a method wanted, as in function java.lang.Runnable run()", r.tok)
		return
	}
	r.advance()
	r.begin(row, false)
	sig, _ := r.signature()
	if sig == nil {
		return
	}
	row.Method.Params = sig.Elems
	if len(sig.Results) > 0 {
		row.Method.Result = sig.Results[0]
	}
	row.Pattern = row.Method.key()
	r.rows = append(r.rows, row)
}

func allowedText(list []string) string {
	if len(list) == 0 {
		return "its rows follow the lang line"
	}
	return strings.Join(list, " or ") + " is allowed"
}

func (r *reader) define() {
	r.advance()
	name := r.tok
	if name.kind != tokWord || isReserved(name.text) || isPlace(name.text) || strings.ContainsAny(name.text, "./$") {
		r.fail(name.off, "%v cannot name a list of effects: a new word without dots wanted", name)
		return
	}
	if _, dup := r.defines[name.text]; dup {
		r.fail(name.off, "%s is defined twice", name.text)
		return
	}
	r.advance()
	start := r.tok.off
	r.begin(&Row{Lang: r.lang}, true)
	r.effects()
	r.defines[name.text] = start
}

// row reads one line of symbols and their effects.
func (r *reader) row() {
	if r.scopes == nil {
		r.fail(r.tok.off, "a row outside a package, class or iface: %s", scopeHint(r.lang))
		return
	}
	first := r.tok.off
	var names []token
	for {
		names = append(names, r.symbol())
		if r.tok.text != "," {
			break
		}
		r.advance()
		if r.tok.kind == tokNewline || r.tok.kind == tokEOF {
			r.fail(r.tok.off, "a name wanted after the comma")
			return
		}
	}
	proto := &Row{Lang: r.lang, Kind: r.kind, At: r.place(first)}
	for _, n := range names {
		row := *proto
		if !r.name1(&row, n) {
			return
		}
		if proto.Pattern == "" || proto.isMethod() { // a function stands for all: it has no receiver
			proto.Pattern, proto.Params = row.Pattern, row.Params
		}
	}
	if r.tok.kind == tokNewline && r.deeper(first) {
		r.advance()
	}
	if r.tok.kind == tokNewline || r.tok.kind == tokEOF {
		r.fail(r.tok.off, "no effect after the name: one of %s wanted", wordsOf(WordEffect, WordWhole))
		return
	}
	r.begin(proto, false)
	r.effects()
	if r.failed {
		return
	}
	r.addRows(proto, names)
}

// deeper tells whether the line after the one at hand is indented further than
// the row that begins at off: it holds the row's effects then.
func (r *reader) deeper(off int) bool {
	l := r.lex
	l.fail = func(int, string, ...any) {}
	next := l.next()
	return next.kind != tokEOF && r.column(next.off) > r.column(off)
}

func (r *reader) column(off int) int {
	return off - strings.LastIndexByte(r.src[:off], '\n')
}

func scopeHint(lang ir.Lang) string {
	if lang == ir.LangIR {
		return "begin with lang go, lang java or lang c"
	}
	return "say which one first"
}

// name1 takes the pattern and the type parameters out of a symbol.
func (r *reader) name1(row *Row, t token) bool {
	name := t.text
	if row.Lang == ir.LangJava {
		name = strings.ReplaceAll(name, " ", "")
	}
	for {
		open := strings.IndexByte(name, '[')
		if open < 0 || row.Lang != ir.LangGo {
			break
		}
		end := strings.IndexByte(name, ']')
		if end < open {
			r.fail(t.off, "brackets in %s are not closed", t.text)
			return false
		}
		for _, p := range strings.Split(name[open+1:end], ",") {
			p = strings.TrimSpace(p)
			if p == "" || strings.ContainsAny(p, "./* ") {
				r.fail(t.off, "%q in %s is not the name of a type parameter", p, t.text)
				return false
			}
			row.Params = append(row.Params, p)
		}
		name = name[:open] + name[end+1:]
	}
	if name == "" || strings.ContainsAny(name, " \t\"'`=|&") || strings.Count(name, "(") != strings.Count(name, ")") {
		r.fail(t.off, "%q is not a name: as in Println, (*Mutex).Lock, Time.Add, Print*", t.text)
		return false
	}
	row.Pattern = name
	return true
}

func (r *reader) addRows(proto *Row, names []token) {
	if r.seen == nil {
		r.seen = make(map[rowKey]*Row)
	}
	for _, scope := range r.scopes {
		for _, n := range names {
			row := *proto
			row.Params = nil
			r.name1(&row, n)
			row.Scope = scope
			row.At = r.place(n.off)
			if row.Entry != nil {
				row.Kind = RowEntry
			} else if strings.HasPrefix(scope, annotationMark) {
				r.fail(n.off, "only entry can be said of methods with an annotation")
				return
			}
			key := rowKey{row.Lang, row.Kind, row.Scope, row.Pattern}
			if old := r.seen[key]; old != nil {
				r.fail(n.off, "%s of %s has a row already, at line %d", row.Pattern, scope, old.At.Line)
				continue
			}
			r.seen[key] = &row
			r.rows = append(r.rows, &row)
		}
	}
}
