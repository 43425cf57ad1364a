package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteWhy writes the answers to a question about one or two lines.
func (t *Text) WriteWhy(w io.Writer, programs []Inspected[detect.Answer]) error {
	var blocks []block
	for _, p := range programs {
		if len(programs) > 1 {
			blocks = append(blocks, block{programLine(p.Names)})
		}
		a := &p.Answer
		for i := range a.Lines {
			blocks = append(blocks, t.whyLine(&a.Lines[i])...)
		}
		if b := t.whyPairs(a); len(b) > 0 {
			blocks = append(blocks, b)
		}
	}
	return t.writeBlocks(w, blocks)
}

func (t *Text) whyLine(a *detect.LineAnswer) []block {
	if len(a.Accesses) == 0 {
		l := line{{fmt.Sprintf("%s:%d", t.Paths.Show(a.Line.File), a.Line.Line), place}}
		if a.Function != "" {
			l = append(l, text(" in "+a.Function))
		}
		return []block{{append(l, text(": "+t.Paths.sentence(a.Text)))}}
	}
	var blocks []block
	for i := range a.Accesses {
		blocks = append(blocks, t.whyAccess(&a.Accesses[i]))
	}
	return blocks
}

// maxMemory is how many cells, and maxSharers how many origins, the text lists
// for an access.
const (
	maxMemory  = 4
	maxSharers = 6
)

func (t *Text) whyAccess(a *detect.LineAccess) block {
	var b block
	l := line{{t.Paths.At(a.Place), place}, text(": " + a.Kind.String() + " of "), {a.What, strong}, text(" in " + a.Function)}
	if a.Library != "" {
		l = append(l, text(", made by "+a.Library))
	}
	b = append(b, l)
	var rows []line
	row := func(label, s string) { rows = append(rows, line{{label, dim}, text(s)}) }
	if len(a.Never) > 0 {
		row("never runs", t.Paths.sentence(a.Never))
	}
	label := "memory"
	for i, m := range a.Memory {
		if i == maxMemory {
			row("", fmt.Sprintf("… and %d more", len(a.Memory)-maxMemory))
			break
		}
		s := m.Name
		if m.Object.Place.IsValid() {
			s += ", " + madeWord(&m.Object, m.Several) + " at " + t.Paths.At(m.Object.Place)
		}
		row(label, s)
		label = ""
	}
	if len(a.Memory) == 0 {
		row(label, "none that the analysis knows: the address is nil, or made by code that is not analysed")
	}
	label = "shared by"
	for i, s := range a.Sharers {
		if i == maxSharers {
			row("", fmt.Sprintf("… and %d more", len(a.Sharers)-maxSharers))
			break
		}
		row(label, t.sharer(&s))
		label = ""
	}
	if len(a.Sharers) == 1 && !a.Sharers[0].Origin.Many {
		rows[len(rows)-1][0].text = "used by"
		rows[len(rows)-1][1].text += " alone"
	}
	rows = append(rows, t.contexts(a.Contexts)...)
	return append(b, columnsOf(rows, 2).indent(2)...)
}

func (t *Text) sharer(s *detect.Sharer) string {
	var head strings.Builder
	for _, sp := range t.originAt(&s.Origin) {
		head.WriteString(sp.text)
	}
	switch {
	case s.Reads && s.Writes:
		head.WriteString(" (reads, writes)")
	case s.Writes:
		head.WriteString(" (writes)")
	default:
		head.WriteString(" (reads)")
	}
	return head.String()
}

// contexts says what is held and owned in each origin, once for all where that
// makes no difference.
func (t *Text) contexts(list []detect.Context) []line {
	var texts []string
	var origins [][]string
	for _, c := range list {
		s := t.context(&c)
		name := originName(&c.Origin)
		found := false
		for i := range texts {
			if texts[i] == s {
				found = true
				origins[i] = append(origins[i], name)
			}
		}
		if !found {
			texts = append(texts, s)
			origins = append(origins, []string{name})
		}
	}
	var rows []line
	label := "locks"
	for i, s := range texts {
		if len(texts) > 1 {
			s = strings.Join(unique(origins[i]), ", ") + ": " + s
		}
		rows = append(rows, line{{label, dim}, text(s)})
		label = ""
	}
	return rows
}

