package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

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
	spawn, ok := d.handing(obj, to)
	if !ok || d.Points.Objects[obj].Inst < 0 {
		return false
	}
	if body := d.Points.Body(spawn.Inst); body.Instrs[spawn.Instr].Flags&ir.FlagMany != 0 {
		return d.ownItem(obj, spawn)
	}
	h := handover{object: obj, spawn: spawn, made: -1}
	if d.passedOnce(&h) && d.heldOnlyFor(&h) &&
		!runs.Reaches(d.Points.Body(h.spawn.Inst), h.spawn.Instr, h.spawn.Instr, h.made) {
		return true
	}
	return d.handedOver(obj, to, d.outer(spawn), map[pointer.ObjectID]bool{})
}

// maxHanding bounds the spawns of one origin among which the one is sought that
// hands an object over.
const maxHanding = 8

// handing returns the one spawn of an origin through which it can get to know an
// object: those that hand over nothing that leads there do not matter, such as the
// spawn by which a task starts others of its kind.
func (d *detector) handing(obj pointer.ObjectID, to origin.ID) (spawn runs.Point, ok bool) {
	points := d.Runs.SpawnPoints[to]
	if len(points) == 1 {
		return points[0], true
	}
	if len(points) > maxHanding {
		return spawn, false
	}
	for _, p := range points {
		reaches := func(v ir.Value) bool { return d.reaches(p.Inst, v, obj) }
		if !slices.ContainsFunc(d.passed(p), reaches) {
			continue
		}
		if ok {
			return spawn, false
		}
		spawn, ok = p, true
	}
	return spawn, ok
}

// ownItem tells whether each of the many origins that one spawn of a model starts
// gets another object: the spawn passes what a container holds, once each, and
// nothing else that it passes leads to the object.
func (d *detector) ownItem(obj pointer.ObjectID, spawn runs.Point) bool {
	body := d.Points.Body(spawn.Inst)
	own := false
	for _, v := range d.passed(spawn) {
		k := d.Points.Prog.Definition(d.Points.Instances[spawn.Inst].Func, v)
		if k >= 0 && body.Instrs[k].Op == ir.OpLoad && body.Instrs[k].Flags&ir.FlagModel != 0 && d.leadsTo(spawn.Inst, v, obj) {
			own = true
		} else if d.reaches(spawn.Inst, v, obj) {
			return false
		}
	}
	return own
}

// maxReach bounds how many objects are looked at to find out what a value leads
// to.
const maxReach = 200

// reaches tells whether memory that a value leads to leads to an object, or there
// is too much of it to say.
func (d *detector) reaches(inst pointer.InstID, v ir.Value, obj pointer.ObjectID) bool {
	key := operand{inst, v}
	r, known := d.reached[key]
	if !known {
		r = d.findReached(inst, v)
		d.reached[key] = r
	}
	return r.tooMuch || r.objects[obj]
}

// operand is a value as an instance has it.
type operand struct {
	inst pointer.InstID
	v    ir.Value
}

// reached are the objects that a value leads to.
type reached struct {
	objects map[pointer.ObjectID]bool
	tooMuch bool
}

func (d *detector) findReached(inst pointer.InstID, v ir.Value) reached {
	var queue []pointer.ObjectID
	seen := make(map[pointer.ObjectID]bool)
	add := func(set *pointer.Set) bool {
		set.Each(func(n pointer.Node) bool {
			if id, _ := d.Points.Object(n); id != pointer.NoObject && !seen[id] {
				seen[id] = true
				queue = append(queue, id)
			}
			return len(seen) < maxReach
		})
		return len(seen) < maxReach
	}
	add(d.Points.PointsTo(inst, v, 0))
	for len(queue) > 0 {
		o := &d.Points.Objects[queue[0]]
		queue = queue[1:]
		for k := int32(0); k < o.Size; k++ {
			if !add(d.Points.Content(o.Base + pointer.Node(k))) {
				return reached{tooMuch: true}
			}
		}
	}
	return reached{objects: seen}
}

// outer returns the call of the library function that a model's spawn stands in,
// or the spawn.
func (d *detector) outer(p runs.Point) runs.Point {
	for range maxLift {
		callers := d.Runs.CallersOf(p.Inst)
		def := d.Points.Prog.Def(d.Points.Instances[p.Inst].Func)
		if def == nil || def.Flags&ir.FuncExternal == 0 || len(callers) != 1 || callers[0].How != ir.Now {
			break
		}
		p = runs.Point{Inst: callers[0].Inst, Instr: callers[0].Instr}
	}
	return p
}

