package summary

import (
	"bytes"
	"context"
	"sort"
	"sync"

	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// Config says what to summarise.
type Config struct {
	// InScope tells whether all functions of a unit are wanted.
	InScope func(unit string) bool
	// Summarise tells whether functions of a unit are summarised when code in
	// scope calls them. It holds for units in scope.
	Summarise func(unit string) bool
	// Documented names types whose documentation allows concurrent use, and
	// Handlers methods that a framework calls from many origins.
	Documented map[string]bool
	Handlers   map[string]bool
	// KeepAll keeps accesses that no verdict can be about.
	KeepAll bool
	// Sound turns off the steps that may hide an access or its sharing: unknown
	// callees publish what they are given, what is taken out of a place is not
	// owned, channels are no locks, errors are not guessed, all implementations of
	// a method are looked at, and so is the code after a recovered panic.
	Sound bool
	// Cache keeps summaries from one run to the next, if it is not nil.
	Cache Cache
	// Jobs is how many functions are summarised at once; 0 means one.
	Jobs int
}

// Set is the summaries of a run.
type Set struct {
	Paths *Paths
	Funcs []*Summary // sorted by Key
	Stats Stats
}

// Stats counts what was done and what was not.
type Stats struct {
	Functions  int
	Computed   int // functions that were visited; the others came from the cache
	Rounds     int // visits of functions; more than Functions where there is recursion
	Accesses   int
	Truncated  int            // functions of which something was left out
	Unresolved int            // dispatched calls with no target in scope, or too many
	Unknown    map[string]int // calls of functions that were not summarised, by symbol
}

// Summarise computes summaries bottom-up over the strongly connected
// components of the call graph, each to its fixpoint, several at a time. With a
// cache, a component is computed only if its code or the summary of something it
// calls is not what it was: an unchanged summary stops the wave. The error is that
// of the context.
func Summarise(ctx context.Context, prog *link.Program, cfg Config) (*Set, error) {
	p := collect(ctx, prog, &cfg)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a := &analysis{prog: p, keep: p.relevance(), paths: p.paths, sums: make([]*Summary, len(p.codes)),
		touched: make([]*touched, len(p.codes)), byKey: make(map[string]int32), rounds: make([]int, len(p.codes))}
	for _, c := range p.codes {
		if _, dup := a.byKey[c.key]; !dup {
			a.byKey[c.key] = c.id
		}
	}
	a.sound = cfg.Sound
	if cfg.Cache != nil {
		a.packs = &packs{cache: cfg.Cache, units: make(map[string]*pack)}
		a.digests = make([]digest, len(p.codes))
	}
	a.run(ctx, max(cfg.Jobs, 1))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.packs != nil {
		a.packs.save()
	}
	return a.set(), nil
}

type analysis struct {
	prog   *program
	keep   *relevance
	paths  *Paths
	sums   []*Summary // an entry is set by the worker that has its component
	rounds []int
	byKey  map[string]int32

	touched []*touched // of bodies of onces; an entry is set by the worker that has its component
	sound   bool
	packs   *packs   // nil without a cache
	digests []digest // of summaries, with a cache; an entry is set by the worker that has its component
}

// summary returns what is known of a function: nothing while it is reached for
// the first time in recursion.
func (a *analysis) summary(id int32) *Summary {
	if id < 0 {
		return nil
	}
	return a.sums[id]
}

// maxRounds bounds the visits of one component. Every domain is finite and
// bounded, but a component that needs more is not worth it.
const maxRounds = 8

// Components of more functions than bigComponent are visited bigRounds times
// only: what takes longer to come round has gone through so many calls that its
// chain is cut anyway.
const (
	bigComponent = 48
	bigRounds    = 3
)

// solve takes the summaries of a component from the cache, or computes them.
func (a *analysis) solve(scc []int32) {
	if a.packs == nil {
		a.fixpoint(scc)
		return
	}
	p, key, done := a.reuse(scc)
	if !done {
		a.fixpoint(scc)
		a.remember(scc, p, key)
	}
}

// fixpoint summarises one component. What only a once runs for itself is no part
// of whoever triggers it, so that a component falls into smaller ones.
func (a *analysis) fixpoint(scc []int32) {
	for _, part := range a.parts(scc) {
		a.iterate(part)
		a.noteTouched(part)
	}
}

// iterate visits the functions of a component until nothing changes.
func (a *analysis) iterate(scc []int32) {
	rounds := maxRounds
	if len(scc) > bigComponent && !a.sound {
		rounds = bigRounds
	}
	for round := 0; round < rounds; round++ {
		changed := false
		for _, id := range scc {
			old := a.sums[id]
			a.sums[id] = a.visit(a.prog.codes[id])
			a.rounds[id]++
			if len(scc) > 1 || a.callsItself(id) {
				changed = changed || old == nil || !bytes.Equal(encode(a.paths, old), encode(a.paths, a.sums[id]))
			}
		}
		if !changed {
			return
		}
	}
	for _, id := range scc {
		a.sums[id].Truncated = true
	}
}

func (a *analysis) callsItself(id int32) bool {
	edges := a.prog.codes[id].edges
	k := sort.Search(len(edges), func(i int) bool { return edges[i] >= id })
	return k < len(edges) && edges[k] == id
}

func (a *analysis) visit(c *code) *Summary {
	s := &Summary{Key: c.key, Symbol: c.symbol, Name: c.name, Unit: c.unit.Path, Flags: c.flags, Pos: c.pos, Recv: c.recv}
	if c.body == nil {
		return s
	}
	for i := int32(0); i < c.body.Params; i++ {
		s.Names = append(s.Names, c.body.Regs[i].Name)
	}
	for _, root := range c.onces {
		s.Onces = append(s.Onces, a.paths.Root(root))
	}
	f := &function{code: c, a: a, t: a.paths, sum: s}
	f.run()
	return s
}

// run works through the components, callees first.
func (a *analysis) run(ctx context.Context, jobs int) {
	sccs := components(len(a.prog.codes), func(id int32) []int32 { return a.prog.codes[id].edges })
	of := make([]int, len(a.prog.codes))
	for k, scc := range sccs {
		for _, id := range scc {
			of[id] = k
		}
	}
	waits := make([]int, len(sccs))
	users := make([][]int, len(sccs))
	for k, scc := range sccs {
		seen := map[int]bool{k: true}
		for _, id := range scc {
			for _, e := range a.prog.codes[id].edges {
				if c := of[e]; !seen[c] {
					seen[c] = true
					waits[k]++
					users[c] = append(users[c], k)
				}
			}
		}
	}
	ready := make(chan int, len(sccs))
	done := make(chan int, len(sccs))
	var first []int
	for k := range sccs {
		if waits[k] == 0 {
			first = append(first, k)
		}
	}
	shuffle.All(first)
	for _, k := range first {
		ready <- k
	}
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() {
			for k := range ready {
				if ctx.Err() == nil {
					a.solve(sccs[k])
				}
				done <- k
			}
		})
	}
	for range sccs {
		for _, u := range users[<-done] {
			if waits[u]--; waits[u] == 0 {
				ready <- u
			}
		}
	}
	close(ready)
	wg.Wait()
}

func (a *analysis) set() *Set {
	s := &Set{Paths: a.paths}
	s.Stats.Unresolved, s.Stats.Unknown = a.prog.open, a.prog.unknown
	for id, sum := range a.sums {
		s.Funcs = append(s.Funcs, sum)
		s.Stats.Functions++
		s.Stats.Rounds += a.rounds[id]
		if a.rounds[id] > 0 {
			s.Stats.Computed++
		}
		s.Stats.Accesses += len(sum.Accesses)
		if sum.Truncated {
			s.Stats.Truncated++
		}
	}
	sort.SliceStable(s.Funcs, func(i, j int) bool { return s.Funcs[i].Key < s.Funcs[j].Key })
	return s
}
