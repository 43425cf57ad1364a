package jvm

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SourceSuppressions returns what a source file says: comments that begin with
// deadheat:, and in Java @SuppressWarnings and @SuppressFBWarnings, which class
// files may lack.
func SourceSuppressions(file string, src []byte) []Suppression {
	if !bytes.Contains(src, []byte(ownWord)) && !bytes.Contains(src, []byte("Warnings")) {
		return nil // most files
	}
	s := &sourceReader{text: string(src), line: 1, isJava: path.Ext(file) == ".java"}
	s.next()
	for s.kind != tokenEnd {
		if s.note() {
			s.next()
		}
	}
	return s.out
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenString
	tokenOther // one character
)

// sourceReader splits source into tokens and follows it as far as it must know
// what an annotation stands at: which classes are around, and where a
// declaration ends. Source that no compiler takes gives nonsense, but ends.
type sourceReader struct {
	text   string
	off    int
	line   int
	bol    int // offset of the line
	isJava bool

	kind tokenKind
	word string // of the token
	at   int    // offset of the token
	row  int    // line of the token
	col  int

	pkg     string
	last    string   // the token before
	pending string   // a class whose body has not begun
	classes []string // of each open brace: the class it is of, or ""

	open []*openSuppression
	out  []Suppression
}

// openSuppression is an annotation whose declaration has not ended.
type openSuppression struct {
	index  int // in out
	parens int
	braces int
	angles int    // of types
	field  bool   // it can still be one
	name   string // the word that was last, outside of parentheses
	called bool   // its parameters have been seen
	value  bool   // after = or in a body
}

// note follows one token and tells whether that is done with: if not, it went on
// to another one.
func (s *sourceReader) note() bool {
	switch {
	case s.kind == tokenWord && s.word == "package" && s.pkg == "":
		s.pkg = s.qualified()
	case s.kind == tokenWord && isClassWord(s.word) && s.last != ".":
		s.last = s.word
		s.declare()
		if s.next(); s.kind == tokenWord {
			s.pending = s.word
		}
		return false
	case s.kind == tokenOther && s.word == "@" && s.isJava:
		s.annotation()
		return false
	case s.kind == tokenOther && s.word == "{":
		s.classes = append(s.classes, s.pending)
		s.pending = ""
	case s.kind == tokenOther && s.word == "}" && len(s.classes) > 0:
		s.classes = s.classes[:len(s.classes)-1]
	}
	s.declare()
	s.last = s.word
	return true
}

func isClassWord(w string) bool {
	return w == "class" || w == "interface" || w == "enum" || w == "record"
}

// qualified reads the name with dots that comes next, and the token after it.
func (s *sourceReader) qualified() string {
	var b strings.Builder
	for s.next(); s.kind == tokenWord || s.kind == tokenOther && s.word == "."; s.next() {
		if s.kind == tokenWord && b.Len() > 0 && !strings.HasSuffix(b.String(), ".") {
			break
		}
		b.WriteString(s.word)
	}
	return b.String()
}

// annotation reads an annotation. The declaration it stands at begins behind it.
func (s *sourceReader) annotation() {
	line, col := s.row, s.col
	name := s.qualified()
	s.last = ""
	if name == "interface" { // @interface declares an annotation
		s.pending = s.word
		return
	}
	name = name[strings.LastIndexByte(name, '.')+1:]
	var words []string
	reason := ""
	if s.kind == tokenOther && s.word == "(" {
		key := ""
		for depth := 0; s.kind != tokenEnd; s.next() {
			switch {
			case s.kind == tokenString && key == "justification":
				reason += s.word
			case s.kind == tokenString:
				words = append(words, s.word)
			case s.kind == tokenWord:
				key = s.word
			case s.word == "(":
				depth++
			case s.word == ")":
				depth--
			}
			if depth == 0 {
				break
			}
		}
		s.next()
	}
	if name == "SuppressWarnings" || name == "SuppressFBWarnings" {
		s.suppress(name, words, reason, line, col)
	}
}

func (s *sourceReader) suppress(name string, words []string, reason string, line, col int) {
	rules, foreign, ok := meant(words)
	if !ok && (name == "SuppressWarnings" || len(words) > 0) {
		return
	}
	if reason == "" {
		reason = "@" + name
	}
	s.open = append(s.open, &openSuppression{index: len(s.out), field: true})
	s.out = append(s.out, Suppression{Rules: rules, Reason: reason, Line: line, Col: col, EndLine: line, Foreign: foreign || !ok})
}

// declare follows the declarations that annotations stand at by one token: they
// end with a semicolon or the brace of their body.
func (s *sourceReader) declare() {
	for i := 0; i < len(s.open); i++ {
		o := s.open[i]
		s.out[o.index].EndLine = max(s.out[o.index].EndLine, s.row)
		if s.step(o) {
			s.open = slices.Delete(s.open, i, i+1)
			i--
		}
	}
}

