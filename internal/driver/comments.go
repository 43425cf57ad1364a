package driver

import (
	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// suppress applies the suppression comments of the user's packages. Those in
// packages that were not analysed say nothing about the findings there are.
func (r *run) suppress() {
	seen := map[detect.Place]bool{} // a package may be compiled more than once
	for i, p := range r.parts {
		u := r.units[i]
		if u == nil || !r.own[p.path] || !r.covered[p.path] {
			continue
		}
		for _, a := range u.Annotations {
			c, ok := report.ParseComment(a.Text, placeOf(u, a.Pos))
			if ok && !seen[c.Place] {
				seen[c.Place] = true
				r.res.Comments = append(r.res.Comments, c)
			}
		}
	}
	report.Suppress(r.res.Findings, r.res.Comments)
}

// listFunctions notes which functions the user's packages have, so that a
// renamed one can be told from one that is still there.
func (r *run) listFunctions() {
	r.res.Functions = report.Functions{}
	for i, p := range r.parts {
		u := r.units[i]
		if u == nil || !r.own[p.path] {
			continue
		}
		for k := range u.Funcs {
			if f := &u.Funcs[k]; f.HasBody() && f.Flags&ir.FuncSynthetic == 0 {
				r.res.Functions.Add(f.Symbol)
			}
		}
	}
}
