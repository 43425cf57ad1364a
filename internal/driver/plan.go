package driver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// program is a closed world to analyse: units, imports first, and what the
// runtime calls in them.
type program struct {
	name  string
	rank  int // commands before tests before entries named by the user
	units []*ir.Unit
	calls []entryCall
	lazy  bool // units are initialised when first used, not at the start
	// of are the programs that are analysed as this one, which begins with one of
	// them: their calls follow each other. Nil for others. See gather.
	of []*program
}

// entryCall is a function that the runtime calls.
type entryCall struct {
	unit    int // index of program.units
	fn      ir.FuncID
	spawn   bool // in an origin of its own, not awaited by what follows
	awaited bool // in an origin of its own, over before what follows
	open    bool // by any number of callers, on one object that all of them share
	any     bool // of an open call: by the callers that all such calls of the program have in common

	kind   ir.OriginKind // of a spawned call
	alone  bool          // of an open call: one caller at a time
	serial string        // the global that stands for the thread that makes the call, or ""
}

const (
	rankCommand = iota
	rankTest
	rankEntry
)

// plan finds the programs among the targets.
func (r *run) plan() error {
	if r.cfg.Mode == ModeLibrary {
		return nil
	}
	for i, p := range r.parts {
		if !p.target || r.units[i] == nil {
			continue
		}
		if p.lazy {
			r.planClass(i)
			continue
		}
		switch p.kind {
		case partCommand:
			r.planCommand(i)
		case partTestMain:
			r.planTests(i)
		}
	}
	for _, name := range r.cfg.Entries {
		if err := r.planEntry(name); err != nil {
			return err
		}
	}
	if err := r.planJava(); err != nil {
		return err
	}
	slices.SortStableFunc(r.programs, func(a, b *program) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name))
	})
	for _, p := range r.programs {
		for _, c := range p.calls {
			sym := p.units[c.unit].Funcs[c.fn].Symbol
			if !slices.Contains(r.res.Entries, sym) {
				r.res.Entries = append(r.res.Entries, sym)
			}
		}
	}
	return nil
}

// planCommand adds the program that begins with the main function of a
// package.
func (r *run) planCommand(i int) {
	p := r.newProgram(i, rankCommand)
	last := len(p.units) - 1
	main := findFunc(p.units[last], func(f *ir.Func) bool {
		return f.Symbol == p.units[last].Path+".main"
	})
	if len(main) > 0 {
		p.calls = []entryCall{{unit: last, fn: main[0]}}
		r.programs = append(r.programs, p)
	}
}

// planTests adds the program that runs the tests of a test binary: the tests
// are those of the packages compiled for it, beginning with the tested one.
func (r *run) planTests(i int) {
	p := r.newProgram(i, rankTest)
	tested := strings.TrimSuffix(r.parts[i].path, ".test")
	for k, u := range p.units {
		if u.Path != tested && u.Path != tested+"_test" {
			continue
		}
		for _, fn := range testFuncs(u) {
			p.calls = append(p.calls, entryCall{unit: k, fn: fn, spawn: isParallelTest(u, fn)})
		}
	}
	// TestMain runs before everything else, whichever package has it.
	slices.SortStableFunc(p.calls, func(a, b entryCall) int {
		return cmp.Compare(p.order(a), p.order(b))
	})
	for i := range p.calls {
		p.calls[i].awaited = len(p.calls) > 1 && p.order(p.calls[i]) == 1
	}
	if len(p.calls) > 0 {
		r.programs = append(r.programs, p)
	}
}

// together returns the same program with entry functions that are awaited run by
// the origin that calls them.
func (p *program) together() *program {
	q := *p
	q.calls = slices.Clone(p.calls)
	for i := range q.calls {
		q.calls[i].awaited = false
	}
	return &q
}