// step follows one declaration and tells whether it ends here.
func (s *sourceReader) step(o *openSuppression) bool {
	switch {
	case s.kind == tokenWord && o.parens == 0 && !o.value:
		o.name = s.word
		o.field = o.field && !isClassWord(s.word)
	case s.kind == tokenOther && !o.value && s.word == "<":
		o.angles++
	case s.kind == tokenOther && !o.value && s.word == ">":
		o.angles--
	}
	if s.kind != tokenOther {
		return false
	}
	switch s.word {
	case "(":
		o.called = o.called || !o.value
		o.parens++
	case ")":
		o.parens--
		return o.parens < 0 // of a parameter
	case "{":
		if !o.value {
			o.field = false
		}
		o.braces++
	case "}":
		o.braces--
		return o.braces < 0 || o.braces == 0 && !o.field
	case "=", ",", ";":
		if o.parens > 0 || o.braces > 0 || o.angles > 0 && !o.value {
			return false
		}
		if !o.value && !o.called && o.field {
			s.fieldNamed(o)
		}
		o.value = s.word == "=" || o.value && s.word != ","
		return s.word == ";"
	}
	return false
}

// fieldNamed makes an annotation one of a field of the class around it.
func (s *sourceReader) fieldNamed(o *openSuppression) {
	class := s.pkg
	for i, c := range s.classes {
		if c == "" {
			return // a variable of a method, or a field of a class without a name
		}
		if i > 0 {
			class += "$"
		} else if class != "" {
			class += "."
		}
		class += c
	}
	if o.name == "" || len(s.classes) == 0 {
		return
	}
	at := &s.out[o.index]
	if at.Symbol == "" {
		at.Symbol = class + "." + o.name
		return
	}
	more := *at // the second variable of one declaration
	more.Symbol = class + "." + o.name
	s.out = append(s.out, more)
}

// next reads a token, and notes the comments before it.
func (s *sourceReader) next() {
	for s.off < len(s.text) {
		c := s.text[s.off]
		switch {
		case c == '\n':
			s.newline()
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			s.off++
		case strings.HasPrefix(s.text[s.off:], "//"):
			end := strings.IndexByte(s.text[s.off:], '\n')
			if end < 0 {
				end = len(s.text) - s.off
			}
			s.comment(s.text[s.off+2 : s.off+end])
			s.off += end
		case strings.HasPrefix(s.text[s.off:], "/*"):
			s.blockComment()
		default:
			s.token(c)
			return
		}
	}
	s.kind, s.word, s.at, s.row, s.col = tokenEnd, "", s.off, s.line, s.off-s.bol+1
}

func (s *sourceReader) newline() {
	s.off++
	s.line++
	s.bol = s.off
}

// comment notes a comment, or a line of one, that begins at the offset.
func (s *sourceReader) comment(text string) {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "deadheat:") {
		s.out = append(s.out, Suppression{Comment: text, Line: s.line, Col: s.off - s.bol + 1})
	}
}

func (s *sourceReader) blockComment() {
	s.off += 2
	for s.off < len(s.text) {
		rest := s.text[s.off:]
		end, eol := strings.Index(rest, "*/"), strings.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if eol < 0 || end < eol {
			s.comment(strings.TrimLeft(rest[:end], " \t*"))
			s.off += min(end+2, len(rest))
			return
		}
		s.comment(strings.TrimLeft(rest[:eol], " \t*"))
		s.off += eol
		s.newline()
	}
}

func (s *sourceReader) token(c byte) {
	s.at, s.row, s.col = s.off, s.line, s.off-s.bol+1
	switch r, size := utf8.DecodeRuneInString(s.text[s.off:]); {
	case strings.HasPrefix(s.text[s.off:], `"""`):
		s.kind = tokenString
		s.off += 3
		s.word = s.quoted(`"""`)
	case c == '"' || c == '\'':
		s.kind = tokenString
		s.off++
		s.word = s.quoted(string(c))
	case r == '_' || r == '$' || unicode.IsLetter(r):
		end := s.off + size
		for end < len(s.text) {
			r, size := utf8.DecodeRuneInString(s.text[end:])
			if r != '_' && r != '$' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				break
			}
			end += size
		}
		s.kind, s.word, s.off = tokenWord, s.text[s.off:end], end
	default:
		s.kind, s.word = tokenOther, s.text[s.off:s.off+size]
		s.off += size
	}
}

// quoted reads up to the closing quote, or the end of the line if the quote is
// one character: then it is not closed at all. Escapes are kept as they are.
func (s *sourceReader) quoted(quote string) string {
	start := s.off
	for s.off < len(s.text) {
		switch c := s.text[s.off]; {
		case strings.HasPrefix(s.text[s.off:], quote):
			s.off += len(quote)
			return s.text[start : s.off-len(quote)]
		case c == '\\' && s.off+1 < len(s.text) && s.text[s.off+1] != '\n':
			s.off += 2
		case c == '\n' && len(quote) == 1:
			return s.text[start:s.off]
		case c == '\n':
			s.newline()
		default:
			s.off++
		}
	}
	return s.text[start:s.off]
}
