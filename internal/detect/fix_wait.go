package detect

import (
	"fmt"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// fixWait advises to wait, if one side follows the start of the other side's
// origin in the function that starts it. late is true if that function does wait
// for the origin, but too late.
func (d *detector) fixWait(r *race, f *Finding) (text string, late bool) {
	for _, p := range []struct {
		after, started *side
		access, other  *Access
	}{{&r.a, &r.b, &f.First, &f.Second}, {&r.b, &r.a, &f.Second, &f.First}} {
		to := d.Points.Instances[p.started.Inst].Origin
		points := d.Runs.SpawnPoints[to]
		if len(points) != 1 || to == d.Points.Instances[p.after.Inst].Origin {
			continue
		}
		spawn := d.outer(points[0])
		from, ok := d.follows(p.after, spawn)
		if !ok {
			continue
		}
		direct := p.after.Inst == spawn.Inst || !p.access.Kind.Writes() // else both are meant to do their work at the same time
		if wait := d.laterWait(spawn, from, to); wait.IsValid() && direct {
			return fmt.Sprintf("wait for %s before %s: the wait at %s comes too late", originWords(p.other.Origin), at(d.place(spawn.Inst, from)), at(wait)), true
		}
		if isThread(p.other.Origin) && !p.other.Origin.Many && !p.access.Kind.Writes() && d.ends(to) { // it reads what the other made
			return fmt.Sprintf("wait for %s before %s", originWords(p.other.Origin), at(d.place(spawn.Inst, from))), false
		}
	}
	return "", false
}

// isThread tells whether an origin runs from its start to its end, so that one
// can wait for it.
func isThread(o OriginRef) bool { return o.Kind == "goroutine" || o.Kind == "thread" }

// follows returns the instruction by which an activation that spawns makes an
// access afterwards, itself or by a call.
func (d *detector) follows(s *side, spawn runs.Point) (int32, bool) {
	instr := int32(-1)
	if s.Inst == spawn.Inst {
		instr = s.Instr
	}
	for _, st := range d.traceOf(s) {
		if st.point.Inst == spawn.Inst {
			instr = st.point.Instr
		}
	}
	return instr, instr >= 0 && runs.Reaches(d.Points.Body(spawn.Inst), spawn.Instr, instr, ir.None)
}

// laterWait returns the first wait of a function, behind an instruction, for what
// an origin signals.
func (d *detector) laterWait(spawn runs.Point, after int32, to origin.ID) Place {
	body := d.Points.Body(spawn.Inst)
	for i := after + 1; i < int32(len(body.Instrs)); i++ {
		in := &body.Instrs[i]
		switch {
		case in.Op == ir.OpGroup && ir.GroupKind(in.Sub) == ir.GroupWait, in.Op == ir.OpRecv, in.Op == ir.OpAwait, in.Op == ir.OpJoin:
		default:
			continue
		}
		if !runs.Reaches(body, after, i, ir.None) {
			continue
		}
		set := d.Points.PointsTo(spawn.Inst, body.Args(in)[0], 0)
		if in.Op == ir.OpJoin && d.starts(spawn, set) || d.signals(to, set) {
			return d.place(spawn.Inst, i)
		}
	}
	return Place{}
}

// starts tells whether a spawn starts one of the objects of a set.
func (d *detector) starts(spawn runs.Point, set *pointer.Set) bool {
	for _, v := range d.passed(spawn) {
		if intersect(d.Points.PointsTo(spawn.Inst, v, 0), set) {
			return true
		}
	}
	return false
}

// signals tells whether code of an origin signals one of the groups or channels of
// a set.
func (d *detector) signals(o origin.ID, set *pointer.Set) bool {
	if set.Empty() {
		return false
	}
	for i := range d.Points.Instances {
		id := pointer.InstID(i)
		body := d.Points.Body(id)
		if d.Points.Instances[i].Origin != o || body == nil {
			continue
		}
		for k := range body.Instrs {
			in := &body.Instrs[k]
			switch {
			case in.Op == ir.OpGroup && ir.GroupKind(in.Sub) == ir.GroupDone, in.Op == ir.OpSend, in.Op == ir.OpClose, in.Op == ir.OpPost:
				if intersect(d.Points.PointsTo(id, body.Args(in)[0], 0), set) {
					return true
				}
			}
		}
	}
	return false
}

func intersect(a, b *pointer.Set) bool {
	found := false
	a.Each(func(n pointer.Node) bool {
		found = b.Has(n)
		return !found
	})
	return found
}

// ends tells whether the functions that an origin begins with return.
func (d *detector) ends(o origin.ID) bool {
	for _, f := range d.Points.Origins.Get(o).Entries {
		body := d.Points.Prog.Body(f)
		if body == nil {
			return false
		}
		returns := false
		for i := range body.Instrs {
			returns = returns || body.Instrs[i].Op == ir.OpReturn && runs.ReachesStart(body, int32(i), ir.None)
		}
		if !returns {
			return false
		}
	}
	return true
}
