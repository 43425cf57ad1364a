package ownership

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Publications returns the instructions that let the object out which an
// instruction accesses through addr. For an owned access they come after it:
// ownership ends there. None means that nobody else ever learns of the object,
// or that it is not known where.
func (r *Result) Publications(inst pointer.InstID, instr int32, addr ir.Value) []runs.Point {
	f := r.a.function(r.pts.Instances[inst].Func)
	if f == nil {
		return nil
	}
	root := f.root(addr)
	if root == path.None {
		return nil
	}
	return r.publications(inst, instr, root, maxDepth)
}

// publications looks in the instance and, if nothing is let out there, where
// its callers go on with the object.
func (r *Result) publications(inst pointer.InstID, instr int32, root path.ID, depth int) []runs.Point {
	f := r.a.function(r.pts.Instances[inst].Func)
	if f == nil || depth == 0 {
		return nil
	}
	var out []runs.Point
	for _, pub := range f.published[root] {
		if pub != instr && runs.Reaches(f.body, instr, pub, ir.None) {
			out = append(out, runs.Point{Inst: inst, Instr: pub})
		}
	}
	if len(out) > 0 {
		return out
	}
	step := f.paths.Get(root)
	for _, c := range r.runs.Callers[inst] {
		g := r.a.function(r.pts.Instances[c.Inst].Func)
		if g == nil || c.How != ir.Now {
			continue
		}
		in := &g.body.Instrs[c.Instr]
		outer := path.None
		switch {
		case step.Kind == path.Param && in.Op == ir.OpCall && int(step.N) < int(in.Args.Len):
			outer = g.root(g.body.Args(in)[step.N])
		case step.Kind == path.Value && in.Dst != ir.None && f.returns(root):
			outer = g.root(ir.RegValue(in.Dst))
		}
		if outer != path.None {
			out = append(out, r.publications(c.Inst, c.Instr, outer, depth-1)...)
		}
	}
	return out
}

// returns tells whether a function hands a root to its caller as its only
// result.
func (f *function) returns(root path.ID) bool {
	for _, roots := range f.returned {
		if len(roots) == 1 && roots[0] == root {
			return true
		}
	}
	return false
}
