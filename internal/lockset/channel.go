package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// isChanLock tells whether a channel is a lock: it has room for one element, and
// whoever receives from it has put something in himself before. Then a send takes
// the lock, because a second one has to wait, and the receive gives it back.
func (r *Result) isChanLock(n pointer.Node) bool {
	if n == noNode {
		return false
	}
	ok, known := r.chans[n]
	if !known {
		r.chans[n] = false // not while it is being decided
		ok = r.capacityOne(n) && r.balanced(n)
		r.chans[n] = ok
	}
	return ok
}

func (r *Result) capacityOne(n pointer.Node) bool {
	id, _ := r.pts.Object(n)
	o := &r.pts.Objects[id]
	if o.Kind != pointer.ObjectChan || o.Inst < 0 {
		return false
	}
	body := r.pts.Body(o.Inst)
	in := &body.Instrs[o.Site.Instr]
	if in.Op != ir.OpMakeChan {
		return false
	}
	size := body.Args(in)[0].Const()
	return size != ir.None && r.pts.Prog.Unit(o.Site.Func).Consts[size].Text == "1"
}

// balanced tells whether every receive from a channel follows a send by the same
// activation, or by all its callers.
func (r *Result) balanced(n pointer.Node) bool {
	if r.takers == nil {
		r.findTakers()
	}
	for _, p := range r.takers[n] {
		if r.pts.Body(p.Inst).Instrs[p.Instr].Op != ir.OpRecv || !r.holdsAt(p, n, Buffer) {
			return false
		}
	}
	return true
}

// findTakers lists what takes something out of channels, or closes them.
func (r *Result) findTakers() {
	r.takers = make(map[pointer.Node][]runs.Point)
	for i := range r.pts.Instances {
		id := pointer.InstID(i)
		body := r.pts.Body(id)
		if body == nil {
			continue
		}
		for k := range body.Instrs {
			in := &body.Instrs[k]
			takes := func(v ir.Value) {
				r.pts.PointsTo(id, v, 0).Each(func(n pointer.Node) bool {
					r.takers[n] = append(r.takers[n], runs.Point{Inst: id, Instr: int32(k)})
					return true
				})
			}
			switch args := body.Args(in); in.Op {
			case ir.OpRecv, ir.OpClose:
				takes(args[0])
			case ir.OpSelect:
				for a := 1; a < len(args); a += 3 {
					takes(args[a])
				}
			}
		}
	}
}
