package driver

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// planClass adds the program that a class starts, if it has a main method and
// was asked for.
func (r *run) planClass(i int) {
	part := r.parts[i]
	if part.main == ir.None || len(r.cfg.Java.Mains) > 0 && !slices.Contains(r.cfg.Java.Mains, part.path) {
		return
	}
	p := r.newProgram(i, rankCommand)
	p.calls = []entryCall{{unit: slices.Index(p.units, r.units[i]), fn: part.main}}
	r.programs = append(r.programs, p)
}

// coverClasses marks the classes of which some program reaches a method. All
// classes are in every program, so being in one says nothing.
func (r *run) coverClasses() {
	reached := map[string]bool{}
	for _, a := range r.analyses {
		for sym := range a.reached {
			reached[sym] = true
		}
	}
	for i, p := range r.parts {
		u := r.units[i]
		if !p.lazy || u == nil {
			continue
		}
		for k := range u.Funcs {
			if reached[u.Funcs[k].Symbol] {
				r.covered[p.path] = true
				break
			}
		}
	}
}
