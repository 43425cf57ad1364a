package driver

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// joinFindings collects the findings of all programs, each defect once. The
// library verdict yields to what programs know of the same code.
func (r *run) joinFindings() {
	var library []detect.Finding
	var programs []detect.Found
	var reached []detect.Reach
	for _, a := range r.analyses {
		if a.program.name == libraryName {
			library = append(library, a.findings...)
			continue
		}
		for i, p := range a.program.all() {
			if a.crash == nil {
				reached = append(reached, detect.Reach{Program: p.name, Test: p.rank == rankTest, Symbols: a.reachedBy[i]})
			}
		}
		programs = append(programs, detect.Found{Programs: a.program.names(), Findings: a.findings})
	}
	r.res.Findings = detect.Reconcile(detect.Merge(programs), library, reached)
	report.Sort(r.res.Findings, report.Paths{Dir: filepath.ToSlash(r.dir)})
}

// limitAt is a limit with its place.
type limitAt struct {
	kind, text, symbol string
	place              detect.Place
}

// takeLimits keeps the limits that concern functions the program reaches.
// Others cannot have changed its verdict.
func (a *analysis) takeLimits() {
	seen := map[limitAt]bool{}
	add := func(l ir.Limit, place detect.Place) {
		at := limitAt{l.Kind, l.Text, l.Symbol, place}
		if !seen[at] {
			seen[at] = true
			a.limits = append(a.limits, at)
		}
	}
	called := func(sym string) bool { return sym == "" || a.reached[sym] || a.unmodelled[sym] > 0 }
	ofUnits := map[ir.Limit]bool{}
	for _, u := range a.program.units {
		for _, l := range u.Limits {
			ofUnits[l] = true
			if called(l.Symbol) {
				add(l, placeOf(u, l.Pos))
			}
		}
	}
	for _, l := range a.prog.Limits() {
		if !ofUnits[l] && called(l.Symbol) {
			add(l, detect.Place{})
		}
	}
}

// joinLimits counts limits by kind and text.
func (r *run) joinLimits() {
	type kind struct{ kind, text string }
	groups := map[kind]map[limitAt]bool{}
	calls := map[string]int{}
	for _, a := range r.analyses {
		for _, l := range a.limits {
			k := kind{l.kind, l.text}
			if groups[k] == nil {
				groups[k] = map[limitAt]bool{}
			}
			groups[k][l] = true
		}
		for sym, n := range a.unmodelled {
			calls[sym] = max(calls[sym], n)
		}
	}
	if len(r.missing) > 0 {
		r.res.Limits = append(r.res.Limits, report.Limit{Kind: "class", Count: len(r.missing), Symbol: r.missing[0],
			Text: "classes that are in none of the places given: add their jars with --classpath; what their methods do is not known"})
	}
	for k, set := range groups {
		first := slices.MinFunc(slices.Collect(maps.Keys(set)), func(a, b limitAt) int {
			return cmp.Or(strings.Compare(a.symbol, b.symbol), strings.Compare(a.place.File, b.place.File), cmp.Compare(a.place.Line, b.place.Line), cmp.Compare(a.place.Col, b.place.Col))
		})
		r.res.Limits = append(r.res.Limits, report.Limit{Kind: k.kind, Text: k.text, Count: len(set), Symbol: first.symbol, Example: first.place})
	}
	slices.SortFunc(r.res.Limits, func(a, b report.Limit) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text))
	})
	for sym, n := range calls {
		r.res.Unmodelled = append(r.res.Unmodelled, Callee{sym, n})
	}
	slices.SortFunc(r.res.Unmodelled, func(a, b Callee) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), strings.Compare(a.Symbol, b.Symbol))
	})
}

// count fills Stats.
func (r *run) count() {
	s := &r.res.Stats
	functions := map[string]bool{}
	for _, a := range r.analyses {
		maps.Copy(functions, a.reached)
		s.Origins += a.info.Origins
		s.Accesses += a.info.Accesses
	}
	s.Functions = len(functions)
	paths, targets := map[string]bool{}, map[string]bool{}
	for i, p := range r.parts {
		if r.units[i] == nil || !r.covered[p.path] || p.kind == partTestMain {
			continue
		}
		paths[p.path] = true
		if p.target {
			targets[p.path] = true
		}
	}
	s.Units, s.Packages = len(paths), len(targets)
	r.countReach()
}

// inScope tells whether the code of a unit is the user's own.
func (r *run) inScope(unit string) bool { return r.own[unit] }

// isNear tells whether a unit is of the module of a target: findings are placed in
// it, rather than where the target calls it.
func (r *run) isNear(unit string) bool { return r.near[unit] }

// countReach counts the functions of the targets, and those of them that some
// program reaches.
func (r *run) countReach() {
	reached := map[string]bool{}
	for _, a := range r.analyses {
		if a.program.name != libraryName {
			maps.Copy(reached, a.reached)
		}
	}
	seen := map[string]bool{}
	for i, p := range r.parts {
		if u := r.units[i]; u != nil && p.target && p.kind != partTestMain {
			for k := range u.Funcs {
				if f := &u.Funcs[k]; f.HasBody() && f.Flags&ir.FuncSynthetic == 0 && !seen[f.Symbol] {
					seen[f.Symbol] = true
					r.res.Reach.Of++
					if reached[f.Symbol] {
						r.res.Reach.Functions++
					}
				}
			}
		}
	}
}
