package driver

import (
	"math"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/ownership"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
	"github.com/deadheat/deadheat/internal/value"
)

// programStages take one program from units to findings. Each needs what those
// before it left in analysis; the last lets go of everything else.
var programStages = [...]struct {
	name string
	do   func(*analysis)
}{
	{"link", (*analysis).link},
	{"points-to", (*analysis).pointsTo},
	{"runs", (*analysis).countRuns},    // before sharing: it says which origins are many
	{"values", (*analysis).findValues}, // before sharing: code that never runs shares nothing
	{"sharing", (*analysis).share},
	{"locks", (*analysis).locks},
	{"order", (*analysis).order},
	{"owners", (*analysis).owners}, // after locks: it shares their paths
	{"detect", (*analysis).detect},
	{"account", (*analysis).account},
}

// analysis is one program on its way.
type analysis struct {
	run     *run
	program *program
	linked  *program // as it was linked: tests may be taken together

	prog  *link.Program
	facts detect.Facts
	large bool // holds run.large

	findings   []detect.Finding
	info       Program
	limits     []limitAt
	unmodelled map[string]int
	reached    map[string]bool   // symbols of functions with code
	reachedBy  []map[string]bool // the same for each program of program.all
	crash      *Crash
}

func (a *analysis) link() {
	a.linkAs(a.program)
	if len(a.program.of) > 0 {
		a.limits = append(a.limits, limitAt{kind: "gathered", symbol: a.program.name,
			text: "so large and so much alike that entry points are analysed as one program, which begins with one of them (--main tells them apart)"})
	}
}

func (a *analysis) linkAs(p *program) {
	a.linked = p
	units := p.linkable()
	a.prog = link.Link(units, a.run.passes(p, units))
}

func (a *analysis) pointsTo() {
	roots := func() []pointer.Root { // each solution numbers functions anew
		return []pointer.Root{{Func: a.prog.Lookup(entrySymbol), Origin: origin.Main}}
	}
	analyze := func(depth, most int) (*pointer.Result, bool) {
		return pointer.AnalyzeUpTo(a.run.ctx, most, a.prog, origin.NewTable(depth), roots())
	}
	if depth := a.run.cfg.Depth; depth > 0 {
		a.facts.Points, _ = analyze(depth, math.MaxInt)
		return
	}
	// The cheaper one first: it tells whether the other has more to tell, and
	// whether it is affordable. None depends on the order of work. Of programs
	// that are analysed as one it is known that they are large.
	var ok bool
	if a.program.rank == rankTest {
		if a.facts.Points, ok = analyze(1, testInstances); !ok {
			a.limits = append(a.limits, limitAt{kind: "tests", symbol: a.program.name,
				text: "so large that what tests make in the same place is not told apart (--origin-depth 1 does)"})
			a.linkAs(a.program.together())
		}
	}
	if !ok && len(a.program.of) == 0 {
		a.facts.Points, ok = analyze(1, manyInstances)
	}
	if !ok {
		a.large = true
		a.run.large.Lock() // until the end of the analysis: memory is for one such program
		plan := pointer.Survey(a.run.ctx, manyInstances, a.prog, roots())
		if len(plan.Crowd) > 0 {
			//deadheat:ignore race one goroutine has the analysis; the lock is for memory
			a.limits = append(a.limits, limitAt{kind: "crowd", symbol: a.program.name,
				text: "so large that goroutines, threads and handlers which run most of it are taken together (--origin-depth 1 tells them apart)"})
		}
		a.facts.Points = pointer.AnalyzeBy(a.run.ctx, plan, a.prog, origin.NewTable(1), roots())
		return
	}
	if !a.facts.Points.Origins.Ambiguous() {
		return
	}
	if len(a.facts.Points.Instances) <= deepInstances {
		if deep, ok := analyze(origin.DefaultDepth, deepInstances); ok {
			a.facts.Points = deep
			return
		}
	}
	a.limits = append(a.limits, limitAt{kind: "origin-depth", symbol: a.program.name,
		text: "so large that goroutines and handlers are told apart by their own start only, not by those before it (--origin-depth 2 does)"})
}

// deepInstances is how many instances a program may have if its origins are told
// apart by more than their own start. Beyond it, that costs more than it brings:
// etcd takes twice the time for hardly better findings.
const deepInstances = 16000

// testInstances is how many instances a program may have if its tests are told
// apart.
const testInstances = 40000

// manyInstances is how many instances a program may have if all its origins are
// told apart. Beyond it, most of them are the same functions run by one of many
// origins, and each adds its own objects to the sets of all.
const manyInstances = 120000

