package detect

import (
	"encoding/binary"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/value"
)

// A thread that runs tasks is started before most tasks are made, or are handed to
// it. What a task does comes after that all the same, and so does what it starts: a
// method runs on an object that has been made and, if it is called on what a field
// holds, has been put there. So what may have begun before an access of main is over
// is what calls and starts lead to from the instructions that come before it, as far
// as they are methods of objects which those instructions, or others that may have
// begun, make and put where the calls find them.

// early is what may have begun before an access is over.
type early struct {
	*detector
	firm    bool // calls by reflection are taken not to be made
	insts   []bool
	objects []bool
	seen    map[passedInst]bool
	queue   []passedInst
	waiting map[pointer.ObjectID][]passedInst // methods that nobody has an object for yet
	around  map[pointer.InstID]int32          // activations that the access lies in: where they are
	unfound []madeCall                        // of methods, on nothing that has been put there yet
}

// madeCall is a call that an activation makes.
type madeCall struct {
	by   passedInst
	edge pointer.Edge
}

// passedInst is an activation that was told something by its caller.
type passedInst struct {
	inst pointer.InstID
	told value.Passed
}

// Beyond so many activations, or this part of the instances of the program if that
// is more, everything may have begun: what that is said of comes late.
const (
	maxEarly     = 2000
	maxEarlyPart = 8
)

// maxLiving bounds the activations of an origin, by its instances.
const maxLiving = 4

// maxHanded bounds the calls through which it is followed how something was put
// where it is.
const maxHanded = 8

// begunLater tells whether b begins only after a, an access of an origin that runs
// once, is over.
func (s *search) begunLater(a, b *side) bool {
	oa := s.Points.Instances[a.Inst].Origin
	at, way, whole := a.point, a.way, a.within != nil
	if whole {
		at, way = a.within.call, a.within.way
	}
	if oa == s.Points.Instances[b.Inst].Origin || !way.Start || !s.Points.Origins.Get(oa).Root || s.Runs.Many(oa) {
		return false
	}
	begun := s.earlyAt(at, way, extent{firm: s.trust <= noReflection, whole: whole})
	if begun == nil {
		return false
	}
	later := func(p runs.Point) bool { return !s.amongst(begun, p) }
	return later(b.point) || slices.ContainsFunc(b.way.Calls, later) ||
		b.within != nil && (later(b.within.call) || slices.ContainsFunc(b.within.way.Calls, later))
}

// extent says what counts as begun before a point.
type extent struct {
	firm  bool // not what is called by reflection
	whole bool // what the call at the point does, too
}

// activations lists what activations of an instance have been told.
type activations map[pointer.InstID][]value.Passed

// amongst tells whether one of some activations comes to an instruction.
func (d *detector) amongst(list activations, p runs.Point) bool {
	for _, told := range list[p.Inst] {
		if told == value.Nothing || d.Values.RunsIn(p.Inst, p.Instr, told) {
			return true
		}
	}
	return false
}

// earlyAt returns the activations that may have begun before a point, by a way, is
// over; nil if any may have.
func (d *detector) earlyAt(a runs.Point, way runs.Way, x extent) activations {
	key := make([]byte, 0, 16+8*len(way.Calls))
	key = append(key, byte(flag(x.firm))|byte(flag(x.whole))<<1)
	for k := -1; k < len(way.Calls); k++ {
		p := a
		if k >= 0 {
			p = way.Calls[k]
		} else if !x.whole {
			p.Instr = d.lastDone(a.Inst, a.Instr)
		}
		if p.How != ir.Now {
			return nil
		}
		key = binary.LittleEndian.AppendUint32(key, uint32(p.Inst))
		key = binary.LittleEndian.AppendUint32(key, uint32(p.Instr))
	}
	list, known := d.begun[string(key)]
	if !known {
		if outer := d.outermost(way, x.firm); x.whole || !d.crowdedBy[outer] {
			list = d.findEarly(a, way, x)
			d.crowdedBy[outer] = d.crowdedBy[outer] || list == nil && !x.whole
		}
		d.begun[string(key)] = list
	}
	return list
}

