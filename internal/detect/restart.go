package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// startsOther tells whether one access is made by a function that starts the
// origin of the other after it, with the same object: of many objects, only one
// that is started again could be accessed by an older goroutine meanwhile.
func (d *detector) startsOther(obj pointer.ObjectID, a, b *side) bool {
	return d.setsUp(obj, a, b) || d.setsUp(obj, b, a)
}

// setsUp tells whether every start of the origin of b follows a in the activation
// that makes a, or calls what does.
func (d *detector) setsUp(obj pointer.ObjectID, a, b *side) bool {
	points := d.Runs.SpawnPoints[d.Points.Instances[b.Inst].Origin]
	for _, p := range points {
		if !d.precedesStart(obj, a, p) {
			return false
		}
	}
	return len(points) > 0
}

func (d *detector) precedesStart(obj pointer.ObjectID, a *side, spawn runs.Point) bool {
	// Whichever origin the function is called in, it does the same.
	fn := d.Points.Instances[spawn.Inst].Func
	inside := d.Points.Instances[a.Inst].Func == fn
	at := a.Instr
	if !inside {
		k := slices.IndexFunc(a.way.Calls[:min(len(a.way.Calls), maxLift)], func(c runs.Point) bool { return d.Points.Instances[c.Inst].Func == fn })
		if k < 0 {
			return false
		}
		at = a.way.Calls[k].Instr
	}
	body := d.Points.Body(spawn.Inst)
	if !runs.Reaches(body, at, spawn.Instr, ir.None) || runs.Reaches(body, spawn.Instr, at, ir.None) {
		return false
	}
	t := d.Locks.Paths(spawn.Inst)
	for _, v := range d.passed(spawn) {
		if !d.leadsTo(spawn.Inst, v, obj) && !d.holds(spawn.Inst, v, obj) {
			continue
		}
		if !inside {
			return true
		}
		if p := t.Value(v); p != path.None && a.locks.Path != path.None && t.Root(p) == t.Root(a.locks.Path) {
			return true
		}
	}
	return false
}
