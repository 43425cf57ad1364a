package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// isToken tells whether a channel is a lock that a receive takes: one element is
// put in once, and somebody puts it back, but nobody except who has taken it out.
func (r *Result) isToken(n pointer.Node) bool {
	ok, known := r.tokens[n]
	if !known {
		r.tokens[n] = false // not while it is being decided
		ok = n != noNode && r.passedAround(n)
		r.tokens[n] = ok
	}
	return ok
}

func (r *Result) passedAround(n pointer.Node) bool {
	if r.senders == nil {
		r.findSenders()
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

// findSenders lists what puts something into channels, or closes them.
func (r *Result) findSenders() {
	r.senders = make(map[pointer.Node][]runs.Point)
	for i := range r.pts.Instances {
		id := pointer.InstID(i)
		body := r.pts.Body(id)
		if body == nil {
			continue
		}
		for k := range body.Instrs {
			in := &body.Instrs[k]
			sends := func(v ir.Value) {
				r.pts.PointsTo(id, v, 0).Each(func(n pointer.Node) bool {
					r.senders[n] = append(r.senders[n], runs.Point{Inst: id, Instr: int32(k)})
					return true
				})
			}
			switch args := body.Args(in); in.Op {
			case ir.OpSend, ir.OpClose:
				sends(args[0])
			case ir.OpSelect:
				consts := r.pts.Prog.Unit(r.pts.Instances[id].Func).Consts
				for a := 0; a+2 < len(args); a += 3 {
					if c := args[a].Const(); c == ir.None || consts[c].Text == "1" {
						sends(args[a+1])
					}
				}
			}
		}
	}
}
