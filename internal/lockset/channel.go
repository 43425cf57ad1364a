package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// A channel is a lock if it has room for one element, and whoever receives from it
// has put something in himself before. Then a send takes the lock, because a second
// one has to wait, and the receive gives it back.

// capacityOne tells whether a channel has room for one element.
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
		r.takers = r.users(func(_ *Function, in *ir.Instr, args []ir.Value) []ir.Value {
			switch in.Op {
			case ir.OpRecv, ir.OpClose:
				return args[:1]
			case ir.OpSelect:
				return channels(args, func(ir.Value) bool { return true })
			}
			return nil
		})
	}
	for _, p := range r.takers[n] {
		if r.pts.Body(p.Inst).Instrs[p.Instr].Op != ir.OpRecv || !r.holdsAt(p, n, Buffer) {
			return false
		}
	}
	return true
}

// channels returns those of the cases of a select that are wanted by their
// direction.
func channels(cases []ir.Value, wanted func(direction ir.Value) bool) []ir.Value {
	var out []ir.Value
	for k := 0; k+2 < len(cases); k += 3 {
		if wanted(cases[k]) {
			out = append(out, cases[k+1])
		}
	}
	return out
}
