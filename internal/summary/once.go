package summary

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// A once that is a global, with a body that takes nothing from whoever runs it,
// as the initialiser of a class does: what the body does is the same for all
// callers, so it is summarised for itself, with the once held, and not as part of
// each function that may be the first to come by. R-SUM-7.
//
// Whoever came by holds the once for reading, which orders its accesses after
// those of the body. That is noted only where it can matter: at accesses of what
// the body accesses too.

// onceUse is what is known of a global that is used as a once.
type onceUse struct {
	bodies []int32 // sorted, once all code is known
	other  bool    // it also runs a body that is not summarised for itself
}

// touched is what the body of a once does.
type touched struct {
	symbols []int32 // last fields or globals on the paths of its accesses, sorted
	spawns  bool
}

// resolveOnce notes the body of a once.
func (p *program) resolveOnce(c *code, in *ir.Instr) {
	args := c.body.Args(in)
	if args[0].Kind() != ir.ValueGlobal || args[1] == ir.NoValue {
		return
	}
	sym := c.globals[args[0]].N
	use := p.onces[sym]
	if use == nil {
		use = new(onceUse)
		p.onces[sym] = use
	}
	id, ok := c.funcs[args[1]]
	if !ok || id < 0 {
		use.other = true
	} else if !slices.Contains(use.bodies, id) {
		use.bodies = append(use.bodies, id)
	}
}

// separate finds the bodies of onces that are summarised for themselves, once all
// code is known.
func (p *program) separate() {
	for sym, use := range p.onces {
		slices.Sort(use.bodies)
		use.bodies = slices.DeleteFunc(use.bodies, func(id int32) bool {
			b := p.codes[id].body
			if b == nil || b.Params+b.Captures > 0 {
				use.other = true
				return true
			}
			p.codes[id].onces = append(p.codes[id].onces, Step{Kind: Global, N: sym})
			return false
		})
	}
	for _, c := range p.codes {
		slices.SortFunc(c.onces, p.paths.compareSteps)
		if c.body == nil {
			continue
		}
		p.weaken(c)
	}
}

// weaken finds the edges to bodies of onces that are summarised for themselves,
// and adds those to bodies that the function only waits for.
func (p *program) weaken(c *code) {
	once, other := make(map[int32]bool), make(map[int32]bool)
	for i := range c.body.Instrs {
		in := &c.body.Instrs[i]
		args := c.body.Args(in)
		apart := p.separately(c, in)
		for k, v := range args {
			if v.Kind() == ir.ValueFunc {
				if apart && k == 1 {
					once[c.funcs[v]] = true
				} else {
					other[c.funcs[v]] = true
				}
			}
		}
		for _, id := range c.calls[int32(i)] {
			other[id] = true
		}
		if in.Op == ir.OpOnce && args[0].Kind() == ir.ValueGlobal && args[1] == ir.NoValue {
			if use := p.onces[c.globals[args[0]].N]; use != nil {
				for _, id := range use.bodies {
					once[id] = true
				}
			}
		}
	}
	for id := range once {
		if !slices.Contains(c.edges, id) {
			c.edges = append(c.edges, id)
		}
		if !other[id] {
			c.weak = append(c.weak, id)
		}
	}
	slices.Sort(c.edges)
	slices.Sort(c.weak)
}

// separately tells whether an instruction is a once whose body is summarised for
// itself.
func (p *program) separately(c *code, in *ir.Instr) bool {
	if in.Op != ir.OpOnce {
		return false
	}
	args := c.body.Args(in)
	if args[0].Kind() != ir.ValueGlobal || args[1].Kind() != ir.ValueFunc {
		return false
	}
	id, ok := c.funcs[args[1]]
	if !ok || id < 0 {
		return false
	}
	_, found := slices.BinarySearch(p.onces[c.globals[args[0]].N].bodies, id)
	return found
}

// parts cuts a component into those that remain if bodies of onces are not
// part of who triggers them.
func (a *analysis) parts(scc []int32) [][]int32 {
	if len(scc) == 1 {
		return [][]int32{scc}
	}
	edges := make([][]int32, len(scc))
	for k, id := range scc {
		c := a.prog.codes[id]
		for _, e := range c.edges {
			if to, ok := slices.BinarySearch(scc, e); ok && !slices.Contains(c.weak, e) {
				edges[k] = append(edges[k], int32(to))
			}
		}
	}
	parts := components(len(scc), func(k int32) []int32 { return edges[k] })
	for _, part := range parts {
		for i, k := range part {
			part[i] = scc[k]
		}
	}
	return parts
}

// noteTouched notes what the bodies of onces in a component do.
func (a *analysis) noteTouched(scc []int32) {
	for _, id := range scc {
		if len(a.prog.codes[id].onces) == 0 {
			continue
		}
		t := new(touched)
		for i := range a.sums[id].Accesses {
			if acc := &a.sums[id].Accesses[i]; acc.Origin != nil {
				t.spawns = true
			} else {
				t.symbols = append(t.symbols, a.paths.lastNamed(acc.Path))
			}
		}
		slices.Sort(t.symbols)
		t.symbols = slices.Compact(t.symbols)
		//deadheat:ignore race callees are summarised before their callers begin
		a.touched[id] = t
	}
}

// lastNamed returns the symbol of the last field or global on a path, -1 if there
// is none.
func (t *Paths) lastNamed(p Path) int32 {
	for ; p != NoPath; p = t.Parent(p) {
		if s := t.Last(p); s.Kind == Field || s.Kind == Global {
			return s.N
		}
	}
	return -1
}

// onceMatters tells whether it makes a difference to an access of q, NoPath for
// any access, that a once is over: its body may access the same.
func (a *analysis) onceMatters(once, q Path) bool {
	root := a.paths.Last(once)
	if root.Kind != Global {
		return true
	}
	use := a.prog.onces[root.N]
	if use == nil || use.other {
		return true
	}
	for _, id := range use.bodies {
		t := a.touched[id]
		if t == nil || q == NoPath && len(t.symbols) > 0 {
			return true
		}
		if q == NoPath {
			continue
		}
		if _, ok := slices.BinarySearch(t.symbols, a.paths.lastNamed(q)); ok {
			return true
		}
	}
	return false
}
