package ir

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tokenKind is the class of a token; punctuation is its own class, by its
// first byte.
type tokenKind uint8

const (
	tokEOF     tokenKind = iota
	tokWord              // a symbol, keyword or name
	tokNumber            // starts with a digit, or with a minus and a digit
	tokString            // "…"
	tokLiteral           // '…', a constant's spelling that is not a word, number or string
	tokDots              // ...
	tokArrow             // <-
	tokPunct             // any other single byte
)

type token struct {
	kind  tokenKind
	punct byte // of tokPunct
	line  bool // is the first of its line
	glued bool // follows the token before it without a space
	off   int
	text  string // as written
}

// lexer splits text into tokens. Comments start with // and end with the line.
type lexer struct {
	src  string
	off  int
	fail func(off int, format string, args ...any)
}

// next returns the next token. It skips a byte that starts none after saying
// so through fail.
func (l *lexer) next() token {
	line, glued := l.off == 0, l.off > 0
	for l.off < len(l.src) {
		c := l.src[l.off]
		if c == '\n' {
			line = true
		} else if strings.HasPrefix(l.src[l.off:], "//") {
			end := strings.IndexByte(l.src[l.off:], '\n')
			if end < 0 {
				end = len(l.src) - l.off
			}
			l.off += end
			glued = false
			continue
		} else if c != ' ' && c != '\t' && c != '\r' {
			break
		}
		glued = false
		l.off++
	}
	t := token{line: line, glued: glued, off: l.off}
	if l.off == len(l.src) {
		t.line = true
		return t
	}
	t.kind = l.scan()
	t.text = l.src[t.off:l.off]
	if t.kind == tokPunct {
		t.punct = t.text[0]
	}
	return t
}

func (l *lexer) scan() tokenKind {
	rest := l.src[l.off:]
	switch c := rest[0]; {
	case c >= '0' && c <= '9':
		l.off += numberLen(rest)
		return tokNumber
	case c == '-' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		l.off += 1 + numberLen(rest[1:])
		return tokNumber
	case c == '"':
		l.off += l.quotedLen(rest)
		return tokString
	case c == '\'':
		l.off += l.quotedLen(rest)
		return tokLiteral
	case strings.HasPrefix(rest, "..."):
		l.off += 3
		return tokDots
	case strings.HasPrefix(rest, "<-"):
		l.off += 2
		return tokArrow
	}
	if n := wordLen(rest); n > 0 {
		l.off += n
		return tokWord
	}
	r, size := utf8.DecodeRuneInString(rest)
	if size > 1 || r < ' ' || r >= utf8.RuneSelf {
		l.fail(l.off, "unexpected character %q", rest[:size])
	}
	l.off += size
	return tokPunct
}

// numberLen returns the length of the number at the start of s: digits,
// letters, dots and underscores, with a sign only after an exponent mark.
func numberLen(s string) int {
	hex := strings.HasPrefix(s, "0x")
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '.' && strings.HasPrefix(s[i:], "..."):
			return i
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '.', c == '_':
		case c == '+' || c == '-':
			prev := s[i-1] | 0x20
			if !(prev == 'p' || prev == 'e' && !hex) || i+1 == len(s) || s[i+1] < '0' || s[i+1] > '9' {
				return i
			}
		default:
			return i
		}
	}
	return len(s)
}

// wordLen returns the length of the word at the start of s, or 0. A word starts
// with a letter or underscore. It may hold marks that occur in symbols, but
// does not end with one, so that a sentence's dot stays outside.
func wordLen(s string) int {
	end := 0
	for i, r := range s {
		switch {
		case r == '_' || r < utf8.RuneSelf && (r|0x20 >= 'a' && r|0x20 <= 'z') || r >= utf8.RuneSelf && unicode.IsLetter(r):
		case i > 0 && (r >= '0' && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r)):
		case i > 0 && r == '$':
		case i > 0 && (r == '.' || r == '/' || r == '-' || r == '+' || r == '~') && !strings.HasPrefix(s[i:], "//"):
			continue
		default:
			return end
		}
		end = i + utf8.RuneLen(r)
	}
	return end
}

// quotedLen returns the length of the quoted token at the start of s.
func (l *lexer) quotedLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			l.fail(l.off, "quote is not closed on its line")
			return i
		case s[0]:
			return i + 1
		}
	}
	l.fail(l.off, "quote is not closed")
	return len(s)
}

// isWord tells whether a name can be written without quotes.
func isWord(s string) bool { return s != "" && wordLen(s) == len(s) }

// isNumber tells whether a constant can be written as a number.
func isNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return digits != "" && digits[0] >= '0' && digits[0] <= '9' && numberLen(digits) == len(digits)
}

// quoteName returns a name as text spells it.
func quoteName(s string) string {
	if isWord(s) {
		return s
	}
	return strconv.Quote(s)
}

// quoteLiteral returns a constant's spelling as text spells it.
func quoteLiteral(s string) string {
	if isWord(s) || isNumber(s) {
		return s
	}
	if len(s) >= 2 && s[0] == '"' {
		if plain, err := strconv.Unquote(s); err == nil && strconv.Quote(plain) == s {
			return s
		}
	}
	q := strconv.Quote(s)
	q = strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
	return "'" + strings.ReplaceAll(q, "'", `\'`) + "'"
}

// unquoteLiteral is the inverse of quoteLiteral for a tokLiteral.
func unquoteLiteral(s string) (string, error) {
	if len(s) < 2 || s[len(s)-1] != '\'' {
		return "", fmt.Errorf("malformed literal %s", s)
	}
	var b strings.Builder
	for rest := s[1 : len(s)-1]; rest != ""; {
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '\'')
		if err != nil {
			return "", fmt.Errorf("malformed literal %s", s)
		}
		if r < utf8.RuneSelf || !multibyte {
			b.WriteByte(byte(r))
		} else {
			b.WriteRune(r)
		}
		rest = tail
	}
	return b.String(), nil
}