func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if len(out) == 0 || out[len(out)-1] != s {
			out = append(out, s)
		}
	}
	return out
}

func (t *Text) context(c *detect.Context) string {
	s := t.locks(c.Locks)
	if len(c.Maybe) > 0 {
		var names []string
		for _, l := range c.Maybe {
			names = append(names, lockName(l))
		}
		s += "; on some ways also " + strings.Join(names, ", ")
	}
	if c.Owned {
		s += "; nobody else knows the object yet"
		if c.Until.IsValid() {
			s += " (until " + t.Paths.At(c.Until) + ")"
		}
	}
	return s
}

// whyPairs lists the verdicts: races first, then what does not race and why,
// with reads that only meet reads summed up.
func (t *Text) whyPairs(a *detect.Answer) block {
	var races, apart block
	reads := 0
	for i := range a.Pairs {
		p := &a.Pairs[i]
		switch {
		case p.Race:
			races = append(races, t.whyRace(p)...)
		case len(a.Lines) == 1 && len(p.Verdicts) == 1 && p.Verdicts[0].Kind == "reads":
			reads++
		default:
			apart = append(apart, t.whyApart(p)...)
		}
	}
	var b block
	if len(races) > 0 {
		b = append(b, line{{"race", alarm}})
		b = append(b, races.indent(2)...)
	}
	if len(apart) > 0 || reads > 0 {
		b = append(b, line{{"no race", good}})
		b = append(b, apart.indent(2)...)
		if reads > 0 {
			b = append(b, block{line{text(fmt.Sprintf("with %s of the same memory: neither side writes", plural(reads, "read")))}}.indent(2)...)
		}
	}
	if len(b) == 0 && len(a.Pairs) == 0 && hasAccesses(a) {
		b = append(b, line{{"no race: ", good}, text("there is no other access of the same memory")})
	}
	return b
}

func hasAccesses(a *detect.Answer) bool {
	for _, l := range a.Lines {
		if len(l.Accesses) == 0 {
			return false
		}
	}
	return true
}

// pairLine names the two sides of a pair.
func (t *Text) pairLine(p *detect.Pair) line {
	l := line{text(p.First.Kind.String() + " at "), {t.Paths.At(p.First.Place), place}, text(" and ")}
	if p.First == p.Second {
		return append(l, text("the same in another instance"))
	}
	return append(l, text(p.Second.Kind.String()+" at "), span{t.Paths.At(p.Second.Place), place})
}

func (t *Text) whyRace(p *detect.Pair) block {
	var b block
	l := t.pairLine(p)
	f := p.Finding
	if f == nil {
		return append(b, append(l, text(": not reported, since none of the code is yours")))
	}
	l = append(l, text(fmt.Sprintf(": %s confidence", f.Confidence)))
	if p.Reported != "" {
		l = append(l, text(", reported as "+prefix(p.Reported, minShortID)))
	}
	if f.Confidence == detect.Low {
		l = append(l, text(" with --confidence low only"))
	}
	b = append(b, l)
	var rows []line
	for _, r := range f.Reasons {
		label, st := reasonLabel(r.Kind)
		s := r.Text
		if r.Place.IsValid() {
			s += " (" + t.Paths.At(r.Place) + ")"
		}
		rows = append(rows, line{{label, st}, text(s)})
	}
	return append(b, columnsOf(rows, 2).indent(2)...)
}

func (t *Text) whyApart(p *detect.Pair) block {
	l := t.pairLine(p)
	if len(p.Verdicts) == 1 {
		return block{append(l, text(": "+t.verdict(&p.Verdicts[0])))}
	}
	b := block{append(l, text(", depending on who runs them:"))}
	for i := range p.Verdicts {
		b = append(b, line{text("  " + t.verdict(&p.Verdicts[i]))})
	}
	return b
}

func (t *Text) verdict(v *detect.Verdict) string {
	s := t.Paths.sentence(v.Text)
	if v.Rule != "" {
		s += " (" + v.Rule + ")"
	}
	return s
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
