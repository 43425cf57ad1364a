package report

import (
	"fmt"
	"io"
	"reflect"
	"slices"
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
			blocks = append(blocks, t.whyLine(&a.Lines[i], len(a.Lines) > 1)...)
		}
		if b := t.whyPairs(a); len(b) > 0 {
			blocks = append(blocks, b)
		}
	}
	return t.writeBlocks(w, blocks)
}

// whyLine describes the accesses of a line: if there are two lines, those that
// may reach the same memory, else those of memory that others use. Where there
// are none of these, it describes all.
func (t *Text) whyLine(a *detect.LineAnswer, two bool) []block {
	where := line{{fmt.Sprintf("%s:%d", t.Paths.Show(a.Line.File), a.Line.Line), place}}
	if len(a.Accesses) == 0 {
		if a.Function != "" {
			where = append(where, text(" in "+a.Function))
		}
		return []block{{append(where, text(": "+t.Paths.sentence(a.Text)))}}
	}
	matters := func(acc detect.LineAccess) bool { return two && acc.Paired || !two && !acc.Alone }
	if !slices.ContainsFunc(a.Accesses, matters) {
		matters = func(detect.LineAccess) bool { return true }
	}
	var blocks []block
	var titles []line
	rest := 0
	for i := range a.Accesses {
		acc := &a.Accesses[i]
		if !matters(*acc) {
			rest++
			continue
		}
		title, body := t.whyAccess(acc)
		// What is said of a read and of a write at the same place is mostly the same.
		if n := len(blocks) - 1; n >= 0 && reflect.DeepEqual(blocks[n][1:], body) && reflect.DeepEqual(titles[n], title) {
			blocks[n][0] = append(line{blocks[n][0][0], text(": " + useWord(&a.Accesses[i-1].Use) + " and " + useWord(&acc.Use))}, title...)
			continue
		}
		head := append(line{{t.Paths.At(acc.Place), place}, text(": " + useWord(&acc.Use))}, title...)
		blocks = append(blocks, append(block{head}, body...))
		titles = append(titles, title)
	}
	if rest > 0 {
		s := fmt.Sprintf(": %s of memory that nobody else uses", plural(rest, "other access"))
		if two {
			s = fmt.Sprintf(": %s of other memory", plural(rest, "other access"))
		}
		blocks[len(blocks)-1] = append(blocks[len(blocks)-1], append(where, text(s)))
	}
	return blocks
}

func useWord(u *detect.Use) string {
	if u.Op != "" {
		return u.Op
	}
	return u.Kind.String()
}

// maxMemory is how many cells, and maxSharers how many origins, the text lists
// for an access.
const (
	maxMemory  = 4
	maxSharers = 6
)

// whyAccess says of what memory an access is, and what is known of it.
func (t *Text) whyAccess(a *detect.LineAccess) (title line, body block) {
	title = line{text(" of "), {a.What, strong}, text(" in " + a.Function)}
	if a.Library != "" {
		title = append(title, text(", made by "+a.Library))
	}
	var rows []line
	row := func(label, s string) { rows = append(rows, line{{label, dim}, text(s)}) }
	if len(a.Never) > 0 {
		row("never runs", t.Paths.sentence(a.Never))
	}
	label := "memory"
	for i, s := range t.memories(a.Memory) {
		if i == maxMemory {
			row("", "…")
			break
		}
		row(label, s)
		label = ""
	}
	if len(a.Memory) == 0 {
		row(label, "none that the analysis knows: the address is nil, or made by code that is not analysed")
	}
	rows = append(rows, t.sharers(a)...)
	rows = append(rows, t.contexts(a.Contexts)...)
	return title, columnsOf(rows, 2).indent(2)
}

// memories names the cells of an access, those of one object together.
func (t *Text) memories(list []detect.Memory) []string {
	var out []string
	for i := 0; i < len(list); {
		m := list[i]
		var names []string
		for ; i < len(list) && list[i].Object == m.Object && list[i].Several == m.Several; i++ {
			names = append(names, list[i].Name)
		}
		out = append(out, joinNames(names)+t.made(&m.Object, m.Several))
	}
	return out
}

// made says where an object comes from.
func (t *Text) made(o *detect.Object, several bool) string {
	if !o.Place.IsValid() {
		return ""
	}
	s := ", made at "
	if o.Kind == "global" || o.Kind == "variable" {
		s = ", declared at "
	}
	s += t.Paths.At(o.Place)
	if several {
		s += " (several objects)"
	}
	return s
}

func (t *Text) sharers(a *detect.LineAccess) []line {
	var rows []line
	label := "shared by"
	if a.Alone {
		label = "used by"
	}
	for i := range a.Sharers {
		if i == maxSharers {
			return append(rows, line{{"", dim}, text(fmt.Sprintf("… and %d more", len(a.Sharers)-maxSharers))})
		}
		s := t.sharer(&a.Sharers[i])
		switch {
		case a.Alone && a.Sharers[i].Origin.Many:
			s += ", each instance its own"
		case a.Alone && len(a.Sharers) == 1:
			s += " alone"
		}
		rows = append(rows, line{{label, dim}, text(s)})
		label = ""
	}
	return rows
}

func (t *Text) sharer(s *detect.Sharer) string {
	var b strings.Builder
	for _, sp := range t.originAt(&s.Origin) {
		b.WriteString(sp.text)
	}
	switch {
	case s.Reads && s.Writes:
		b.WriteString(" (reads, writes)")
	case s.Writes:
		b.WriteString(" (writes)")
	default:
		b.WriteString(" (reads)")
	}
	return b.String()
}

