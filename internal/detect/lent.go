package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/runs"
)

// A lock that a function holds from before it starts a goroutine until it has
// waited for it is as good as held by the goroutine: whoever else wants it has to
// wait until the goroutine is done.

// lentLock tells whether two accesses exclude each other by a lock that the
// starter of one of them holds meanwhile. That does not exclude the starter
// itself, who must be kept apart in another way.
func (d *detector) lentLock(v view, a, b *side) bool {
	return d.lentTo(v, a, b) || d.lentTo(v, b, a)
}

func (d *detector) lentTo(v view, a, b *side) bool {
	if len(a.locks.Locks) == 0 || !b.way.Start || d.Points.Instances[a.Inst].Origin == d.Points.Instances[b.Inst].Origin {
		return false
	}
	points := d.Runs.SpawnPoints[d.Points.Instances[b.Inst].Origin]
	if len(points) != 1 {
		return false
	}
	if !v.order.ApartIn(points[0].Inst, d.moment(v, a), d.moment(v, b)) {
		return false
	}
	held := d.lent(points[0], b)
	if len(held) == 0 {
		return false
	}
	under := *b
	under.locks.Locks = d.Locks.Lent(b.Inst, b.Instr, b.way, points[0], held)
	_, ok := d.commonLock(v.runs, a, &under)
	return ok
}

// lent returns the locks that are held where an origin is started and until the
// starter has waited for an access of it.
func (d *detector) lent(spawn runs.Point, b *side) []lockset.Lock {
	body := d.Points.Body(spawn.Inst)
	var out []lockset.Lock
	for _, l := range d.Locks.At(spawn.Inst, spawn.Instr) {
		if l.Maybe || l.Mode != ir.Exclusive || !d.Order.Joined(spawn.Inst, b.point, d.without(spawn, l, len(body.Instrs))) {
			continue
		}
		out = append(out, l)
	}
	return out
}

// without returns the first instructions on ways from a point at which a lock is
// not surely held any more, and those that return.
func (d *detector) without(p runs.Point, l lockset.Lock, n int) []int32 {
	body := d.Points.Body(p.Inst)
	var out []int32
	for i := range int32(n) {
		in := &body.Instrs[i]
		if in.Op != ir.OpReturn && d.holdsAt(p, i, l) || !runs.Reaches(body, p.Instr, i, ir.None) {
			continue
		}
		out = append(out, i)
	}
	return out
}

func (d *detector) holdsAt(p runs.Point, i int32, l lockset.Lock) bool {
	return slices.ContainsFunc(d.Locks.At(p.Inst, i), func(m lockset.Lock) bool {
		return !m.Maybe && m.Mode == ir.Exclusive && m.Path == l.Path && m.Node == l.Node && m.Taken == l.Taken
	})
}
