package summary

import (
	"slices"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lattice/latticetest"
)

// stateLattice is the domain that functions are solved in. Its bottom is the
// state that no way leads to.
type stateLattice struct{}

func (stateLattice) Bottom() state { return state{} }

func (stateLattice) Join(a, b state) state {
	out := a.clone()
	if b.reached {
		out.join(&b)
	}
	return out
}

func (stateLattice) Equal(a, b state) bool {
	return a.reached == b.reached && a.waited == b.waited && a.observed == b.observed && sameSet(a.passed, b.passed) && sameHeld(a.held, b.held) &&
		sameSet(a.released, b.released) && sameSet(a.maybe, b.maybe) && sameSet(a.published, b.published)
}

func sameSet(a, b []Path) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(p Path) bool { return !slices.Contains(b, p) })
}

func sameHeld(a, b []Held) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(h Held) bool {
		return !slices.ContainsFunc(b, func(g Held) bool { return g.Path == h.Path && g.Mode == h.Mode && g.Depth == h.Depth })
	})
}

// states returns combinations of locks in both modes, released and published
// paths.
func states() []state {
	out := []state{{}}
	for _, held := range [][]Held{nil, {{Path: 1, Depth: 1}}, {{Path: 1, Mode: ir.Shared, Depth: 1}}, {{Path: 1, Depth: 2}, {Path: 2, Depth: 1}}} {
		for _, released := range [][]Path{nil, {1}, {1, 2}} {
			for _, waited := range []bool{false, true} {
				s := state{reached: true, held: held, released: released, published: released, waited: waited, observed: waited, passed: released}
				for _, h := range held {
					s.maybe = append(s.maybe, h.Path)
				}
				out = append(out, s)
			}
		}
	}
	return out
}

// RELAY 3.2: the order of relative locksets, and that taking and giving back a
// lock is monotone in it.
func TestStateLaws(t *testing.T) {
	f := &function{t: NewPaths()}
	for range 8 {
		f.t.Root(Step{Kind: Param, N: f.t.n})
	}
	step := func(do func(*state)) func(state) state {
		return func(s state) state {
			if !s.reached {
				return s
			}
			c := s.clone()
			do(&c)
			return c
		}
	}
	latticetest.Laws(t, stateLattice{}, states(),
		step(func(s *state) { f.acquire(s, Held{Path: 1, Depth: 1}, false) }),
		step(func(s *state) { f.acquire(s, Held{Path: 3, Mode: ir.Shared, Depth: 1}, false) }),
		step(func(s *state) { f.release(s, 2) }),
	)
}
