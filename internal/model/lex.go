package model

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the class of a token.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokNewline
	tokWord  // a keyword, name, path or symbol
	tokInt   // digits
	tokPunct // one of ( ) [ ] { } , ; = | & * and the two below
	tokDots  // ...
	tokArrow // <-
)

type token struct {
	kind   tokenKind
	text   string
	indent bool // of the first token of a line: something precedes it
	off    int
}

func (t token) String() string {
	switch t.kind {
	case tokEOF:
		return "end of file"
	case tokNewline:
		return "end of line"
	}
	return fmt.Sprintf("%q", t.text)
}

// lexer splits a model file into tokens. A line goes on with the next one after
// a comma, semicolon, equals sign or bar, and within brackets.
type lexer struct {
	src   string
	off   int
	depth int   // of open brackets
	last  token // the one before, to tell whether a line goes on
	fail  func(off int, format string, args ...any)
}

const punctuation = "()[]{},;=|&*"

func (l *lexer) next() token {
	t := l.scan()
	switch t.text {
	case "(", "[", "{":
		l.depth++
	case ")", "]", "}":
		l.depth = max(l.depth-1, 0)
	}
	l.last = t
	return t
}

// goesOn tells whether the end of a line here is not the end of a row.
func (l *lexer) goesOn() bool {
	switch l.last.text {
	case ",", ";", "=", "|":
		return true
	}
	return l.depth > 0
}

func (l *lexer) scan() token {
	for l.off < len(l.src) {
		switch c := l.src[l.off]; {
		case c == '#':
			l.skipLine()
		case c == '\n' && !l.goesOn():
			l.off++
			if l.last.kind == tokNewline || l.last.kind == tokEOF {
				continue // blank line
			}
			return token{kind: tokNewline, off: l.off - 1}
		case c == ' ', c == '\t', c == '\r', c == '\n':
			l.off++
		default:
			return l.scanToken(c)
		}
	}
	if l.last.kind != tokNewline && l.last.kind != tokEOF {
		return token{kind: tokNewline, off: l.off}
	}
	return token{kind: tokEOF, off: l.off}
}

func (l *lexer) scanToken(c byte) token {
	t := token{off: l.off, indent: l.off > 0 && l.src[l.off-1] != '\n'}
	rest := l.src[l.off:]
	switch {
	case strings.HasPrefix(rest, "..."):
		t.kind, t.text = tokDots, "..."
	case strings.HasPrefix(rest, "<init>"), strings.HasPrefix(rest, "<clinit>"):
		t.kind, t.text = tokWord, rest[:strings.IndexByte(rest, '>')+1]
	case strings.HasPrefix(rest, "<-"):
		t.kind, t.text = tokArrow, "<-"
	case strings.IndexByte(punctuation, c) >= 0:
		t.kind, t.text = tokPunct, rest[:1]
	default:
		if n := wordLen(rest); n > 0 {
			t.kind, t.text = tokWord, rest[:n]
			if isDigits(t.text) {
				t.kind = tokInt
			}
			break
		}
		_, size := utf8.DecodeRuneInString(rest)
		l.fail(l.off, "unexpected %q", rest[:size])
		l.off += size
		return l.scan()
	}
	l.off += len(t.text)
	return t
}

// wordLen returns the length of the word at the start of s. Words hold what
// occurs in import paths and class names.
func wordLen(s string) int {
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9', r == '_', r == '$', unicode.IsLetter(r):
		case strings.HasPrefix(s[i:], "..."):
			return i
		case r == '.', i > 0 && (r == '/' || r == '-' || r == '~' || r == '+'):
		default:
			return i
		}
	}
	return len(s)
}

func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.src[l.off:], '\n'); n >= 0 {
		l.off += n
	} else {
		l.off = len(l.src)
	}
}

// symbol returns the function symbol or pattern that begins at off: everything
// up to a space, comma, brace or the end of the line, but brackets in it may
// hold commas and spaces.
func (l *lexer) symbol(off int) token {
	end, depth := off, 0
loop:
	for end < len(l.src) {
		switch c := l.src[end]; c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '\n', '#', '{':
			break loop
		case ' ', '\t', '\r', ',', ';':
			if depth <= 0 {
				break loop
			}
		}
		end++
	}
	l.off = end
	l.last = token{kind: tokWord, text: strings.TrimRight(l.src[off:end], " \t\r"), off: off}
	return l.last
}
