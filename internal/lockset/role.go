package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// role is what something that is no mutex may serve as.
type role struct {
	node pointer.Node
	kind Kind
}

// serves tells whether a channel or an atomic serves as a lock of a kind, by all that
// the program does with it.
func (r *Result) serves(n pointer.Node, kind Kind) bool {
	if n == noNode {
		return false
	}
	key := role{n, kind}
	ok, known := r.roles[key]
	if !known {
		r.roles[key] = false // not while it is being decided
		switch kind {
		case Buffer:
			ok = r.capacityOne(n) && r.balanced(n)
		case Token:
			ok = r.passedAround(n)
		case Swap:
			ok = r.onlyHoldersFree(n)
		}
		r.roles[key] = ok
	}
	return ok
}

// users lists, for each place in memory, the instructions that have it as one of the
// operands that are asked for.
func (r *Result) users(operands func(f *Function, in *ir.Instr, args []ir.Value) []ir.Value) map[pointer.Node][]runs.Point {
	users := make(map[pointer.Node][]runs.Point)
	for i := range r.pts.Instances {
		id := pointer.InstID(i)
		f := r.function(id)
		if f == nil {
			continue
		}
		for k := range f.body.Instrs {
			in := &f.body.Instrs[k]
			for _, v := range operands(f, in, f.body.Args(in)) {
				r.pts.PointsTo(id, v, 0).Each(func(n pointer.Node) bool {
					users[n] = append(users[n], runs.Point{Inst: id, Instr: int32(k)})
					return true
				})
			}
		}
	}
	return users
}

// holdsAt tells whether a point surely holds what lies at a node.
func (r *Result) holdsAt(p runs.Point, n pointer.Node, kind Kind) bool {
	f := r.function(p.Inst)
	at := f.Paths.Value(f.body.Args(&f.body.Instrs[p.Instr])[0])
	for _, l := range r.atFrom(p.Inst, p.Instr, r.entry[p.Inst]) {
		if l.Kind == kind && !l.Maybe && (l.Path != path.None && l.Path == at || l.Node == n && r.runs.UniqueNode(n)) {
			return true
		}
	}
	return false
}
