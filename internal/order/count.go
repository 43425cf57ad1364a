package order

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// tally is how often a loop that has been left has received from, or sent to, a
// channel.
type tally struct {
	op    ir.Op
	at    runs.Point // the operation that each turn makes
	turns runs.Count
}

// leavesLoop tells whether an instruction is a branch that leaves, or skips, a
// loop which counts its turns.
func (r *Result) leavesLoop(id pointer.InstID, instr int32) bool {
	for _, l := range r.runs.CountedLoops(id) {
		if l.Head == instr || l.Guard == instr {
			return true
		}
	}
	return false
}

// collectTallies adds the cuts of a branch that leaves a loop which counts its
// turns and makes a channel operation in each: on the way out all have been made.
func (r *Result) collectTallies(w *world, p runs.Point, body *ir.Body) {
	if !r.leavesLoop(p.Inst, p.Instr) {
		return
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpSend && in.Op != ir.OpRecv {
			continue
		}
		at := runs.Point{Inst: p.Inst, Instr: int32(i)}
		l, every, _, ok := r.runs.Counted(at)
		if !ok || !every || l.Head != p.Instr && l.Guard != p.Instr {
			continue
		}
		t := &tally{op: in.Op, at: at, turns: l.Turns}
		if t.turns.Of != "" {
			t.turns.Of = within(p.Inst, t.turns.Of)
		}
		r.addCut(w, cut{point: p, op: ir.OpIf, sub: uint8(l.Exit), tally: t}, p.Inst, body.Args(in)[0])
	}
}

// amounts are counts by what they are of.
type amounts map[string]int64

// counted is R-ORDER-9: b has received from a channel as often as anybody can
// have sent, so that all sends have been made, and a comes before one of them.
// Likewise for b's sends beyond the channel's capacity and all receives. last is
// one of those that b has made.
func (r *Result) counted(a, b Moment, depth int) (last runs.Point, ok bool) {
	w := r.world(r.origin(b.Point))
	tried := make(map[class]bool)
	for _, k := range b.sets.waits {
		c := &w.cuts[k]
		key := class{op: c.op, object: c.object}
		if c.tally != nil {
			key.op = c.tally.op
		}
		if c.object == noNode || key.op != ir.OpRecv && key.op != ir.OpSend || tried[key] {
			continue
		}
		tried[key] = true
		if r.allMade(a, b, key, depth) {
			if c.tally != nil {
				return c.tally.at, true
			}
			return c.point, true
		}
	}
	return nowhere, false
}

// allMade tells whether all operations on the other end of a channel have been
// made when b comes, and one of them after a.
func (r *Result) allMade(a, b Moment, key class, depth int) bool {
	partner := ir.OpSend
	made := r.madeBefore(b, key)
	if key.op == ir.OpSend {
		partner = ir.OpRecv
		room, ok := r.room(key.object)
		if !ok || made[""] < room {
			return false
		}
		made[""] -= room
	}
	all := make(amounts)
	after := false
	for _, ref := range r.byObject[key.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		switch {
		case s.dead || s.tally != nil:
			continue
		case s.op == ir.OpClose && key.op == ir.OpRecv:
			return false
		case s.op != partner:
			continue
		}
		n, ok := r.atMost(s)
		if !ok {
			return false
		}
		all[n.Of] += n.Times
		if all[n.Of] > made[n.Of] {
			return false
		}
		after = after || r.comesAfter(a, ref, s, depth)
	}
	return after
}

// madeBefore counts the operations on a channel that b's origin has surely made
// before b.
func (r *Result) madeBefore(b Moment, key class) amounts {
	w := r.world(r.origin(b.Point))
	made := make(amounts)
	looped := make(map[runs.Point]bool)
	for _, k := range b.sets.waits {
		if c := &w.cuts[k]; c.object == key.object && c.tally != nil && c.tally.op == key.op && c.point.Inst < 0 {
			made[c.tally.turns.Of] += c.tally.turns.Times
			looped[c.tally.at] = true
		}
	}
	for _, k := range b.sets.waits {
		if c := &w.cuts[k]; c.object == key.object && c.op == key.op && c.point.Inst >= 0 && !looped[c.point] {
			made[""]++
		}
	}
	return made
}

// comesAfter tells whether an operation that is surely made is made after a, by
// the same instance or another origin.
func (r *Result) comesAfter(a Moment, ref cutRef, s *cut, depth int) bool {
	if ref.origin == r.origin(a.Point) {
		return !a.sets.may.has(ref.cut)
	}
	return r.beforeCut(a, s.point, depth-1)
}

// atMost returns how often a cut is executed at most in the whole program.
func (r *Result) atMost(s *cut) (runs.Count, bool) {
	n, ok := r.atMostOnce(s.point)
	if !ok {
		return runs.Count{}, false
	}
	o := r.origin(s.point)
	if !r.runs.Many(o) {
		return n, true
	}
	points := r.runs.SpawnsOf(o)
	total := runs.Count{}
	for k, p := range points {
		m, ok := r.atMostOnce(p)
		if !ok || r.runs.Many(r.origin(p)) || k > 0 && m.Of != total.Of {
			return runs.Count{}, false
		}
		total.Of = m.Of
		total.Times += m.Times
	}
	if n.Of != "" && total.Of != "" {
		return runs.Count{}, false
	}
	return runs.Count{Times: n.Times * total.Times, Of: n.Of + total.Of}, len(points) > 0
}

// atMostOnce returns how often a point is executed at most in one instance of
// its origin.
func (r *Result) atMostOnce(p runs.Point) (runs.Count, bool) {
	body := r.pts.Body(p.Inst)
	switch {
	case r.runs.Often(p.Inst) || body.Instrs[p.Instr].Flags&ir.FlagMany != 0:
		return runs.Count{}, false
	case !r.runs.InLoop(p):
		return runs.Count{Times: 1}, true
	}
	l, _, alone, ok := r.runs.Counted(p)
	if !ok || !alone {
		return runs.Count{}, false
	}
	if l.Turns.Of != "" {
		l.Turns.Of = within(p.Inst, l.Turns.Of)
	}
	return l.Turns, true
}

// within names a value of an activation in the whole program.
func within(inst pointer.InstID, name string) string {
	return strconv.Itoa(int(inst)) + " " + name
}

// room returns the capacity of a channel, if it is known.
func (r *Result) room(n pointer.Node) (int64, bool) {
	id, _ := r.pts.Object(n)
	o := &r.pts.Objects[id]
	if o.Kind != pointer.ObjectChan || o.Inst < 0 {
		return 0, false
	}
	body := r.pts.Body(o.Inst)
	in := &body.Instrs[o.Site.Instr]
	if in.Op != ir.OpMakeChan {
		return 0, false
	}
	return r.integer(o.Inst, body.Args(in)[0])
}
