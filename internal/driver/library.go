package driver

import (
	"fmt"
	"runtime/debug"
	"time"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/model"
	effects "github.com/deadheat/deadheat/internal/summary"
)

// libraryName stands for all targets together where a program has its own
// name.
const libraryName = "library"

// soundNote says what --sound did, and what it cannot do.
const soundNote = "sound: evidence, relevance, guesses about ownership and errors, channels as locks and reasons that lower confidence are turned off; " +
	"code without source or model and the bounds on summaries (limits dispatch and summary-bound) remain"

// handlers are methods that the standard library calls for many requests at
// once.
var handlers = map[string]bool{"ServeHTTP": true}

// library gives the library verdict: the targets' exported functions, without a
// program around them. In auto mode programs have a say in it: see joinFindings.
func (r *run) library() error {
	r.coverClasses()
	if r.cfg.Mode == ModeProgram {
		return nil
	}
	p := &program{name: libraryName}
	scope := map[string]bool{}
	for i, pkg := range r.parts {
		if r.units[i] == nil || pkg.variant != "" || pkg.kind == partTestMain {
			continue
		}
		p.units = append(p.units, r.units[i])
		if r.cfg.Mode == ModeLibrary && pkg.kind == partCommand {
			r.covered[pkg.path] = true // a command has no callers
		}
		// The packages of a Go program have other importers; the classes of a Java
		// program are its own.
		closed := r.covered[pkg.path] && r.units[i].Lang != ir.LangGo
		if pkg.target && pkg.kind != partCommand && (r.cfg.Mode == ModeLibrary || !closed) && r.res.Packages[i].Functions > 0 {
			scope[pkg.path] = true
		}
	}
	if len(scope) == 0 {
		return nil
	}
	for path := range scope {
		r.covered[path] = true
	}
	if r.cfg.Sound {
		r.res.Notes = append(r.res.Notes, soundNote)
	}
	start := time.Now()
	r.analyses = append(r.analyses, r.analyseLibrary(p, scope))
	r.timed("library", start)
	return r.ctx.Err()
}

func (r *run) analyseLibrary(p *program, scope map[string]bool) (a *analysis) {
	a = &analysis{run: r, program: p, reached: map[string]bool{}, unmodelled: map[string]int{}}
	defer func() {
		if what := recover(); what != nil {
			a.crash = &Crash{Program: p.name, What: fmt.Sprintf("library: %v", what), Stack: string(debug.Stack())}
		}
	}()
	key, keyed := r.libraryKey(p, scope)
	if keyed && a.loadLibrary(key) {
		r.res.Summaries.Functions = a.info.Functions
		return a
	}
	a.prog = link.Link(p.units, libraryPasses(r.models, p.units, scope))
	docs := documented(p.units)
	set, err := effects.Summarise(r.ctx, a.prog, effects.Config{
		InScope:    func(unit string) bool { return scope[unit] },
		Summarise:  r.summarised(scope),
		Documented: names(docs),
		Handlers:   handlers,
		Sound:      r.cfg.Sound,
		Cache:      r.summaryCache(),
		Jobs:       r.jobs(),
	})
	if err != nil {
		return a // interrupted: the run ends with the error of its context
	}
	r.res.Summaries = Summaries{set.Stats.Functions, set.Stats.Computed}
	a.findings = detect.Library(set, detect.LibraryConfig{
		InScope:    func(unit string) bool { return scope[unit] },
		Documented: docs,
		Handlers:   handlers,
		Lang:       language(p.units),
		Sound:      r.cfg.Sound,
	})
	a.info = Program{Name: p.name, Units: len(scope), Functions: set.Stats.Functions, Accesses: set.Stats.Accesses, Findings: len(a.findings)}
	var reached []string
	for _, s := range set.Funcs {
		a.reached[s.Symbol] = true
		reached = append(reached, s.Symbol)
	}
	for sym, n := range set.Stats.Unknown {
		a.unmodelled[sym] = n
	}
	a.takeLimits()
	a.libraryLimits(&set.Stats)
	a.prog = nil
	if keyed {
		a.storeLibrary(key, reached)
	}
	return a
}

// summarised tells whether functions of a unit are summarised when code in
// scope calls them. What the standard library does, models say.
func (r *run) summarised(scope map[string]bool) func(unit string) bool {
	std := map[string]bool{}
	for _, p := range r.parts {
		if p.standard {
			std[p.path] = true
		}
	}
	return func(unit string) bool { return scope[unit] || !std[unit] }
}

// libraryPasses are the passes for a library verdict: code in scope is analysed
// itself, even if a general row of the models stands for it in programs.
func libraryPasses(set *model.Set, units []*ir.Unit, scope map[string]bool) []link.Pass {
	p := set.NewPass()
	p.Classes = set.Hierarchy(units)
	p.Analyse = func(unit string) bool { return scope[unit] }
	return []link.Pass{{Name: "models", Unit: p.Unit, Body: p.Body}}
}

// documented finds the types whose documentation allows concurrent use.
func documented(units []*ir.Unit) map[string]detect.Documentation {
	out := map[string]detect.Documentation{}
	for _, u := range units {
		for _, a := range u.Annotations {
			if a.Target != "" && (a.Text == "concurrent" || a.Text == "concurrent with exceptions") {
				out[a.Target] = detect.Documentation{Place: placeOf(u, a.Pos), Qualified: a.Text != "concurrent"}
			}
		}
	}
	return out
}

// libraryLimits says what the summaries leave out.
func (a *analysis) libraryLimits(s *effects.Stats) {
	for _, l := range []struct {
		n    int
		kind string
		text string
	}{
		{s.Unresolved, "dispatch", "calls of interface methods with no implementation in scope, or too many; taken to do nothing"},
		{s.Truncated, "summary-bound", "functions whose summary reached a bound; what is beyond it is not looked at"},
	} {
		for k := range l.n {
			a.limits = append(a.limits, limitAt{kind: l.kind, text: l.text, place: detect.Place{Line: -k}})
		}
	}
}

func names(m map[string]detect.Documentation) map[string]bool {
	out := make(map[string]bool, len(m))
	for k := range m {
		out[k] = true
	}
	return out
}

// language is that of the units; there is one.
func language(units []*ir.Unit) ir.Lang {
	if len(units) == 0 {
		return ir.LangIR
	}
	return units[0].Lang
}
