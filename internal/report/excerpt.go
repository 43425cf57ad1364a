package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deadheat/deadheat/internal/detect"
)

const (
	tabWidth   = 4
	maxExcerpt = 160 // columns of a source line shown; generated code has longer ones
)

// excerpt returns the source line of pl with carets under its range, or nothing
// if there is no such line. Where only the line is known it has no carets. src is
// the whole file.
func excerpt(src []byte, pl detect.Place) block {
	raw, ok := lineOf(src, pl.Line)
	if ok && pl.Col == 0 {
		return wholeLine(raw, pl.Line)
	}
	if !ok || pl.Col < 1 || pl.Col > len(raw)+1 {
		return nil
	}
	end := pl.EndCol
	if pl.EndLine > pl.Line {
		end = len(raw) + 1
	}
	end = min(max(end, pl.Col+1), len(raw)+1)
	before := expand(raw[:pl.Col-1])
	marked := expand(raw[pl.Col-1 : max(end-1, pl.Col-1)])
	shown := before + marked + expand(raw[max(end-1, pl.Col-1):])
	// Common indentation says nothing when a single line is shown.
	lead := len(shown) - len(strings.TrimLeft(shown, " "))
	lead = min(lead, len(before))
	shown, before = shown[lead:], before[lead:]
	if columns(before) >= maxExcerpt {
		return nil
	}
	width := columns(strings.TrimRight(marked, " "))
	if columns(shown) > maxExcerpt {
		shown = cut(shown, maxExcerpt)
		width = min(width, maxExcerpt-columns(before))
	}
	gutter := fmt.Sprint(pl.Line)
	carets := strings.Repeat("^", max(1, width))
	var b block
	b.add(span{gutter + " | ", dim}, text(shown))
	b.add(span{strings.Repeat(" ", len(gutter)) + " | ", dim}, text(strings.Repeat(" ", columns(before))), span{carets, mark})
	return b
}

// wholeLine shows a line of which no part is marked.
func wholeLine(raw string, n int) block {
	shown := strings.TrimSpace(expand(raw))
	if shown == "" {
		return nil
	}
	if columns(shown) > maxExcerpt {
		shown = cut(shown, maxExcerpt)
	}
	var b block
	b.add(span{fmt.Sprint(n) + " | ", dim}, text(shown))
	return b
}

// lineOf returns the nth line of src, from 1, without its end.
func lineOf(src []byte, n int) (string, bool) {
	if n < 1 {
		return "", false
	}
	for ; n > 1; n-- {
		i := bytes.IndexByte(src, '\n')
		if i < 0 {
			return "", false
		}
		src = src[i+1:]
	}
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		src = src[:i]
	}
	return strings.TrimSuffix(string(src), "\r"), len(src) > 0
}

// expand replaces what would disturb the alignment or the terminal: tabs by
// spaces, control characters and invalid bytes by a mark.
func expand(s string) string {
	var sb strings.Builder
	for _, r := range s {
		switch {
		case r == '\t':
			sb.WriteString(strings.Repeat(" ", tabWidth))
		case r == utf8.RuneError || unicode.IsControl(r):
			sb.WriteRune('�')
		default:
			sb.WriteRune(r)
		}
	}
	return sb.String()
}
