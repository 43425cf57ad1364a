package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A channel is a lock that a receive takes if one element is put in once, and
// somebody puts it back, but nobody except who has taken it out.

// passedAround tells whether that is so.
func (r *Result) passedAround(n pointer.Node) bool {
	if r.senders == nil {
		r.senders = r.users(func(f *Function, in *ir.Instr, args []ir.Value) []ir.Value {
			switch in.Op {
			case ir.OpSend, ir.OpClose:
				return args[:1]
			case ir.OpSelect:
				return channels(args, func(direction ir.Value) bool {
					c, ok := f.constant(direction)
					return !ok || c == "1"
				})
			}
			return nil
		})
	}
	first, back := 0, 0
	for _, p := range r.senders[n] {
		switch in := &r.pts.Body(p.Inst).Instrs[p.Instr]; {
		case in.Op != ir.OpSend:
			return false
		case r.holdsAt(p, n, Token):
			back++
		case r.sendsOnce(p, n):
			first++
		default:
			return false
		}
	}
	return first == 1 && back > 0
}

// sendsOnce tells whether a send puts at most one element into each of the channels
// that a node stands for.
func (r *Result) sendsOnce(p runs.Point, n pointer.Node) bool {
	if r.runs.UniqueNode(n) {
		return !r.runs.InLoop(p) && !r.runs.Often(p.Inst) && !r.runs.Many(r.pts.Instances[p.Inst].Origin)
	}
	id, _ := r.pts.Object(n)
	o := &r.pts.Objects[id]
	return o.Inst == p.Inst && !runs.Reaches(r.pts.Body(p.Inst), p.Instr, p.Instr, o.Site.Instr)
}