// outerCalls are the calls farthest from an access.
type outerCalls struct {
	calls [maxOuter]runs.Point
	firm  bool
}

// maxOuter is how many calls from the start are the same where too much may have
// begun: nothing else that is reached by them is asked about.
const maxOuter = 3

func (d *detector) outermost(way runs.Way, firm bool) outerCalls {
	o := outerCalls{firm: firm}
	copy(o.calls[:], way.Calls[max(0, len(way.Calls)-maxOuter):])
	return o
}

// lastDone returns the last instruction of a block, up to the given one, that calls
// or makes something, else the first of the block: what has begun is the same after it.
func (d *detector) lastDone(inst pointer.InstID, instr int32) int32 {
	body := d.Points.Body(inst)
	first := body.Blocks[body.BlockOf(instr)].First
	for ; instr > first; instr-- {
		switch body.Instrs[instr-1].Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpAlloc, ir.OpMakeMap, ir.OpMakeSlice, ir.OpMakeChan, ir.OpClosure, ir.OpBox, ir.OpAppend, ir.OpOnce:
			return instr
		}
	}
	return first
}

func (d *detector) findEarly(a runs.Point, way runs.Way, x extent) activations {
	e := &early{detector: d, firm: x.firm, insts: make([]bool, len(d.Points.Instances)), objects: make([]bool, len(d.Points.Objects)),
		seen: make(map[passedInst]bool), waiting: make(map[pointer.ObjectID][]passedInst),
		around: make(map[pointer.InstID]int32)}
	own := d.Points.Instances[a.Inst].Origin
	for i := range d.Points.Instances {
		if id := pointer.InstID(i); d.Points.Instances[i].Origin != own && d.Points.Origins.Get(d.Points.Instances[i].Origin).Root && d.isEntry(id) {
			e.begin(passedInst{id, value.Nothing})
		}
	}
	// The activations that a lies in, the outermost first.
	told := value.Nothing
	for k := len(way.Calls) - 1; k >= -1; k-- {
		at := a
		if k >= 0 {
			at = way.Calls[k]
		}
		body := d.Points.Body(at.Inst)
		e.insts[at.Inst] = true
		e.around[at.Inst] = at.Instr
		e.activation(passedInst{at.Inst, told}, func(instr int32) bool {
			return runs.Reaches(body, instr, at.Instr, ir.None) || x.whole && k < 0 && instr == at.Instr
		})
		if k >= 0 {
			told = d.Values.Pass(at.Inst, at.Instr, told)
		}
	}
	for more := true; more; {
		for len(e.queue) > 0 {
			begun := e.queue[len(e.queue)-1]
			e.queue = e.queue[:len(e.queue)-1]
			e.activation(begun, func(int32) bool { return true })
			if len(e.seen) > max(maxEarly, len(e.insts)/maxEarlyPart) {
				return nil
			}
		}
		list := e.unfound
		e.unfound = nil
		for _, c := range list {
			e.follow(c)
		}
		more = len(e.queue) > 0
	}
	return listOf(e.seen)
}

func listOf(seen map[passedInst]bool) activations {
	list := make(activations)
	for x := range seen {
		list[x.inst] = append(list[x.inst], x.told)
	}
	return list
}

// lives tells whether some activation of its origin comes to an instruction: what
// calls pass may keep all from it.
func (d *detector) lives(p runs.Point) bool {
	o := d.Points.Instances[p.Inst].Origin
	list, known := d.living[o]
	if !known {
		list = d.findLiving(o)
		d.living[o] = list
	}
	return list == nil || d.amongst(list, p)
}

// findLiving returns the activations of an origin; nil if they are too many.
func (d *detector) findLiving(o origin.ID) activations {
	seen := make(map[passedInst]bool)
	var queue []passedInst
	run := func(x passedInst) {
		if !seen[x] && !seen[passedInst{x.inst, value.Nothing}] {
			seen[x] = true
			queue = append(queue, x)
		}
	}
	n := 0
	for i := range d.Points.Instances {
		if d.Points.Instances[i].Origin == o {
			n++
			if d.isEntry(pointer.InstID(i)) {
				run(passedInst{pointer.InstID(i), value.Nothing})
			}
		}
	}
	for len(queue) > 0 {
		x := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, c := range d.Points.Instances[x.inst].Calls {
			if c.How != ir.Spawned && d.Values.RunsIn(x.inst, c.Instr, x.told) {
				run(passedInst{c.Target, d.Values.Pass(x.inst, c.Instr, x.told)})
			}
		}
		if len(seen) > maxLiving*n {
			return nil
		}
	}
	return listOf(seen)
}

