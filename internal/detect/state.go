package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A service sets a flag under its lock when it starts to run. Who holds the lock
// and finds the flag not set has to himself what the running service would use.
// Nobody here looks into whether the flag is cleared too early, so that this only
// lowers the confidence.

// otherState tells whether a is made under a lock and only if a flag has another
// value than the one it is given, under the same lock, on the way to b.
func (d *detector) otherState(a, b *side) bool {
	held := d.exclusiveNodes(a.Inst, a.Instr)
	if len(held) == 0 {
		return false
	}
	for _, p := range append([]runs.Point{a.point}, a.way.Calls...) {
		for _, c := range d.conditions(p) {
			if s, ok := d.stateOf(p.Inst, c, held); ok && d.setOnWay(b, s, held) {
				return true
			}
		}
	}
	return false
}

// startedByState tells whether instances of an origin are started under a lock and
// only if a flag is not set, which is set then.
func (d *detector) startedByState(o origin.ID) bool {
	starts := d.Runs.SpawnPoints[o]
	for _, p := range starts {
		held := d.exclusiveNodes(p.Inst, p.Instr)
		if !slices.ContainsFunc(d.conditions(p), func(c condition) bool {
			s, ok := d.stateOf(p.Inst, c, held)
			return ok && d.setBefore(p, s, held)
		}) {
			return false
		}
	}
	return len(starts) > 0
}

// state is what a flag must be, or must not be.
type state struct {
	flag  *pointer.Set // what it may be
	value string
	is    bool
}

// contradicts tells whether a flag of that value is not as required.
func (s state) contradicts(value string) bool { return (s.value == value) != s.is }

// stateOf returns what a condition says of a flag that was read under one of some
// locks.
func (d *detector) stateOf(inst pointer.InstID, c condition, locks []pointer.Node) (state, bool) {
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, c.value)
	body := d.Points.Body(inst)
	if k < 0 || body.Instrs[k].Op != ir.OpLoad || !anyOf(d.exclusiveNodes(inst, k), locks) {
		return state{}, false
	}
	value := "true"
	if c.equals != ir.NoValue {
		value = d.flagValue(inst, c.equals)
	}
	return state{d.Points.PointsTo(inst, body.Args(&body.Instrs[k])[0], 0), value, c.holds}, true
}

// flagValue returns a constant as the value of a flag, which is 0 or 1 where the
// machine has no truth values.
func (d *detector) flagValue(inst pointer.InstID, v ir.Value) string {
	switch text := d.constant(inst, v); text {
	case "0":
		return "false"
	case "1":
		return "true"
	default:
		return text
	}
}

// setOnWay tells whether, on every way to an access, or to the start of its
// origin, a flag is given a value that contradicts what is required, under one of
// some locks.
func (d *detector) setOnWay(b *side, s state, locks []pointer.Node) bool {
	return d.onWay(b, func(p runs.Point) bool { return d.setBefore(p, s, locks) })
}

// onWay tells whether something holds at a point on the way to an access, or at all
// starts of its origin.
func (d *detector) onWay(b *side, holds func(runs.Point) bool) bool {
	for _, p := range append([]runs.Point{b.point}, b.way.Calls...) {
		if holds(p) {
			return true
		}
	}
	starts := d.Runs.SpawnPoints[d.Points.Instances[b.Inst].Origin]
	for _, p := range starts {
		if !holds(p) {
			return false
		}
	}
	return len(starts) > 0
}

// setBefore is setOnWay within the function of one point.
func (d *detector) setBefore(p runs.Point, s state, locks []pointer.Node) bool {
	body := d.Points.Body(p.Inst)
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore {
			continue
		}
		args := body.Args(in)
		if args[1].Const() == ir.None || !s.contradicts(d.flagValue(p.Inst, args[1])) {
			continue
		}
		if !intersect(d.Points.PointsTo(p.Inst, args[0], 0), s.flag) {
			continue
		}
		if !runs.ReachesStart(body, p.Instr, int32(i)) && anyOf(d.exclusiveNodes(p.Inst, int32(i)), locks) {
			return true
		}
	}
	return false
}

// exclusiveNodes returns where the locks are that an instance holds for itself.
func (d *detector) exclusiveNodes(inst pointer.InstID, instr int32) []pointer.Node {
	var out []pointer.Node
	for _, l := range d.Locks.At(inst, instr) {
		if l.Mode == ir.Exclusive && !l.Maybe {
			out = append(out, d.Locks.Targets(l)...)
		}
	}
	return out
}

func anyOf(x, y []pointer.Node) bool {
	return slices.ContainsFunc(x, func(n pointer.Node) bool { return slices.Contains(y, n) })
}