// contexts says what is held and owned in each origin, once for all where that
// makes no difference.
func (t *Text) contexts(list []detect.Context) []line {
	var texts []string
	origins := map[string][]string{}
	for i := range list {
		s := t.context(&list[i])
		if origins[s] == nil {
			texts = append(texts, s)
		}
		if name := originName(&list[i].Origin); !slices.Contains(origins[s], name) {
			origins[s] = append(origins[s], name)
		}
	}
	var rows []line
	label := "locks"
	for _, s := range texts {
		if len(texts) > 1 {
			s = strings.Join(origins[s], ", ") + ": " + s
		}
		rows = append(rows, line{{label, dim}, text(s)})
		label = ""
	}
	return rows
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

// isPlain tells whether it is so plain why a pair does not race that a count of
// such pairs will do: both only read or, if all accesses of a line's memory are
// asked for, one origin makes both.
func isPlain(p *detect.Pair, lines int) bool {
	return len(p.Verdicts) == 1 && (p.Verdicts[0].Kind == "reads" || lines == 1 && p.Verdicts[0].Kind == "one-origin")
}

// whyPairs lists the verdicts: races first, then what does not race and why.
func (t *Text) whyPairs(a *detect.Answer) block {
	var races, apart []*detect.Pair
	var sums []string
	counts := map[string]int{}
	for i := range a.Pairs {
		p := &a.Pairs[i]
		if p.Race {
			races = append(races, p)
			continue
		}
		if !isPlain(p, len(a.Lines)) {
			apart = append(apart, p)
			continue
		}
		s := t.verdict(&p.Verdicts[0])
		if counts[s]++; counts[s] == 1 {
			sums = append(sums, s)
		}
	}
	var b block
	if len(races) > 0 {
		b = append(b, line{{"race", alarm}})
		b = append(b, t.whyRaces(races).indent(2)...)
	}
	if len(apart) > 0 || len(sums) > 0 {
		b = append(b, line{{"no race", good}})
		b = append(b, t.whyApart(apart).indent(2)...)
		for _, s := range sums {
			b = append(b, line{text("  " + plural(counts[s], "other pair"))}, line{text("    " + s)})
		}
	}
	if len(b) == 0 && !slices.ContainsFunc(a.Lines, func(l detect.LineAnswer) bool { return len(l.Accesses) == 0 }) {
		s := "nothing else accesses the same memory"
		if len(a.Lines) > 1 {
			s = "the two lines never reach the same memory"
		}
		b = append(b, line{{"no race", good}}, line{text("  " + s)})
	}
	return b
}

// pairLine names the two sides of a pair.
func (t *Text) pairLine(p *detect.Pair) line {
	l := line{text(useWord(&p.First) + " of "), {p.What, strong}, text(" at "), {t.Paths.At(p.First.Place), place}, text(" and ")}
	if p.First == p.Second {
		return append(l, text("itself in another origin or instance"))
	}
	return append(l, text(useWord(&p.Second)+" at "), span{t.Paths.At(p.Second.Place), place}, text(" in "+p.Second.Function))
}

// whyRaces gives the reasons of races; those that differ in nothing but the
// accesses share them.
func (t *Text) whyRaces(pairs []*detect.Pair) block {
	var b, reasons block
	for _, p := range pairs {
		l := t.pairLine(p)
		f := p.Finding
		if f == nil {
			b = append(append(b, reasons...), append(l, text(": not reported, since none of the code is yours")))
			reasons = nil
			continue
		}
		l = append(l, text(fmt.Sprintf(": %s confidence", f.Confidence)))
		l = append(l, text(t.reportedAs(p)))
		next := t.raceReasons(f).indent(2)
		if !reflect.DeepEqual(next, reasons) {
			b = append(b, reasons...)
		}
		b, reasons = append(b, l), next
	}
	return append(b, reasons...)
}

// reportedAs says under which ID a race is found in a report.
func (t *Text) reportedAs(p *detect.Pair) string {
	if p.Reported == "" {
		return ", not reported: this memory has more accesses than are compared with each other"
	}
	id := prefix(p.Reported, minShortID)
	if p.Into[0].IsValid() {
		what := " with itself"
		if p.Into[0] != p.Into[1] {
			what = " and " + t.Paths.At(p.Into[1])
		}
		return ", folded into " + id + ", of " + t.Paths.At(p.Into[0]) + what
	}
	if p.Finding.Confidence == detect.Low {
		id += " with --confidence low only"
	}
	return ", reported as " + id
}

func (t *Text) raceReasons(f *detect.Finding) block {
	var rows []line
	for _, r := range f.Reasons {
		label, st := reasonLabel(r.Kind)
		s := r.Text
		if r.Place.IsValid() {
			s += " (" + t.Paths.At(r.Place) + ")"
		}
		rows = append(rows, line{{label, st}, text(s)})
	}
	return columnsOf(rows, 2)
}

// whyApart says why pairs do not race, once for pairs that follow each other.
func (t *Text) whyApart(pairs []*detect.Pair) block {
	var b, reasons block
	for _, p := range pairs {
		var next block
		for i := range p.Verdicts {
			next = append(next, line{text("  " + t.verdict(&p.Verdicts[i]))})
		}
		if !reflect.DeepEqual(next, reasons) {
			b = append(b, reasons...)
		}
		b, reasons = append(b, t.pairLine(p)), next
	}
	return append(b, reasons...)
}

func (t *Text) verdict(v *detect.Verdict) string {
	s := t.Paths.sentence(v.Text)
	if v.Rule != "" {
		s += " (" + v.Rule + ")"
	}
	return s
}

// plural counts things.
func plural(n int, noun string) string {
	stem, y := strings.CutSuffix(noun, "y")
	switch {
	case n == 1:
		return "1 " + noun
	case y:
		return fmt.Sprintf("%d %sies", n, stem)
	case strings.HasSuffix(noun, "s"):
		return fmt.Sprintf("%d %ses", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
