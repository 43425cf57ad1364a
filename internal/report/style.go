package report

import (
	"io"
	"strings"
)

// A style is a role of text; the palette gives it a look.
type style uint8

const (
	plain  style = iota
	place        // where something is
	strong       // what must catch the eye
	alarm        // the rule of a finding
	mark         // carets under source
	dim          // what may be overlooked
	good         // a fix
	doubt        // what lowers confidence

	numStyles
)

// palette holds the SGR parameters of each style. The sixteen basic colours are
// used so that the user's own theme decides how they look.
var palette = [numStyles]string{
	place:  "1",
	strong: "1",
	alarm:  "1;31",
	mark:   "31",
	dim:    "2",
	good:   "32",
	doubt:  "33",
}

// A span is text of one style, without line breaks.
type span struct {
	text  string
	style style
}

// A line is one line of output.
type line []span

func text(s string) span { return span{s, plain} }

// A block is lines that belong together.
type block []line

func (b *block) add(spans ...span) { *b = append(*b, line(spans)) }

// indent returns b moved to the right.
func (b block) indent(n int) block {
	out := make(block, len(b))
	for i, l := range b {
		if len(l) == 0 {
			continue
		}
		out[i] = append(line{text(strings.Repeat(" ", n))}, l...)
	}
	return out
}

// beside sets other to the right of b, behind a rule. Lines are cut to width
// columns on each side.
func (b block) beside(other block, width int) block {
	out := make(block, max(len(b), len(other)))
	for i := range out {
		var left, right line
		if i < len(b) {
			left = b[i].cut(width)
		}
		if i < len(other) {
			right = other[i].cut(width)
		}
		out[i] = append(out[i], left...)
		out[i] = append(out[i], text(strings.Repeat(" ", width-left.width())), span{" │ ", dim})
		out[i] = append(out[i], right...)
	}
	return out
}

// columnsOf aligns the cells of each row under those of the row above. The last
// cell of a row is not padded.
func columnsOf(rows []line, gap int) block {
	var widths []int
	for _, r := range rows {
		for i := 0; i+1 < len(r); i++ {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columns(r[i].text))
		}
	}
	out := make(block, len(rows))
	for i, r := range rows {
		for j, s := range r {
			out[i] = append(out[i], s)
			if j+1 < len(r) {
				pad := widths[j] - columns(s.text) + gap
				out[i] = append(out[i], text(strings.Repeat(" ", pad)))
			}
		}
	}
	return out
}

// write writes b, with or without colours.
func (b block) write(w io.Writer, color bool) error {
	var sb strings.Builder
	for _, l := range b {
		var out strings.Builder
		for _, s := range l {
			if color && palette[s.style] != "" && s.text != "" {
				out.WriteString("\x1b[" + palette[s.style] + "m" + s.text + "\x1b[0m")
			} else {
				out.WriteString(s.text)
			}
		}
		sb.WriteString(strings.TrimRight(out.String(), " "))
		sb.WriteByte('\n')
	}
	_, err := io.WriteString(w, sb.String())
	return err
}
