package report

import (
	"sort"
	"strings"
	"unicode"
)

// columns counts what s takes up on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

// runeColumns is 2 for characters that terminals draw twice as wide, 0 for those
// that are drawn over the one before, else 1. Characters whose width depends on
// the font or locale count as 1.
func runeColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	}
	i := sort.Search(len(wideRanges), func(i int) bool { return r <= wideRanges[i][1] })
	if i < len(wideRanges) && r >= wideRanges[i][0] {
		return 2
	}
	return 1
}

// wideRanges holds the characters that Unicode calls wide or full-width,
// joined over unassigned gaps.
var wideRanges = [...][2]rune{
	{0x1100, 0x115f},   // Hangul initial consonants
	{0x231a, 0x231b},   // watch, hourglass
	{0x2329, 0x232a},   // angle brackets
	{0x23e9, 0x23ec},   // player buttons
	{0x23f0, 0x23f0},   // alarm clock
	{0x23f3, 0x23f3},   // hourglass
	{0x25fd, 0x25fe},   // squares
	{0x2614, 0x2615},   // umbrella, hot beverage
	{0x2630, 0x2637},   // trigrams
	{0x2648, 0x2653},   // zodiac
	{0x267f, 0x267f},   // wheelchair
	{0x268a, 0x268f},   // digrams
	{0x2693, 0x2693},   // anchor
	{0x26a1, 0x26a1},   // high voltage
	{0x26aa, 0x26ab},   // circles
	{0x26bd, 0x26be},   // balls
	{0x26c4, 0x26c5},   // snowman, sun
	{0x26ce, 0x26ce},   // Ophiuchus
	{0x26d4, 0x26d4},   // no entry
	{0x26ea, 0x26ea},   // church
	{0x26f2, 0x26f3},   // fountain, golf
	{0x26f5, 0x26f5},   // sailing boat
	{0x26fa, 0x26fa},   // tent
	{0x26fd, 0x26fd},   // fuel pump
	{0x2705, 0x2705},   // check mark
	{0x270a, 0x270b},   // fists
	{0x2728, 0x2728},   // sparkles
	{0x274c, 0x274c},   // cross mark
	{0x274e, 0x274e},   // cross mark
	{0x2753, 0x2755},   // question marks
	{0x2757, 0x2757},   // exclamation mark
	{0x2795, 0x2797},   // plus, minus, division
	{0x27b0, 0x27b0},   // loop
	{0x27bf, 0x27bf},   // double loop
	{0x2b1b, 0x2b1c},   // squares
	{0x2b50, 0x2b50},   // star
	{0x2b55, 0x2b55},   // circle
	{0x2e80, 0x303e},   // radicals, CJK punctuation
	{0x3041, 0x33ff},   // kana, Bopomofo, compatibility
	{0x3400, 0x4dbf},   // ideographs, extension A
	{0x4dc0, 0x4dff},   // hexagrams
	{0x4e00, 0xa4cf},   // ideographs, Yi
	{0xa960, 0xa97f},   // Hangul, extended A
	{0xac00, 0xd7a3},   // Hangul syllables
	{0xf900, 0xfaff},   // compatibility ideographs
	{0xfe10, 0xfe19},   // vertical forms
	{0xfe30, 0xfe6f},   // compatibility forms
	{0xff01, 0xff60},   // full-width forms
	{0xffe0, 0xffe6},   // full-width signs
	{0x16fe0, 0x18aff}, // Tangut and others
	{0x1aff0, 0x1b2fb}, // kana, Nushu
	{0x1d300, 0x1d376}, // hexagrams
	{0x1f004, 0x1f004}, // mahjong
	{0x1f0cf, 0x1f0cf}, // joker
	{0x1f18e, 0x1f18e}, // AB
	{0x1f191, 0x1f19a}, // squared words
	{0x1f200, 0x1f320}, // enclosed ideographs, weather
	{0x1f32d, 0x1f335}, // food, plants
	{0x1f337, 0x1f37c},
	{0x1f37e, 0x1f393},
	{0x1f3a0, 0x1f3ca},
	{0x1f3cf, 0x1f3d3},
	{0x1f3e0, 0x1f3f0},
	{0x1f3f4, 0x1f3f4},
	{0x1f3f8, 0x1f43e},
	{0x1f440, 0x1f440},
	{0x1f442, 0x1f4fc},
	{0x1f4ff, 0x1f53d},
	{0x1f54b, 0x1f54e},
	{0x1f550, 0x1f567},
	{0x1f57a, 0x1f57a},
	{0x1f595, 0x1f596},
	{0x1f5a4, 0x1f5a4},
	{0x1f5fb, 0x1f64f},
	{0x1f680, 0x1f6c5},
	{0x1f6cc, 0x1f6cc},
	{0x1f6d0, 0x1f6d2},
	{0x1f6d5, 0x1f6df},
	{0x1f6eb, 0x1f6ec},
	{0x1f6f4, 0x1f6fc},
	{0x1f7e0, 0x1f7f0},
	{0x1f90c, 0x1f93a},
	{0x1f93c, 0x1f945},
	{0x1f947, 0x1f9ff},
	{0x1fa70, 0x1faff},
	{0x20000, 0x3fffd}, // ideographs, further extensions
}

// cut shortens s to at most n columns; what is lost is marked.
func cut(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	var b strings.Builder
	used := 1 // the mark
	for _, r := range s {
		if used += runeColumns(r); used > n {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}

// cutFront does so at the beginning: the end of a path says most.
func cutFront(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	if n < 1 {
		return ""
	}
	rest := []rune(s)
	for len(rest) > 0 && columns(string(rest)) > n-1 {
		rest = rest[1:]
	}
	return "…" + string(rest)
}

// width counts the columns of a line.
func (l line) width() int {
	n := 0
	for _, s := range l {
		n += columns(s.text)
	}
	return n
}

// cut shortens a line to at most n columns.
func (l line) cut(n int) line {
	if l.width() <= n {
		return l
	}
	var out line
	for _, s := range l {
		w := columns(s.text)
		if w > n || w == n && len(out)+1 < len(l) {
			return append(out, span{cut(s.text+" ", n), s.style})
		}
		out = append(out, s)
		n -= w
	}
	return out
}
