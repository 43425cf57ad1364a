package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// commonLock returns the lock that both sides hold. Locks that are not one by all
// that is known are left out: what names them is given another value meanwhile,
// or there are several of them beside one piece of memory.
func (d *detector) commonLock(rs *runs.Result, a, b *side) (lockset.Protected, bool) {
	left := a.locks
	for len(left.Locks) > 0 {
		p, ok := d.Locks.Common(left, b.locks, rs)
		if !ok {
			break
		}
		if p.First.Node >= 0 && p.First.Node == p.Second.Node && rs.UniqueNode(p.First.Node) {
			return p, true
		}
		if !d.replaced(p.First) && !d.replaced(p.Second) && !d.severalFor(a, p) {
			return p, true
		}
		rest := make([]lockset.Lock, 0, len(left.Locks))
		for _, l := range left.Locks {
			if l != p.First {
				rest = append(rest, l)
			}
		}
		left.Locks = rest
	}
	return lockset.Protected{}, false
}

// taken leaves out what is held on some ways only, by a lock that is never taken: all
// callers say that it is not to be.
func (d *detector) taken(locks []lockset.Lock) []lockset.Lock {
	return slices.DeleteFunc(locks, func(l lockset.Lock) bool { return l.Maybe && !d.Values.Runs(l.Taken.Inst, l.Taken.Instr) })
}

// severalFor tells whether a lock that is only likely to be the same, because both
// sides get to it from where they get to the data, is one of many while there is
// one piece of data: those who have a lock each share the data. Locks of elements
// are as many as those.
func (d *detector) severalFor(a *side, p lockset.Protected) bool {
	return p.Likely && d.isOne(a) && d.isOneOfMany(p.First)
}

// severalLocks tells whether a side accesses memory of which there is one and all
// it holds are locks of which there are many.
func (d *detector) severalLocks(s *side) bool {
	for _, l := range s.locks.Locks {
		if !d.isOneOfMany(l) {
			return false
		}
	}
	return len(s.locks.Locks) > 0 && d.isOne(s)
}

// isOne tells whether a side accesses one piece of memory for certain.
func (d *detector) isOne(s *side) bool {
	n, ok := d.Points.PointsTo(s.Inst, s.Addr, 0).Single()
	return ok && d.Runs.UniqueNode(n)
}

// isOneOfMany tells whether a lock is an object that is made many times.
func (d *detector) isOneOfMany(l lockset.Lock) bool {
	targets := d.Locks.Targets(l)
	for _, t := range targets {
		if id, _ := d.Points.Object(t); id == pointer.NoObject || d.Runs.Unique(id) || d.Points.Objects[id].Inst < 0 {
			return false
		}
	}
	return len(targets) > 0
}

// replaced tells whether the variable that a lock was taken out of may be given
// another lock by somebody else at that time: who comes later takes that one.
func (d *detector) replaced(l lockset.Lock) bool {
	if l.Taken.Inst < 0 {
		return false
	}
	is, known := d.replacedAt[l.Taken]
	if !known {
		d.replacedAt[l.Taken] = false // while it is being found out
		is = d.isReplaced(l.Taken)
		d.replacedAt[l.Taken] = is
	}
	return is
}

func (d *detector) isReplaced(taken runs.Point) bool {
	body := d.Points.Body(taken.Inst)
	in := &body.Instrs[taken.Instr]
	if in.Op != ir.OpLock {
		return false
	}
	k := d.Points.Prog.Definition(d.Points.Instances[taken.Inst].Func, body.Args(in)[0])
	if k < 0 || body.Instrs[k].Op != ir.OpLoad || body.Instrs[k].Flags&ir.FlagModel != 0 {
		return false
	}
	node, ok := d.Points.PointsTo(taken.Inst, body.Args(&body.Instrs[k])[0], 0).Single()
	if !ok {
		return false
	}
	c := d.cellAt(node)
	if c == nil {
		return false
	}
	for _, x := range c.Accesses {
		if x.Inst != taken.Inst || x.Instr != k {
			continue
		}
		for _, y := range c.Accesses {
			if y.Kind.Writes() && (x.Inst != y.Inst || d.Runs.Many(d.Points.Instances[x.Inst].Origin)) && d.contends(c, d.sideOf(x), d.sideOf(y)) {
				return true
			}
		}
	}
	return false
}

// contends tells whether a write may come at the same time as a read that takes a
// lock, whatever locks the two hold and whether or not they are indivisible.
func (d *detector) contends(c *sharing.Cell, read, write *side) bool {
	r, w := *read, *write
	r.number, w.number = noNumber, noNumber
	r.locks.Locks, w.locks.Locks = nil, nil
	r.Kind, w.Kind = sharing.Read, sharing.Write
	return d.judge(c, &w, &r, false) == racing
}

// cellAt returns the shared cell at an address, nil if it is not shared.
func (d *detector) cellAt(n pointer.Node) *sharing.Cell {
	id, slot := d.Points.Object(n)
	if d.cells == nil {
		d.cells = make(map[slotKey]*sharing.Cell)
		for i := range d.Sharing.Cells {
			c := &d.Sharing.Cells[i]
			d.cells[slotKey{c.Object, c.Slot}] = c
		}
	}
	return d.cells[slotKey{id, slot}]
}

type slotKey struct {
	object pointer.ObjectID
	slot   int32
}

// triedInVain tells whether a lock is one that the function of a side has tried to
// take, and gone on without.
func (d *detector) triedInVain(s *side, l lockset.Lock) bool {
	if !l.Maybe || l.Taken.Inst != s.Inst {
		return false
	}
	in := &d.Points.Body(s.Inst).Instrs[l.Taken.Instr]
	return in.Op == ir.OpLock && in.Flags&ir.FlagTry != 0
}
