package detect

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// group spells everything about an access that detection asks for, save its
// position.
func (d *detector) group(s *side) string {
	var b strings.Builder
	for _, n := range []int{int(s.Inst), int(s.Kind), int(s.locks.Path)} {
		b.WriteString(strconv.Itoa(n) + " ")
	}
	for _, l := range s.locks.Locks {
		b.WriteString(strconv.Itoa(int(l.Path)) + ":" + strconv.Itoa(int(l.Node)) + ":" + strconv.Itoa(int(l.Mode)) + " ")
	}
	return b.String() + d.Order.Segment(s.point)
}

// handedOver tells whether two accesses of a cell are to different objects, or
// ordered, because every run of a spawn hands over an object of its own
// (ownership until escape; RELAY's "initialisation" category): the object is
// made anew on every way to the spawn, and reaches the origin only through it.
func (d *detector) handedOver(c *sharing.Cell, a, b *side) bool {
	oa, ob := d.Points.Instances[a.Inst].Origin, d.Points.Instances[b.Inst].Origin
	if h, ok := d.handover(c.Object, oa); ok {
		if oa == ob {
			return true
		}
		if ob == d.Points.Instances[h.spawn.Inst].Origin && d.beforeHandover(h, b) {
			return true
		}
	}
	if h, ok := d.handover(c.Object, ob); ok && oa != ob {
		return oa == d.Points.Instances[h.spawn.Inst].Origin && d.beforeHandover(h, a)
	}
	return false
}

// handover is a spawn that gives each origin instance a new object.
type handover struct {
	object pointer.ObjectID
	spawn  runs.Point
	made   int32 // instruction of the spawning instance whose result is the object
}

func (d *detector) handover(obj pointer.ObjectID, to origin.ID) (handover, bool) {
	points := d.Runs.SpawnPoints[to]
	if len(points) != 1 || d.Points.Objects[obj].Inst < 0 {
		return handover{}, false
	}
	h := handover{object: obj, spawn: points[0], made: -1}
	if !d.passedOnce(&h) {
		return handover{}, false
	}
	body := d.Points.Body(h.spawn.Inst)
	if reaches(body, h.spawn.Instr, h.spawn.Instr, h.made) || !d.heldOnlyFor(obj, &h) {
		return handover{}, false
	}
	return h, true
}

// passedOnce finds the one operand, or captured value, through which the spawn
// passes the object, and the instruction that made it.
func (d *detector) passedOnce(h *handover) bool {
	inst := h.spawn.Inst
	body := d.Points.Body(inst)
	t := d.Locks.Paths(inst)
	in := &body.Instrs[h.spawn.Instr]
	values := append([]ir.Value(nil), body.Args(in)...)
	for _, v := range body.Args(in) {
		if k := definition(body, v); k >= 0 && body.Instrs[k].Op == ir.OpClosure {
			values = append(values, body.Args(&body.Instrs[k])...)
		}
	}
	for _, v := range values {
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
func (d *detector) heldOnlyFor(obj pointer.ObjectID, h *handover) bool {
	for _, holder := range d.Sharing.Holders(obj) {
		if o := &d.Points.Objects[holder]; o.Kind != pointer.ObjectFunc || o.Inst != h.spawn.Inst {
			return false
		}
	}
	return true
}

// beforeHandover tells whether an access by the spawning origin comes before
// the spawn that hands its object over.
func (d *detector) beforeHandover(h handover, s *side) bool {
	points, ok := d.within(h, s.Inst, s.Instr)
	if !ok {
		return false
	}
	body := d.Points.Body(h.spawn.Inst)
	for _, p := range points {
		if p != h.made && reaches(body, h.spawn.Instr, p, h.made) {
			return false
		}
	}
	return true
}

// within returns the instructions of the spawning instance during which an
// access happens, if all calls that lead to it start there.
func (d *detector) within(h handover, inst pointer.InstID, instr int32) ([]int32, bool) {
	if inst == h.spawn.Inst {
		return []int32{instr}, true
	}
	var out []int32
	seen := map[pointer.InstID]bool{inst: true}
	queue := []pointer.InstID{inst}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if len(d.Runs.Callers[id]) == 0 || d.isEntry(id) {
			return nil, false
		}
		for _, c := range d.Runs.Callers[id] {
			if c.How != ir.Now {
				return nil, false
			}
			if c.Inst == h.spawn.Inst {
				out = append(out, c.Instr)
			} else if !seen[c.Inst] {
				seen[c.Inst] = true
				queue = append(queue, c.Inst)
			}
		}
	}
	return out, true
}

// reaches tells whether control can get from instruction from to instruction
// to without executing the one at barrier in between.
func reaches(body *ir.Body, from, to, barrier int32) bool {
	seen := make([]bool, len(body.Blocks))
	var walk func(start, end int32, b int) bool
	var next func(b int) bool
	walk = func(start, end int32, b int) bool {
		for i := start; i < end; i++ {
			if i == to {
				return true
			}
			if i == barrier {
				return false
			}
		}
		return next(b)
	}
	next = func(b int) bool {
		for _, s := range append(body.Succs(ir.BlockID(b)), body.Handlers(ir.BlockID(b))...) {
			if !seen[s] {
				seen[s] = true
				if walk(body.Blocks[s].First, body.Blocks[s].End, int(s)) {
					return true
				}
			}
		}
		return false
	}
	for b := range body.Blocks {
		if from < body.Blocks[b].End {
			return walk(from+1, body.Blocks[b].End, b)
		}
	}
	return false
}

// definition returns the instruction that assigns a register, or -1.
func definition(body *ir.Body, v ir.Value) int32 {
	r := v.Reg()
	if r == ir.None {
		return -1
	}
	for i := range body.Instrs {
		if body.Instrs[i].Dst == r {
			return int32(i)
		}
	}
	return -1
}
