package runs

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Cause says why something runs many times.
type Cause uint8

const (
	Once        Cause = iota // it does not
	Loop                     // in a loop
	Places                   // from several places
	Repeated                 // a framework does it again and again
	ManyParents              // by an origin of which there are many
	Recursion                // by itself
)

// WhyMany returns why several instances of an origin may run, and where: of a
// loop or a framework the start or the call, of several places one after
// another.
func (r *Result) WhyMany(o origin.ID) (Cause, []Point) {
	points := r.SpawnsOf(o)
	if r.twice(points) != 0 {
		return Places, points
	}
	for _, p := range points {
		switch {
		case r.InLoop(p):
			return Loop, points
		case r.flags(p)&ir.FlagMany != 0:
			return Repeated, points
		case r.Often(p.Inst):
			return r.whyOften(p.Inst)
		case r.Many(r.pts.Instances[p.Inst].Origin):
			return ManyParents, points
		}
	}
	return Once, nil
}

// whyOften returns why an instance may run more than once: what is nearest on
// the way to it.
func (r *Result) whyOften(inst pointer.InstID) (Cause, []Point) {
	seen := map[pointer.InstID]bool{inst: true}
	queue := []pointer.InstID{inst}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		callers := r.CallersOf(id)
		if r.twice(callers) != 0 {
			return Places, callers
		}
		for _, c := range callers {
			switch {
			case r.InLoop(c):
				return Loop, callers
			case r.flags(c)&ir.FlagMany != 0:
				return Repeated, callers
			case seen[c.Inst]:
				return Recursion, callers
			}
			seen[c.Inst] = true
			queue = append(queue, c.Inst)
		}
	}
	return Once, nil
}
