package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// drain is a loop that waits in every turn, for one of several things: the
// threads of an array, the futures of a list. R-ORDER-11: who has left such a loop
// has waited for all of them. That the loop comes by all is taken for granted.
type drain struct {
	wait int32 // the instruction that waits
	exit int32 // the branch that leaves the loop
	out  uint8 // the successor that does
}

// drains finds the loops of a body that wait in every turn.
func drains(body *ir.Body) []drain {
	var list []drain
	for b := range body.Blocks {
		for i := body.Blocks[b].First; i < body.Blocks[b].End; i++ {
			in := &body.Instrs[i]
			if (in.Op == ir.OpJoin || in.Op == ir.OpAwait) && in.Flags&ir.FlagMaybe == 0 {
				list = append(list, exits(body, ir.BlockID(b), i)...)
			}
		}
	}
	return list
}

// exits finds the branches that leave a loop around a wait and that every turn
// comes by, as it does by the wait.
func exits(body *ir.Body, at ir.BlockID, wait int32) []drain {
	inside := reachable(body, at, -1)
	if !inside[at] {
		return nil // in no loop
	}
	var list []drain
	for e := range body.Blocks {
		head := ir.BlockID(e)
		end := body.Blocks[e].End - 1
		if !inside[head] || body.Instrs[end].Op != ir.OpIf || !reachable(body, head, -1)[at] {
			continue
		}
		succs := body.Succs(head)
		for k, out := range succs {
			stay := succs[1-k]
			leaves := out != at && !reachable(body, out, -1)[at]
			if leaves && (head == at || stay == at || !reachable(body, stay, at)[head] && stay != head) {
				list = append(list, drain{wait: wait, exit: end, out: uint8(k)})
			}
		}
	}
	return list
}

// reachable returns the blocks that control comes to after a block, without
// passing another one if that is not negative. Exceptions do not count.
func reachable(body *ir.Body, from, without ir.BlockID) []bool {
	seen := make([]bool, len(body.Blocks))
	work := []ir.BlockID{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range body.Succs(b) {
			if !seen[s] && s != without {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return seen
}

// leavesDrain tells whether an instruction is a branch that leaves a loop which
// waits.
func (c *code) leavesDrain(instr int32) bool {
	for i := range c.drains {
		if c.drains[i].exit == instr {
			return true
		}
	}
	return false
}

// collectDrains adds the cuts of a branch that leaves loops which wait for one of
// several things in every turn.
func (r *Result) collectDrains(w *world, p runs.Point, body *ir.Body) {
	c := r.codeOf(p.Inst)
	for i := range c.drains {
		d := &c.drains[i]
		if d.exit != p.Instr {
			continue
		}
		set := r.pts.PointsTo(p.Inst, body.Args(&body.Instrs[d.wait])[0], 0)
		if n, ok := set.Single(); set.Empty() || ok && r.runs.UniqueNode(n) {
			continue // the wait itself says it
		}
		first := noNode
		set.Each(func(n pointer.Node) bool { first = n; return false })
		w.byPoint[p] = append(w.byPoint[p], int32(len(w.cuts)))
		w.cuts = append(w.cuts, cut{point: p, op: ir.OpIf, sub: d.out, object: first, any: set, class: -1, drain: d})
	}
}

// drained is R-ORDER-11: b has left a loop that waits for all of a group, to
// which a's origin belongs; none of them is started after the loop.
func (r *Result) drained(a, b Moment, k int32) bool {
	oa, ob := r.origin(a.Point), r.origin(b.Point)
	c := &r.worlds[ob].cuts[k]
	if c.drain == nil || oa == ob || r.runs.Many(ob) {
		return false
	}
	starts := r.runs.SpawnsOf(oa)
	waits := r.worlds[ob].byPoint[runs.Point{Inst: c.point.Inst, Instr: c.drain.wait}]
	for _, p := range starts {
		if r.origin(p) != ob {
			return false
		}
		for _, wait := range waits {
			if r.at(p).may.has(wait) {
				return false
			}
		}
	}
	if len(starts) == 0 {
		return false
	}
	if r.pts.Body(c.point.Inst).Instrs[c.drain.wait].Op == ir.OpJoin {
		return r.allMembers(starts, c.any)
	}
	return r.posts(a, oa, c.any)
}

// allMembers tells whether origins are started as members of groups in a set.
func (r *Result) allMembers(starts []runs.Point, groups *pointer.Set) bool {
	for _, p := range starts {
		body := r.pts.Body(p.Inst)
		in := &body.Instrs[p.Instr]
		if in.Flags&ir.FlagGroup == 0 || !covers(groups, r.pts.PointsTo(p.Inst, body.Args(in)[0], 0)) {
			return false
		}
	}
	return true
}

// posts tells whether every instance of an origin posts an object of a set, and
// not before a.
func (r *Result) posts(a Moment, o origin.ID, objects *pointer.Set) bool {
	w := r.world(o)
	post := newSet(len(w.cuts))
	for k := range w.cuts {
		c := &w.cuts[k]
		if c.op == ir.OpPost && c.any != nil && covers(objects, c.any) {
			post.add(int32(k))
		}
	}
	if a.sets.may.overlaps(post) {
		return false
	}
	for i, id := range w.insts {
		if r.runs.Entry(id) && !w.sets.get(w.mustGen[i]).overlaps(post) {
			return false
		}
	}
	return true
}

// covers tells whether a set is not empty and all of it is in another.
func covers(all, some *pointer.Set) bool {
	found, ok := false, true
	some.Each(func(n pointer.Node) bool {
		found = true
		ok = all.Has(n)
		return ok
	})
	return found && ok
}
