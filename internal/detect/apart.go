package detect

import (
	"fmt"
	"slices"

	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/pointer"
)

// tellApart says which lock is meant where both sides hold one of the same name
// that is not the same lock: a copy, or a variable that each call has anew.
func (d *detector) tellApart(r *race, a, b *Access) {
	first, second := surely(r.a.locks.Locks), surely(r.b.locks.Locks)
	for i := range a.Locks {
		for k := range b.Locks {
			x, y := &a.Locks[i], &b.Locks[k]
			if x.Name != y.Name || x.Shared && y.Shared {
				continue
			}
			p, q := d.Locks.Targets(first[i]), d.Locks.Targets(second[k])
			if len(p) == 0 || len(q) == 0 || slices.ContainsFunc(p, func(n pointer.Node) bool { return slices.Contains(q, n) }) {
				continue // perhaps the same
			}
			x.Apart, y.Apart = d.lockOf(p), d.lockOf(q)
			if x.Apart == y.Apart {
				x.Apart, y.Apart = "a lock of its own", "a lock of its own"
			}
		}
	}
}

// surely leaves out locks that are held on some ways only.
func surely(locks []lockset.Lock) []lockset.Lock {
	return slices.DeleteFunc(slices.Clone(locks), func(l lockset.Lock) bool { return l.Maybe })
}

// lockOf says which of several locks of one name is meant.
func (d *detector) lockOf(targets []pointer.Node) string {
	id, _ := d.Points.Object(targets[0])
	o := d.object(id)
	switch {
	case len(targets) > 1 || !o.Place.IsValid():
		return ""
	case o.Name != "":
		return fmt.Sprintf("that of %s at %s", o.Name, at(o.Place))
	}
	return fmt.Sprintf("that of the %s made at %s", short(d.Points.Prog.TypeString(d.Points.Objects[id].Type)), at(o.Place))
}