// order sorts the calls of a test binary: TestMain first, parallel tests last,
// since they wait for the others.
func (p *program) order(c entryCall) int {
	switch {
	case strings.HasSuffix(p.units[c.unit].Funcs[c.fn].Symbol, ".TestMain"):
		return 0
	case c.spawn:
		return 2
	}
	return 1
}

func testFuncs(u *ir.Unit) []ir.FuncID {
	return findFunc(u, func(f *ir.Func) bool { return f.Flags&ir.FuncTest != 0 })
}

// isParallelTest tells whether a test begins by giving the tests after it leave
// to run: it calls Parallel on its argument.
func isParallelTest(u *ir.Unit, fn ir.FuncID) bool {
	body, err := u.Body(fn)
	if err != nil || body == nil {
		return false
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpCall || u.FuncRefs[in.Aux].Symbol != "(*testing.T).Parallel" {
			continue
		}
		if args := body.Args(in); len(args) > 0 && args[0] == ir.RegValue(0) {
			return true
		}
	}
	return false
}

// planEntry adds a program that begins with a function, or with the exported
// functions of a package, that the user named.
func (r *run) planEntry(name string) error {
	for i, p := range r.parts {
		u := r.units[i]
		if u == nil || p.variant != "" || p.kind == partTestMain {
			continue
		}
		var found []ir.FuncID
		if p.path == name {
			found = findFunc(u, func(f *ir.Func) bool {
				return f.Flags&ir.FuncExported != 0 && len(f.TypeParams) == 0
			})
			if len(found) == 0 {
				return &UsageError{fmt.Errorf("--entry %s: the package has no exported function that is not generic", name)}
			}
		} else {
			found = findFunc(u, func(f *ir.Func) bool { return f.Symbol == name })
			if len(found) > 0 && len(u.Funcs[found[0]].TypeParams) > 0 {
				return &UsageError{fmt.Errorf("--entry %s: a generic function cannot be entered; name one that calls it", name)}
			}
		}
		if len(found) == 0 {
			continue
		}
		prog := r.newProgram(i, rankEntry)
		prog.name = name
		for _, fn := range found {
			prog.calls = append(prog.calls, entryCall{unit: slices.Index(prog.units, u), fn: fn})
		}
		r.programs = append(r.programs, prog)
		return nil
	}
	return &UsageError{fmt.Errorf("--entry %s: no such function or package among what was loaded; symbols look like example.com/p.F or (*example.com/p.T).M", name)}
}

// findFunc returns the functions with code that satisfy a condition.
func findFunc(u *ir.Unit, want func(*ir.Func) bool) []ir.FuncID {
	var out []ir.FuncID
	for i := range u.Funcs {
		if f := &u.Funcs[i]; f.HasBody() && want(f) {
			out = append(out, ir.FuncID(i))
		}
	}
	return out
}

// newProgram collects the units that a package depends on, the package last.
func (r *run) newProgram(i, rank int) *program {
	p := &program{name: r.parts[i].path, rank: rank, lazy: r.parts[i].lazy}
	if p.lazy {
		for _, u := range r.units {
			if u != nil {
				p.units = append(p.units, u)
			}
		}
		return p
	}
	need := make([]bool, len(r.parts))
	var visit func(id int32)
	visit = func(id int32) {
		if !need[id] {
			need[id] = true
			for _, imp := range r.parts[id].imports {
				visit(imp)
			}
		}
	}
	visit(int32(i))
	for id, u := range r.units {
		if need[id] && u != nil {
			p.units = append(p.units, u)
			r.covered[u.Path] = true
		}
	}
	return p
}

// coverage lists targets that no program contains. In program mode they are
// none of the user's business.
func (r *run) coverage() {
	if r.cfg.Mode == ModeProgram {
		return
	}
	for i, p := range r.parts {
		if !p.target || r.units[i] == nil || r.covered[p.path] || r.res.Packages[i].Functions == 0 {
			continue
		}
		r.skip(report.Skipped{Path: p.path, Reason: "no main, no test and no --entry reaches it"})
	}
}
