package driver

import (
	"slices"

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
	for _, w := range r.waivers {
		if r.coversFile(w.Place.File) {
			r.res.Comments = append(r.res.Comments, w)
		}
	}
	report.Suppress(r.res.Findings, r.res.Comments)
	r.res.Comments = slices.DeleteFunc(r.res.Comments, func(c report.Comment) bool { return c.Quiet && !c.Used })
}

// coversFile tells whether a class of a source file was analysed.
func (r *run) coversFile(file string) bool {
	if r.files == nil {
		r.files = map[string]bool{}
		for i, p := range r.parts {
			if u := r.units[i]; u != nil && r.own[p.path] && r.covered[p.path] {
				for k := range u.Files {
					r.files[u.Files[k].Path] = true
				}
			}
		}
	}
	return r.files[file]
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
