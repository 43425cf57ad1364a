package source

import (
	"bytes"
	"sort"
	"unicode/utf8"
)

// A Mapper converts between notations for places in one text. It is immutable.
type Mapper struct {
	text  []byte
	start []int // offset at which each line starts
}

// byteOrderMark is how U+FEFF, which some editors put first, looks in UTF-8.
const byteOrderMark = "\uFEFF"

// NewMapper returns a mapper for text, which it keeps and which must not
// change.
func NewMapper(text []byte) *Mapper {
	start := make([]int, 1, 1+bytes.Count(text, []byte{'\n'}))
	for i, b := range text {
		if b == '\n' {
			start = append(start, i+1)
		}
	}
	return &Mapper{text, start}
}

// NumLines returns the number of lines. A text that ends with "\n" has an empty
// last line, and an empty text has one line.
func (m *Mapper) NumLines() int { return len(m.start) }

// LineCol returns line and column of an offset; the end of the text has one
// too. It returns 0, 0 if the offset is outside.
func (m *Mapper) LineCol(offset int) (line, col int) {
	if offset < 0 || offset > len(m.text) {
		return 0, 0
	}
	line = sort.SearchInts(m.start, offset+1)
	return line, offset - m.start[line-1] + 1
}

// Offset returns the offset of a line and column, and whether there is such a
// place. The end of a line counts: its column is one more than the line's
// length, and with "\r\n" there are two such columns.
func (m *Mapper) Offset(line, col int) (int, bool) {
	if line < 1 || line > len(m.start) || col < 1 {
		return 0, false
	}
	last := len(m.text)
	if line < len(m.start) {
		last = m.start[line] - 1
	}
	first := m.start[line-1]
	if col-1 > last-first {
		return 0, false
	}
	return first + col - 1, true
}

// Line returns the text of a line without its end, or "" if there is no such
// line.
func (m *Mapper) Line(n int) string { return string(m.bytes(n)) }

func (m *Mapper) bytes(n int) []byte {
	if n < 1 || n > len(m.start) {
		return nil
	}
	if n == len(m.start) {
		return m.text[m.start[n-1]:]
	}
	return bytes.TrimSuffix(m.text[m.start[n-1]:m.start[n]-1], []byte{'\r'})
}

// UTF16Col returns the UTF-16 column of a column in bytes. Past the end of the
// line it is that of the end; it is 0 if there is no such line or the column is
// not known.
func (m *Mapper) UTF16Col(line, col int) int {
	units := 0
	m.scan(line, func(at, size, width int) bool {
		if col < at+size {
			return false
		}
		units += width
		return true
	})
	return units
}

// ByteCol returns the column in bytes of a UTF-16 column. Past the end of the
// line it is that of the end, as the protocol has it. It returns 0 if there is
// no such line.
func (m *Mapper) ByteCol(line, units int) int {
	if line < 1 || line > len(m.start) {
		return 0
	}
	col := 1
	m.scan(line, func(at, size, width int) bool {
		if units < width {
			return false
		}
		units -= width
		col = at + size
		return true
	})
	return col
}

// scan calls visit for each character of a line, with its column, its length
// in bytes and that in UTF-16 units, until it returns false.
func (m *Mapper) scan(n int, visit func(at, size, width int) bool) {
	line := m.bytes(n)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		width := 1
		switch {
		case r > 0xFFFF:
			width = 2
		case n == 1 && i == 0 && string(line[:size]) == byteOrderMark:
			width = 0
		}
		if !visit(i+1, size, width) {
			return
		}
		i += size
	}
}
