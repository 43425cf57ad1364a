package summary

import (
	"fmt"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Format spells a summary, one effect to a line, for tests and for people who
// want to know why.
func (s *Set) Format(f *Summary) string {
	p := &printer{t: s.Paths}
	p.linef("func %s", f.Key)
	for i := range f.Accesses {
		p.access(&f.Accesses[i])
	}
	if len(f.Acquires) > 0 {
		p.linef("\tacquires %s", p.held(f.Acquires))
	}
	if len(f.Releases) > 0 {
		p.linef("\treleases %s", p.paths(f.Releases))
	}
	for _, c := range f.Conditional {
		p.linef("\tacquires %s if r%d is %s", p.held(c.Acquires), c.Result, c.When)
	}
	for k, rs := range f.Returns {
		for _, r := range rs {
			p.linef("\treturns r%d: %s", k, p.ret(r))
		}
	}
	for _, st := range f.Stores {
		p.linef("\tstores %s in %s", p.t.String(st.Value), p.t.String(st.Place))
	}
	for _, k := range f.Publishes {
		p.linef("\tpublishes p%d", k)
	}
	for _, c := range f.Callbacks {
		p.linef("\tcalls back %s%s", p.t.String(c.Path), p.context(c.Locks, c.Released))
	}
	for _, e := range f.Evidence {
		p.linef("\tevidence %s %s %s", e.Kind, e.Owner, e.Field)
	}
	if len(f.Onces) > 0 {
		p.linef("\tonce of %s", p.paths(f.Onces))
	}
	if f.Signals {
		p.linef("\tsignals")
	}
	if f.Waits {
		p.linef("\twaits")
	}
	if f.Truncated {
		p.linef("\ttruncated")
	}
	return p.b.String()
}

type printer struct {
	t *Paths
	b strings.Builder
}

func (p *printer) linef(format string, args ...any) {
	fmt.Fprintf(&p.b, strings.TrimRight(format, " ")+"\n", args...)
}

func (p *printer) held(list []Held) string {
	var out []string
	for _, h := range list {
		s := p.t.String(h.Path)
		if h.Mode == ir.Shared {
			s += " shared"
		}
		if h.Once {
			s = "once " + s
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func (p *printer) paths(list []Path) string {
	var out []string
	for _, q := range list {
		out = append(out, p.t.String(q))
	}
	return strings.Join(out, ", ")
}

func (p *printer) context(locks []Held, released []Path) string {
	s := ""
	if len(locks) > 0 {
		s += " holding " + p.held(locks)
	}
	if len(released) > 0 {
		s += " released " + p.paths(released)
	}
	return s
}

func (p *printer) ret(r Return) string {
	switch {
	case r.Fresh:
		return "fresh"
	case r.Known:
		return "made here, known"
	case r.Closure != "":
		return "closure " + r.Closure + "(" + p.paths(r.Captures) + ")"
	case r.Path == NoPath:
		return "unknown"
	}
	return p.t.String(r.Path)
}

var kindNames = [...]string{"read", "write", "atomic read", "atomic write"}

var flagNames = [...]string{"modelled", "may hold", "waited", "before spawn", "copied", "removed", "element", "dispatched", "deferred", "after atomic", "entry copy", "waits before", "signals after", "lazy", "sometimes", "updates"}

func (p *printer) access(a *Access) {
	s := "\t" + kindNames[a.Kind] + " " + p.t.String(a.Path) + p.context(a.Locks, a.Released)
	if k := a.OwnedIf(p.t); k >= 0 {
		s += fmt.Sprintf(" owned if p%d", k)
	}
	for k, name := range flagNames {
		if a.Flags&(1<<k) != 0 {
			s += ", " + name
		}
	}
	if a.Origin != nil {
		s += fmt.Sprintf(" in origin of line %d", a.Origin.Pos.Line)
	}
	var lines []string
	for fr := a.Chain; fr != nil; fr = fr.Next {
		lines = append(lines, fmt.Sprint(fr.Pos.Line))
	}
	p.linef("%s", s+" at "+strings.Join(lines, ">"))
}
