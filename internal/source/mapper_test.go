package source

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

func TestLines(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"a", []string{"a"}},
		{"a\n", []string{"a", ""}},
		{"\n\n", []string{"", "", ""}},
		{"a\r\nbc\r\n", []string{"a", "bc", ""}},
		{"a\r\nb\nc", []string{"a", "b", "c"}},
		{"a\rb\r\r\nc\r", []string{"a\rb\r", "c\r"}},
	}
	for _, tt := range tests {
		m := NewMapper([]byte(tt.text))
		var got []string
		for n := 1; n <= m.NumLines(); n++ {
			got = append(got, m.Line(n))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: lines %q, want %q", tt.text, got, tt.want)
		}
		for _, n := range []int{-1, 0, m.NumLines() + 1} {
			if got := m.Line(n); got != "" {
				t.Errorf("%q: line %d is %q", tt.text, n, got)
			}
		}
	}
}

func TestLineColAndOffset(t *testing.T) {
	const text = "ab\r\n\nç"
	m := NewMapper([]byte(text))
	want := [][2]int{{1, 1}, {1, 2}, {1, 3}, {1, 4}, {2, 1}, {3, 1}, {3, 2}, {3, 3}}
	for offset, w := range want {
		line, col := m.LineCol(offset)
		if line != w[0] || col != w[1] {
			t.Errorf("LineCol(%d) = %d:%d, want %d:%d", offset, line, col, w[0], w[1])
		}
		if got, ok := m.Offset(w[0], w[1]); !ok || got != offset {
			t.Errorf("Offset(%d, %d) = %d, %v, want %d", w[0], w[1], got, ok, offset)
		}
	}
	for _, offset := range []int{-1, len(text) + 1} {
		if line, col := m.LineCol(offset); line != 0 || col != 0 {
			t.Errorf("LineCol(%d) = %d:%d", offset, line, col)
		}
	}
	const huge = int(^uint(0) >> 1)
	for _, p := range [][2]int{{0, 1}, {-1, 1}, {4, 1}, {1, 0}, {1, -5}, {1, 5}, {2, 2}, {3, 4}, {huge, huge}, {3, huge}} {
		if got, ok := m.Offset(p[0], p[1]); ok {
			t.Errorf("Offset(%d, %d) = %d", p[0], p[1], got)
		}
	}
}

func TestUTF16(t *testing.T) {
	tests := []struct {
		text             string
		line, col, units int
		back             int // column which units stand for
	}{
		{"abc", 1, 1, 0, 1},
		{"abc", 1, 4, 3, 4},
		{"abc", 1, 9, 3, 4}, // past the end
		{"a\r\nb", 1, 3, 1, 2},
		{"çx", 1, 3, 1, 3},
		{"çx", 1, 2, 0, 1}, // within ç
		{"𝄞x", 1, 5, 2, 5},
		{"𝄞x", 1, 6, 3, 6},
		{"𝄞x", 1, 3, 0, 1}, // within 𝄞
		{"\n日本", 2, 7, 2, 7},
		{"a\xffb", 1, 3, 2, 3}, // not UTF-8
		{"a\xe6\x97", 1, 4, 3, 4},
		{"\uFEFFab", 1, 1, 0, 4}, // the editor's first column is after the mark
		{"\uFEFFab", 1, 4, 0, 4},
		{"\uFEFFab", 1, 5, 1, 5},
		{"\n\uFEFFab", 2, 4, 1, 4}, // an ordinary character elsewhere
		{"abc", 1, 0, 0, 1},        // column not known
		{"abc", 2, 1, 0, 0},        // no such line
		{"abc", 0, 1, 0, 0},
	}
	for _, tt := range tests {
		m := NewMapper([]byte(tt.text))
		if got := m.UTF16Col(tt.line, tt.col); got != tt.units {
			t.Errorf("%q: UTF16Col(%d, %d) = %d, want %d", tt.text, tt.line, tt.col, got, tt.units)
		}
		if got := m.ByteCol(tt.line, tt.units); got != tt.back {
			t.Errorf("%q: ByteCol(%d, %d) = %d, want %d", tt.text, tt.line, tt.units, got, tt.back)
		}
	}
	m := NewMapper([]byte("a𝄞b"))
	for units, want := range map[int]int{-3: 1, 2: 2, 9: 7} { // before, within the pair, past the end
		if got := m.ByteCol(1, units); got != want {
			t.Errorf("ByteCol(1, %d) = %d, want %d", units, got, want)
		}
	}
}

// randomText is made of pieces that matter to some conversion.
func randomText(rnd *rand.Rand) string {
	pieces := []string{"\n", "\r\n", "\r", "\t", "a", "foo", "ç", "日", "𝄞", "👩‍👩‍👧", "\uFEFF", "\u2028", "\xff", "\xe6\x97", "\x00"}
	var b strings.Builder
	for range rnd.IntN(40) {
		b.WriteString(pieces[rnd.IntN(len(pieces))])
	}
	return b.String()
}

// TestRandomText compares with the definitions, applied without any index.
func TestRandomText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		text := randomText(rnd)
		m := NewMapper([]byte(text))
		if err := checkMapper(m, text); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
}

func checkMapper(m *Mapper, text string) error {
	if m.NumLines() != strings.Count(text, "\n")+1 {
		return fmt.Errorf("%d lines", m.NumLines())
	}
	for offset := 0; offset <= len(text); offset++ {
		before := text[:offset]
		lineStart := strings.LastIndex(before, "\n") + 1
		wantLine, wantCol := strings.Count(before, "\n")+1, offset-lineStart+1
		line, col := m.LineCol(offset)
		if line != wantLine || col != wantCol {
			return fmt.Errorf("LineCol(%d) = %d:%d, want %d:%d", offset, line, col, wantLine, wantCol)
		}
		if back, ok := m.Offset(line, col); !ok || back != offset {
			return fmt.Errorf("Offset(%d, %d) = %d, %v, want %d", line, col, back, ok, offset)
		}

		content := m.Line(line)
		if !strings.HasPrefix(text[lineStart:], content) || strings.Contains(content, "\n") {
			return fmt.Errorf("Line(%d) = %q", line, content)
		}
		if col > len(content)+1 || !atCharacter(content, col-1) {
			continue
		}
		prefix := content[:col-1]
		if line == 1 {
			prefix = strings.TrimPrefix(prefix, byteOrderMark)
		}
		units := m.UTF16Col(line, col)
		if want := len(utf16.Encode([]rune(prefix))); units != want {
			return fmt.Errorf("UTF16Col(%d, %d) = %d, want %d", line, col, units, want)
		}
		// The two columns around a byte order mark are one to the editor.
		back := m.ByteCol(line, units)
		if hidden := offset == 0 && strings.HasPrefix(text, byteOrderMark); back != col && !hidden {
			return fmt.Errorf("ByteCol(%d, %d) = %d, want %d", line, units, back, col)
		}
	}
	return nil
}

// atCharacter tells whether a character of s begins or s ends at offset i.
func atCharacter(s string, i int) bool {
	at := 0
	for at < i {
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return at == i
}
