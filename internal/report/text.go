package report

import (
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Text writes findings for people.
type Text struct {
	Paths   Paths
	Sources func(file string) ([]byte, error) // nil: no source lines
	Color   bool
	Full    bool // every finding, every frame and every reason
	Lanes   int  // set the two sides beside each other on this many columns; 0: one under the other
}

// Write writes the findings of doc that count, or with Full all of them. Those
// compared with another revision are grouped by what became of them.
func (t *Text) Write(w io.Writer, doc *Document) error {
	ids := ShortIDs(doc.Findings)
	var blocks []block
	var fixed block
	for i := range doc.Findings {
		f := &doc.Findings[i]
		switch {
		case t.Full || f.Counts():
			blocks = append(blocks, t.finding(f, ids[i], doc.Baseline))
		case f.State == detect.Fixed:
			fixed = append(fixed, append(t.headline(f), span{"  " + ids[i], dim}))
		}
	}
	if doc.Base != nil && !t.Full {
		blocks = t.grouped(doc, blocks, fixed)
	}
	for i, b := range blocks {
		if i > 0 {
			b = append(block{nil}, b...)
		}
		if err := b.write(w, t.Color); err != nil {
			return err
		}
	}
	return nil
}

// grouped puts headings over what a comparison with another revision found.
func (t *Text) grouped(doc *Document, introduced []block, fixed block) []block {
	since := " since " + doc.Base.Revision
	heading := func(what string, n int, more string) block {
		return block{line{{what + more + ": ", strong}, {strconv.Itoa(n), strong}}}
	}
	var out []block
	if len(introduced) > 0 {
		out = append(out, heading("introduced", len(introduced), since))
		out = append(out, introduced...)
	}
	if len(fixed) > 0 {
		out = append(out, append(heading("fixed", len(fixed), since), fixed.indent(2)...))
	}
	if n := countState(doc, detect.Preexisting); n > 0 {
		out = append(out, heading("preexisting", n, ", not shown"))
	}
	return out
}

// finding lays one finding out: headline, sides, reasons.
func (t *Text) finding(f *detect.Finding, id string, accepted *Accepted) block {
	var b block
	b = append(b, t.headline(f))
	same := reflect.DeepEqual(f.First, f.Second)
	switch {
	case t.Lanes > 0 && !same:
		b = append(b, t.lanes(f).indent(2)...)
	default:
		kinds := max(columns(f.First.Word()), columns(f.Second.Word()))
		b = append(b, t.side(&f.First, kinds).indent(2)...)
		if !same {
			b = append(b, t.side(&f.Second, kinds).indent(2)...)
		}
	}
	b = append(b, t.reasons(f, id, accepted).indent(2)...)
	return b
}

func (t *Text) headline(f *detect.Finding) line {
	clash := " " + f.Clash() + " "
	against := []span{text(clash), text(f.Second.Word()), text(" at "), {t.Paths.At(f.Second.Place), place}}
	if f.First.Place == f.Second.Place {
		where := " in another instance"
		if f.First.Origin != f.Second.Origin {
			where = " in another origin"
		}
		against = []span{text(clash + "itself" + where)}
		if f.First.Word() != f.Second.Word() {
			against = []span{text(clash + f.Second.Word() + " at the same place" + where)}
		}
	}
	l := line{
		{t.Paths.At(f.First.Place), place}, text(": "),
		{f.Rule, alarm}, text(": "),
		text(f.First.Act() + " "), {f.What, strong},
	}
	l = append(l, against...)
	return append(l, text(" ("+f.Confidence.String()+")"))
}

// side is one access: what it does where, its source line, its origin and
// the way from there. kinds is the width of the column of access kinds.
func (t *Text) side(a *detect.Access, kinds int) block {
	var b block
	kind := a.Word()
	b.add(span{kind, strong}, text(strings.Repeat(" ", kinds-columns(kind)+2)),
		span{t.Paths.At(a.Place), place}, text(" in "+a.Function+", "), text(t.locks(a.Locks)))
	var body block
	if t.Sources != nil {
		if src, err := t.Sources(a.Place.File); err == nil {
			body = append(body, excerpt(src, a.Place)...)
		}
	}
	body = append(body, t.origin(&a.Origin))
	body = append(body, t.trace(a.Trace).indent(2)...)
	return append(b, body.indent(kinds+2)...)
}

func (t *Text) locks(held []detect.HeldLock) string {
	if len(held) == 0 {
		return "no lock held"
	}
	var names []string
	for _, l := range held {
		s := lockName(l)
		if l.Place.IsValid() {
			s += " since " + t.Paths.At(l.Place)
		}
		names = append(names, s)
	}
	return "holding " + strings.Join(names, ", ")
}

func lockName(l detect.HeldLock) string {
	if l.Name == "this" {
		l.Name = "the monitor of this" // as Java has it
	}
	switch {
	case l.Apart != "":
		return l.Name + " (" + l.Apart + ")"
	case l.Shared:
		return l.Name + " (shared)"
	}
	return l.Name
}

func (t *Text) origin(o *detect.OriginRef) line {
	l := line{{"by ", dim}, text(originName(o))}
	switch {
	case !o.Start.IsValid():
	case isEntry(o):
		l = append(l, span{", entered at ", dim}, text(t.Paths.At(o.Start)))
	default:
		l = append(l, span{", started at ", dim}, text(t.Paths.At(o.Start)))
	}
	return l
}

// isEntry tells whether nothing in the program spawns the origin.
func isEntry(o *detect.OriginRef) bool {
	switch o.Kind {
	case "main", "init", "test", "entry", "callers of":
		return true
	}
	return false
}

// originName names an origin without its place.
func originName(o *detect.OriginRef) string {
	s := o.Kind
	if o.Name != "" && o.Name != "main.main" && o.Name != o.Kind {
		s = strings.TrimSpace(s + " " + o.Name)
	}
	if o.Many {
		s += " (many)"
	}
	return s
}

// In the short form a trace of more frames than these loses its middle.
const (
	headFrames = 3
	tailFrames = 4
)

// trace lists the frames from the origin's entry to the access. A single frame
// repeats what the head of the side says and is left out.
func (t *Text) trace(frames []detect.Frame) block {
	if len(frames) < 2 {
		return nil
	}
	var rows []line
	for i, f := range frames {
		if !t.Full && len(frames) > headFrames+tailFrames+1 && i >= headFrames && i < len(frames)-tailFrames {
			if i == headFrames {
				n := len(frames) - headFrames - tailFrames
				rows = append(rows, line{{"… " + strconv.Itoa(n) + " more", dim}})
			}
			continue
		}
		rows = append(rows, line{text(f.Function), {t.Paths.At(f.Place), dim}})
	}
	return columnsOf(rows, 2)
}

// labels of the reasons that the short form shows, in its order. Of those that
// are not "every", the first says enough.
var shortReasons = []struct {
	kind  string
	every bool
}{
	{kind: "concurrent"},
	{kind: "same-memory"},
	{kind: "entries"},
	{kind: "lowers", every: true},
}

// reasonLabel is what stands before a reason of a kind.
func reasonLabel(kind string) (string, style) {
	switch kind {
	case "concurrent":
		return "concurrent", dim
	case "same-memory":
		return "same memory", dim
	case "no-common-lock":
		return "locks", dim
	case "lowers":
		return "doubt", doubt
	}
	return strings.ReplaceAll(kind, "-", " "), dim
}

func (t *Text) reasons(f *detect.Finding, id string, accepted *Accepted) block {
	var rows []line
	row := func(r detect.Reason) {
		label, st := reasonLabel(r.Kind)
		s := r.Text
		if r.Place.IsValid() {
			s += " (" + t.Paths.At(r.Place) + ")"
		}
		rows = append(rows, line{{label, st}, text(s)})
	}
	if t.Full {
		rows = append(rows, line{{"memory", dim}, text(t.object(f))})
		for _, r := range f.Reasons {
			row(r)
		}
	} else {
		for _, want := range shortReasons {
			for _, r := range f.Reasons {
				if r.Kind == want.kind {
					row(r)
					if !want.every {
						break
					}
				}
			}
		}
	}
	if f.Fix != "" {
		rows = append(rows, line{{"fix", good}, text(f.Fix)})
	}
	if sup := f.Suppression; sup != nil {
		rows = append(rows, line{{"suppressed", doubt}, text(sup.Reason + " (" + t.Paths.At(sup.Place) + ")")})
	}
	if f.State != detect.Uncompared && t.Full {
		state := f.State.String()
		if f.State == detect.Preexisting && accepted != nil {
			state += ", accepted in " + t.Paths.Show(accepted.File)
		}
		rows = append(rows, line{{"state", dim}, text(state)})
	}
	rows = append(rows, line{{"id", dim}, {id, dim}})
	return columnsOf(rows, 2)
}

// object describes the memory in one line.
func (t *Text) object(f *detect.Finding) string {
	s := f.What
	if f.Type != "" {
		s += " " + f.Type
	}
	var more []string
	if o := f.Object; o.Kind != "" {
		more = append(more, strings.TrimSpace(o.Kind+" "+o.Name))
	}
	if f.Object.Place.IsValid() {
		more = append(more, t.Paths.At(f.Object.Place))
	}
	if len(more) > 0 {
		s += " (" + strings.Join(more, ", ") + ")"
	}
	return s
}

const minShortID = 8

// ShortIDs returns for each finding the shortest prefix of its fingerprint, but
// no less than eight characters, that none of the others shares.
func ShortIDs(findings []detect.Finding) []string {
	n := minShortID
	for ; ; n++ {
		seen := map[string]string{}
		clash, longer := false, false
		for _, f := range findings {
			p := prefix(f.Fingerprint, n)
			if full, ok := seen[p]; ok && full != f.Fingerprint {
				clash = true
			}
			seen[p] = f.Fingerprint
			longer = longer || len(f.Fingerprint) > n
		}
		if !clash || !longer {
			break
		}
	}
	out := make([]string, len(findings))
	for i, f := range findings {
		out[i] = prefix(f.Fingerprint, n)
	}
	return out
}

func prefix(s string, n int) string { return s[:min(n, len(s))] }
