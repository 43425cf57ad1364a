package report

import (
	"github.com/deadheat/deadheat/internal/detect"
)

// A step is one thing on the way from an origin's entry to an access: a call, a
// lock taken, or last the access.
type step struct {
	function string
	place    detect.Place
	callee   string           // of a call
	taken    *detect.HeldLock // the lock taken, if that is what the step is
	last     bool             // the access
	held     []detect.HeldLock
}

// stepsOf returns the way to an access. A lock whose function is on the way is
// taken in a step of its own, and held from there on; of the others it is known
// only that they are held at the access.
func stepsOf(a *detect.Access) []step {
	var steps []step
	var held []detect.HeldLock
	taken := make([]bool, len(a.Locks))
	for i, f := range a.Trace {
		for k := range a.Locks {
			l := &a.Locks[k]
			if taken[k] || l.Function == "" || l.Function != f.Function || !l.Place.IsValid() {
				continue
			}
			taken[k] = true
			held = append(held[:len(held):len(held)], *l)
			steps = append(steps, step{function: f.Function, place: l.Place, taken: l, held: held})
		}
		s := step{function: f.Function, place: f.Place, held: held, last: i == len(a.Trace)-1}
		if s.last {
			s.held = a.Locks
		} else {
			s.callee = a.Trace[i+1].Function
		}
		steps = append(steps, s)
	}
	return steps
}