// handedOver tells whether a spawn passes an object on, directly or inside others
// that it passes on, and each run of the spawn another one: a task in a thread, and
// what the task has made for itself. What else holds it, such as a list of all
// threads, does not matter if the origin does not know of it. seen holds the
// objects on the way.
func (d *detector) handedOver(obj pointer.ObjectID, to origin.ID, spawn runs.Point, seen map[pointer.ObjectID]bool) bool {
	if seen[obj] {
		return true
	}
	seen[obj] = true
	made, ok := d.madeFor(obj, spawn.Inst)
	if !ok {
		return d.madeByCaller(obj, spawn) && d.holdersHanded(obj, to, spawn, seen) != no
	}
	body := d.Points.Body(spawn.Inst)
	if runs.Reaches(body, spawn.Instr, spawn.Instr, made) {
		return false
	}
	if held := d.holdersHanded(obj, to, spawn, seen); held != unasked {
		return held == yes
	}
	for _, v := range body.Args(&body.Instrs[spawn.Instr]) {
		if d.leadsTo(spawn.Inst, v, obj) {
			return true
		}
	}
	return false
}

// holdersHanded tells whether all objects that hold one, and that the origin knows
// of, are handed over as well; unasked if there are none. Those that the origin has
// made for itself do not count.
func (d *detector) holdersHanded(obj pointer.ObjectID, to origin.ID, spawn runs.Point, seen map[pointer.ObjectID]bool) answer {
	held := unasked
	for _, h := range d.Sharing.Holders(obj) {
		if !d.knows(to, h) || d.Sharing.InstanceLocal(h, to) {
			continue
		}
		if !d.handedOver(h, to, spawn, seen) {
			return no
		}
		held = yes
	}
	return held
}

// madeByCaller tells whether a caller of the function with a spawn makes an object
// anew for each call, to which it passes it, and each call comes to the spawn once.
func (d *detector) madeByCaller(obj pointer.ObjectID, spawn runs.Point) bool {
	for range maxLift {
		call, ok := d.callWith(spawn.Inst, obj)
		if !ok || d.Runs.InLoop(spawn) {
			return false
		}
		if made, ok := d.madeFor(obj, call.Inst); ok {
			return made != call.Instr && !runs.Reaches(d.Points.Body(call.Inst), call.Instr, call.Instr, made)
		}
		spawn = call
	}
	return false
}

// callWith returns the only call of an instance that passes an object.
func (d *detector) callWith(inst pointer.InstID, obj pointer.ObjectID) (call runs.Point, ok bool) {
	for _, c := range d.Runs.CallersOf(inst) {
		passes := func(v ir.Value) bool { return d.leadsTo(c.Inst, v, obj) }
		if !slices.ContainsFunc(d.passed(c), passes) {
			continue
		}
		if ok || c.How != ir.Now {
			return call, false
		}
		call, ok = c, true
	}
	return call, ok
}

// knows tells whether code of an origin has to do with an object.
func (d *detector) knows(o origin.ID, obj pointer.ObjectID) bool {
	known, ok := d.known[o]
	if !ok {
		known = make(map[pointer.ObjectID]bool)
		for _, id := range d.Runs.Instances() {
			if d.Points.Instances[id].Origin == o {
				d.addKnown(id, known)
			}
		}
		d.known[o] = known
	}
	return known[obj]
}

// addKnown adds the objects that the values of an instance lead to.
func (d *detector) addKnown(id pointer.InstID, known map[pointer.ObjectID]bool) {
	body := d.Points.Body(id)
	if body == nil {
		return
	}
	add := func(n pointer.Node) bool {
		if o, _ := d.Points.Object(n); o != pointer.NoObject {
			known[o] = true
		}
		return true
	}
	fn := d.Points.Instances[id].Func
	for k, r := range body.Regs {
		for _, slot := range d.Points.Prog.Layout(d.Points.Prog.TypeOf(fn, r.Type)).Pointers {
			d.Points.PointsTo(id, ir.RegValue(ir.Reg(k)), slot).Each(add)
		}
	}
	for i := range body.Instrs {
		for _, v := range body.Args(&body.Instrs[i]) {
			if v.Kind() == ir.ValueGlobal {
				d.Points.PointsTo(id, v, 0).Each(add)
			}
		}
	}
}

// madeFor returns the instruction of an instance that makes an object, itself or
// by what it calls there.
func (d *detector) madeFor(obj pointer.ObjectID, inst pointer.InstID) (int32, bool) {
	o := &d.Points.Objects[obj]
	at := runs.Point{Inst: o.Inst, Instr: o.Site.Instr}
	for range maxLift {
		if at.Inst < 0 {
			break
		}
		if at.Inst == inst {
			return at.Instr, true
		}
		callers := d.Runs.CallersOf(at.Inst)
		if len(callers) != 1 || callers[0].How != ir.Now {
			break
		}
		at = runs.Point{Inst: callers[0].Inst, Instr: callers[0].Instr}
	}
	return 0, false
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
	return d.Points.Leads(d.Points.PointsTo(inst, v, 0), obj)
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