// activation notes what an activation makes, calls and starts by those of its
// instructions that have been executed.
func (e *early) activation(x passedInst, executed func(instr int32) bool) {
	runs := func(instr int32) bool {
		return e.Values.Runs(x.inst, instr) && (x.told == value.Nothing || e.Values.RunsIn(x.inst, instr, x.told)) && executed(instr)
	}
	for _, id := range e.madeBy(x.inst) {
		if !e.objects[id] && runs(e.Points.Objects[id].Site.Instr) {
			e.objects[id] = true
			for _, y := range e.waiting[id] {
				e.begin(y)
			}
			delete(e.waiting, id)
		}
	}
	for _, c := range e.Points.Instances[x.inst].Calls {
		if runs(c.Instr) && !(e.firm && e.reflective(x.inst, c.Instr)) {
			e.follow(madeCall{x, c})
		}
	}
}

// follow notes what a call runs, if that may have been put where the call finds it.
func (e *early) follow(c madeCall) {
	if e.insts[c.edge.Target] || e.found(c.by.inst, c.edge) {
		e.begin(passedInst{c.edge.Target, e.Values.Pass(c.by.inst, c.edge.Instr, c.by.told)})
		return
	}
	e.unfound = append(e.unfound, c)
}

// found tells whether an object on which a call runs its target may have been put
// into the field from which the call has it.
func (e *early) found(inst pointer.InstID, c pointer.Edge) bool {
	body := e.Points.Body(inst)
	in := &body.Instrs[c.Instr]
	if in.Op != ir.OpInvoke || in.Flags&ir.FlagGroup != 0 {
		return true
	}
	fn := e.Points.Instances[inst].Func
	v := body.Args(in)[0]
	d := e.Points.Prog.Definition(fn, v)
	for ; d >= 0 && (body.Instrs[d].Op == ir.OpCast || body.Instrs[d].Op == ir.OpCopy); d = e.Points.Prog.Definition(fn, v) {
		v = body.Args(&body.Instrs[d])[0]
	}
	if d < 0 || body.Instrs[d].Op != ir.OpLoad {
		return true
	}
	addr := body.Args(&body.Instrs[d])[0]
	if at := e.Points.Prog.Definition(fn, addr); at < 0 || body.Instrs[at].Op != ir.OpField {
		return true
	}
	wanted := e.objectsOf(e.Points.PointsTo(c.Target, ir.RegValue(0), 0))
	if wanted == nil || !e.areCells(e.Points.PointsTo(inst, v, 0)) {
		return true
	}
	put := false
	e.Points.PointsTo(inst, addr, 0).Each(func(n pointer.Node) bool {
		id, _ := e.Points.Object(n)
		if o := &e.Points.Objects[id]; o.Inst >= 0 && o.Kind == pointer.ObjectCell && !e.objects[id] {
			return true // the holder itself has not been made
		}
		stores, ok := e.stores(n)
		put = !ok || len(stores) == 0
		for _, p := range stores {
			if put {
				break
			}
			args := e.Points.Body(p.Inst)
			put = e.happened(p) && e.comesBy(p.Inst, args.Args(&args.Instrs[p.Instr])[1], wanted, maxHanded)
		}
		return !put
	})
	return put
}

// receivers is what early asks of sets, each of which is that of many values.
type receivers struct {
	cells   map[*pointer.Set]bool
	objects map[*pointer.Set]map[pointer.ObjectID]bool
}

// areCells tells whether a set leads to objects only that are what methods are
// called on, not to function values and boxes.
func (d *detector) areCells(set *pointer.Set) bool {
	ok, known := d.receivers.cells[set]
	if !known {
		ok = true
		set.Each(func(n pointer.Node) bool {
			id, _ := d.Points.Object(n)
			ok = d.Points.Objects[id].Kind == pointer.ObjectCell
			return ok
		})
		d.receivers.cells[set] = ok
	}
	return ok
}