func (a *analysis) countRuns()  { a.facts.Runs = runs.Analyze(a.facts.Points) }
func (a *analysis) findValues() { a.facts.Values = value.Analyze(a.facts.Points, a.facts.Runs) }
func (a *analysis) share()      { a.facts.Sharing = sharing.Analyze(a.facts.Points, a.facts.Values.Runs) }
func (a *analysis) locks()      { a.facts.Locks = lockset.Analyze(a.facts.Points, a.facts.Runs) }
func (a *analysis) order() {
	a.facts.Order = order.Analyze(a.facts.Points, a.facts.Runs, a.facts.Locks, a.facts.Values)
}

func (a *analysis) owners() {
	a.facts.Owners = ownership.Analyze(a.facts.Points, a.facts.Runs, a.facts.Locks.FuncPaths)
}

func (a *analysis) detect() {
	var limits []detect.Limit
	a.findings, limits = detect.Program(a.facts, detect.Config{InScope: a.run.inScope, Near: a.run.isNear, Root: a.rootOf, Programs: a.program.alternatives()})
	for _, l := range limits {
		a.limits = append(a.limits, limitAt{kind: l.Kind, text: l.Text, place: l.Place})
	}
}

// rootOf names the root origin by the function that the runtime called: one of
// the entry functions or else an initialiser.
func (a *analysis) rootOf(name string) detect.OriginRef {
	for _, p := range a.program.all() {
		for _, c := range p.calls {
			u := p.units[c.unit]
			f := &u.Funcs[c.fn]
			if f.Name == name {
				kind := [...]string{rankCommand: "main", rankTest: "test", rankEntry: "entry"}[p.rank]
				return detect.OriginRef{Kind: kind, Name: name, Start: placeOf(u, f.Pos)}
			}
		}
	}
	return detect.OriginRef{Kind: "init", Name: name}
}

// placeOf is the place of a position of a unit.
func placeOf(u *ir.Unit, p ir.Pos) detect.Place {
	if !p.IsValid() || int(p.File) >= len(u.Files) {
		return detect.Place{}
	}
	return detect.Place{
		File: u.Files[p.File].Path, Line: int(p.Line), Col: int(p.Col),
		EndLine: int(p.EndLine), EndCol: int(p.EndCol),
	}
}

// account counts what was analysed and what was not, and drops the rest.
func (a *analysis) account() {
	pts := a.facts.Points
	a.info = Program{
		Name:      a.program.name,
		Of:        a.program.names(),
		Units:     len(a.program.units),
		Origins:   pts.Origins.Len(),
		Depth:     pts.Origins.Depth(),
		Instances: len(pts.Instances),
		Objects:   len(pts.Objects),
		Cells:     len(a.facts.Sharing.Cells),
		Findings:  len(a.findings),
		Points: PointsTo{Nodes: pts.Stats.Nodes, Edges: pts.Stats.Edges, Pops: pts.Stats.Pops,
			Filled: pts.Stats.NonEmpty, Targets: pts.Stats.Elements, Largest: pts.Stats.Largest},
	}
	for _, c := range a.program.calls {
		a.info.Entries = append(a.info.Entries, a.program.units[c.unit].Funcs[c.fn].Symbol)
	}
	a.countReached()
	a.info.Functions = len(a.reached)
	for i := range a.facts.Sharing.Cells {
		a.info.Accesses += len(a.facts.Sharing.Cells[i].Accesses)
	}
	a.countUnmodelled()
	a.takeLimits()
	a.prog, a.facts = nil, detect.Facts{}
}

// countReached notes which functions are reached, and by which of the programs
// that are analysed as this one.
func (a *analysis) countReached() {
	pts := a.facts.Points
	a.reached = map[string]bool{}
	a.reachedBy = make([]map[string]bool, len(a.program.all()))
	for k := range a.reachedBy {
		a.reachedBy[k] = map[string]bool{}
	}
	for i := range pts.Instances {
		fn := pts.Instances[i].Func
		def := a.prog.Def(fn)
		if def == nil || def.Flags&ir.FuncSynthetic != 0 || a.prog.Body(fn) == nil {
			continue
		}
		symbol := a.prog.Func(fn).Symbol
		a.reached[symbol] = true
		for _, k := range a.facts.Runs.Alternatives(pointer.InstID(i), pointer.InstID(i)) {
			a.reachedBy[k][symbol] = true
		}
	}
	if len(a.program.of) == 0 {
		a.reachedBy[0] = a.reached
	}
}

// countUnmodelled counts the calls of functions without code, once for each
// call instruction.
func (a *analysis) countUnmodelled() {
	pts := a.facts.Points
	a.unmodelled = map[string]int{}
	type site struct {
		caller link.FuncID
		instr  int32
		callee link.FuncID
	}
	seen := map[site]bool{}
	for i := range pts.Instances {
		inst := &pts.Instances[i]
		for _, e := range inst.Calls {
			callee := pts.Instances[e.Target].Func
			s := site{inst.Func, e.Instr, callee}
			if seen[s] || a.prog.Body(callee) != nil {
				continue
			}
			seen[s] = true
			a.unmodelled[a.prog.Func(callee).Symbol]++
		}
	}
}
