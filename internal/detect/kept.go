package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// A function that takes a lock, makes an object and returns it with the lock held
// has the lock last as long as the object: a transaction, until it is ended. Who
// goes through such an object may hold the lock, though its own calls took none.

// mayKeepLock tells whether one side holds no lock but gets to the memory through
// objects whose makers kept a lock that the other side holds.
func (d *detector) mayKeepLock(obj pointer.ObjectID, a, b *side) bool {
	return d.keptFor(obj, a, b) || d.keptFor(obj, b, a)
}

func (d *detector) keptFor(obj pointer.ObjectID, s, other *side) bool {
	if len(s.locks.Locks) > 0 || !d.holdsAny(other) {
		return false
	}
	l := d.lookup(obj, s.point, s.locks.Path, s.way.Calls, maxLookup)
	if l.unknown || len(l.made) > 0 || len(l.from) == 0 {
		return false
	}
	return !slices.ContainsFunc(l.from, func(h pointer.ObjectID) bool { return !d.keepsLock(h, other) })
}

// keepsLock tells whether the function that makes an object may return with a lock
// held that an access holds too, in modes that exclude each other.
func (d *detector) keepsLock(h pointer.ObjectID, s *side) bool {
	inst := d.Points.Objects[h].Inst
	if inst < 0 {
		return false
	}
	body := d.Points.Body(inst)
	for i := range body.Instrs {
		if body.Instrs[i].Op != ir.OpReturn {
			continue
		}
		for _, x := range d.Locks.At(inst, int32(i)) {
			if x.Maybe || x.Taken.Inst != inst {
				continue
			}
			targets := d.Locks.Targets(x)
			for _, y := range s.locks.Locks {
				if !y.Maybe && (x.Mode != ir.Shared || y.Mode != ir.Shared) &&
					slices.ContainsFunc(d.Locks.Targets(y), func(n pointer.Node) bool { return slices.Contains(targets, n) }) {
					return true
				}
			}
		}
	}
	return false
}