// objectsOf returns the objects that methods run on whose receiver may be one of a
// set, nil if they are not all known, as of those without code.
func (d *detector) objectsOf(set *pointer.Set) map[pointer.ObjectID]bool {
	out, known := d.receivers.objects[set]
	if !known {
		ok := !set.Empty()
		out = make(map[pointer.ObjectID]bool)
		set.Each(func(n pointer.Node) bool {
			id, _ := d.Points.Object(n)
			ok = d.Points.Objects[id].Inst >= 0 && d.Points.Objects[id].Kind == pointer.ObjectCell
			out[id] = true
			return ok
		})
		if !ok {
			out = nil
		}
		d.receivers.objects[set] = out
	}
	return out
}

// happened tells whether an instruction may have been executed, or begun.
func (e *early) happened(p runs.Point) bool {
	if !e.insts[p.Inst] {
		return false
	}
	at, within := e.around[p.Inst]
	return !within || p.Instr == at || runs.Reaches(e.Points.Body(p.Inst), p.Instr, at, ir.None)
}

// comesBy tells whether a value may have been one of some objects by what has been
// executed: a parameter, if a call has passed one.
func (e *early) comesBy(inst pointer.InstID, v ir.Value, wanted map[pointer.ObjectID]bool, depth int) bool {
	is := false
	e.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		id, _ := e.Points.Object(n)
		is = wanted[id]
		return !is
	})
	if !is || depth == 0 || e.isEntry(inst) {
		return is
	}
	k := v.Reg()
	body := e.Points.Body(inst)
	if k == ir.None || int32(k) >= body.Params {
		return true
	}
	callers := e.Runs.CallersOf(inst)
	for _, c := range callers {
		if !e.happened(c) {
			continue
		}
		arg, ok := e.passedAs(c, int32(k))
		if !ok || e.comesBy(c.Inst, arg, wanted, depth-1) {
			return true
		}
	}
	return len(callers) == 0
}

// begin notes an activation, if it is not one of a method on objects that are not
// made yet.
func (e *early) begin(x passedInst) {
	if e.seen[x] || e.seen[passedInst{x.inst, value.Nothing}] {
		return
	}
	if !e.onMade(x) {
		return
	}
	e.seen[x] = true
	e.insts[x.inst] = true
	delete(e.around, x.inst) // it has been run to its end before
	if e.Points.Body(x.inst) != nil {
		e.queue = append(e.queue, x)
	}
}

// onMade tells whether an activation may have an object to work on; if not, it
// waits for one.
func (e *early) onMade(x passedInst) bool {
	def := e.Points.Prog.Def(e.Points.Instances[x.inst].Func)
	if def == nil || def.Flags&ir.FuncMethod == 0 || e.Points.Body(x.inst) == nil || e.Points.Body(x.inst).Params == 0 {
		return true
	}
	set := e.Points.PointsTo(x.inst, ir.RegValue(0), 0)
	made := set.Empty()
	set.Each(func(n pointer.Node) bool {
		id, _ := e.Points.Object(n)
		made = id == pointer.NoObject || e.objects[id] || e.Points.Objects[id].Inst < 0 || e.Points.Objects[id].Kind != pointer.ObjectCell
		return !made
	})
	if !made {
		set.Each(func(n pointer.Node) bool {
			id, _ := e.Points.Object(n)
			e.waiting[id] = append(e.waiting[id], x)
			return true
		})
	}
	return made
}

// madeBy returns the objects that an instance makes.
func (d *detector) madeBy(inst pointer.InstID) []pointer.ObjectID {
	if d.made == nil {
		d.made = make([][]pointer.ObjectID, len(d.Points.Instances))
		for i := range d.Points.Objects {
			if o := &d.Points.Objects[i]; o.Inst >= 0 {
				d.made[o.Inst] = append(d.made[o.Inst], pointer.ObjectID(i))
			}
		}
	}
	return d.made[inst]
}
