package detect

import (
	"encoding/binary"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// group spells everything about an access that detection asks for, save its
// position. Without locks the path matters only for whose object it is and which
// element.
func (d *detector) group(s *side) string {
	at := s.locks.Path
	if at != path.None && len(s.locks.Locks) == 0 {
		at = d.Locks.Paths(s.Inst).Root(at)
	}
	place := 0
	if d.Order.StartsInLoop(s.Inst) {
		place = int(s.Instr)
	}
	key := make([]byte, 0, 64)
	for _, n := range []int{place, int(s.Inst), int(s.Kind), int(at), int(s.when.Segment()), int(s.elems.from), int(s.elems.to), flag(s.Tail), flag(s.Far), flag(d.isWait(s))} {
		key = binary.AppendVarint(key, int64(n))
	}
	for _, l := range s.locks.Locks {
		for _, n := range []int{int(l.Path), int(l.Node), int(l.Mode), flag(l.Maybe)} {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	return string(key)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ownObjects tells whether two accesses by one origin are to different objects
// because every run of its spawn hands over an object of its own: the object is
// made anew on every way to the spawn, and reaches the origin only through it.
func (d *detector) ownObjects(c *sharing.Cell, a, b *side) bool {
	o := d.Points.Instances[a.Inst].Origin
	return o == d.Points.Instances[b.Inst].Origin && d.handover(c.Object, o)
}

// handover is a spawn that gives each origin instance a new object.
type handover struct {
	object pointer.ObjectID
	spawn  runs.Point
	made   int32 // instruction of the spawning instance whose result is the object
}

func (d *detector) handover(obj pointer.ObjectID, to origin.ID) bool {
	points := d.Runs.SpawnPoints[to]
	if len(points) != 1 || d.Points.Objects[obj].Inst < 0 {
		return false
	}
	h := handover{object: obj, spawn: points[0], made: -1}
	return d.passedOnce(&h) && d.heldOnlyFor(&h) &&
		!runs.Reaches(d.Points.Body(h.spawn.Inst), h.spawn.Instr, h.spawn.Instr, h.made)
}

// passedOnce finds the one operand, or captured value, through which the spawn
// passes the object, and the instruction that made it.
func (d *detector) passedOnce(h *handover) bool {
	inst := h.spawn.Inst
	body := d.Points.Body(inst)
	t := d.Locks.Paths(inst)
	for _, v := range d.passed(h.spawn) {
		if !d.leadsTo(inst, v, h.object) {
			continue
		}
		p := t.Value(v)
		if p == path.None {
			return false
		}
		root := t.Get(t.Root(p))
		if root.Kind != path.Value || h.made >= 0 && h.made != root.N {
			return false
		}
		h.made = root.N
	}
	if h.made < 0 {
		return false
	}
	switch body.Instrs[h.made].Op {
	case ir.OpAlloc, ir.OpMakeSlice, ir.OpMakeMap, ir.OpMakeChan:
		return d.Points.Objects[h.object].Inst == inst && d.Points.Objects[h.object].Site.Instr == h.made
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		return d.Points.Objects[h.object].Inst != inst
	}
	return false
}

func (d *detector) leadsTo(inst pointer.InstID, v ir.Value, obj pointer.ObjectID) bool {
	found := false
	d.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		found = id == obj
		return !found
	})
	return found
}

// heldOnlyFor tells whether nothing in memory leads to the object but closures
// that the spawning instance makes.
func (d *detector) heldOnlyFor(h *handover) bool {
	for _, holder := range d.Sharing.Holders(h.object) {
		if o := &d.Points.Objects[holder]; o.Kind != pointer.ObjectFunc || o.Inst != h.spawn.Inst {
			return false
		}
	}
	return true
}

// ownArgument tells whether every run of an origin's spawn may pass another one
// of the objects of a site: the spawn is in a loop, and all it passes that leads
// to the object changes with the loop (an element of a slice, something
// received).
func (d *detector) ownArgument(obj pointer.ObjectID, o origin.ID) bool {
	points := d.Runs.SpawnPoints[o]
	if len(points) != 1 || d.Runs.Unique(obj) || !d.Runs.InLoop(points[0]) {
		return false
	}
	inst := points[0].Inst
	found := false
	for _, v := range d.passed(points[0]) {
		if !d.leadsTo(inst, v, obj) && !d.holds(inst, v, obj) {
			continue
		}
		found = true
		k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
		if k < 0 || !d.Runs.InLoop(runs.Point{Inst: inst, Instr: k}) {
			return false
		}
	}
	return found
}

// holds tells whether a variable that a value is the address of leads to an
// object.
func (d *detector) holds(inst pointer.InstID, v ir.Value, obj pointer.ObjectID) bool {
	found := false
	d.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		d.Points.Content(n).Each(func(m pointer.Node) bool {
			id, _ := d.Points.Object(m)
			found = id == obj
			return !found
		})
		return !found
	})
	return found
}

// passed returns what a spawn passes: its operands and, for closures made
// beside it, their captures.
func (d *detector) passed(p runs.Point) []ir.Value {
	body := d.Points.Body(p.Inst)
	args := body.Args(&body.Instrs[p.Instr])
	values := append([]ir.Value(nil), args...)
	for _, v := range args {
		if k := d.Points.Prog.Definition(d.Points.Instances[p.Inst].Func, v); k >= 0 && body.Instrs[k].Op == ir.OpClosure {
			values = append(values, body.Args(&body.Instrs[k])...)
		}
	}
	return values
}
