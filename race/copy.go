package race

import (
	"slices"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
)

// resultOf copies a result into plain data.
func resultOf(res *driver.Result) *Result {
	out := &Result{Entries: slices.Clone(res.Entries)}
	for i := range res.Findings {
		out.Findings = append(out.Findings, findingOf(&res.Findings[i]))
	}
	for _, l := range res.Limits {
		out.Limits = append(out.Limits, Limit{l.Kind, l.Text, l.Count, l.Symbol, positionOf(l.Example)})
	}
	for _, s := range res.NotAnalysed {
		out.NotAnalysed = append(out.NotAnalysed, Skipped{s.Path, s.Reason, positionOf(s.Place)})
	}
	return out
}

func findingOf(f *detect.Finding) Finding {
	out := Finding{
		Rule:        f.Rule,
		Confidence:  f.Confidence.String(),
		Fingerprint: f.Fingerprint,
		What:        f.What,
		Type:        f.Type,
		First:       accessOf(&f.First),
		Second:      accessOf(&f.Second),
		Fix:         f.Fix,
	}
	for _, r := range f.Reasons {
		out.Reasons = append(out.Reasons, Reason{r.Kind, r.Text, positionOf(r.Place)})
	}
	return out
}

func accessOf(a *detect.Access) Access {
	out := Access{
		Kind:     a.Kind.String(),
		Position: positionOf(a.Place),
		Function: a.Function,
		Origin:   Origin{a.Origin.Kind, a.Origin.Name, positionOf(a.Origin.Start), a.Origin.Many},
	}
	for _, l := range a.Locks {
		out.Locks = append(out.Locks, Lock{l.Name, l.Shared, positionOf(l.Place)})
	}
	for _, f := range a.Trace {
		out.Trace = append(out.Trace, Frame{f.Function, positionOf(f.Place)})
	}
	return out
}

func positionOf(p detect.Place) Position {
	if !p.IsValid() {
		return Position{}
	}
	return Position{p.File, p.Line, p.Col}
}
