package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A loop that starts a goroutine for each of several functions makes one origin
// with many instances, though each function runs in one of them only. That no
// function is in the list twice cannot be shown, but it is what people mean: a
// race that needs two instances with the same function has a low confidence.

// actorOf returns the function by which instances of the origin of an access
// differ: the way begins with a call, made once, of one of several functions that
// instances are started with. For an origin that such a function starts once it is
// that function. The access is of an object.
func (d *detector) actorOf(inst pointer.InstID, way runs.Way, obj pointer.ObjectID) pointer.InstID {
	o := d.Points.Instances[inst].Origin
	if !d.Runs.Many(o) {
		return noActor
	}
	if a := d.starter(o); a != noActor {
		return a
	}
	n := len(way.Calls)
	if !way.Start {
		return noActor
	}
	if e := way.Last(inst); d.entryOfTurn(e) {
		return e
	}
	if n == 0 {
		return noActor
	}
	target := inst
	if n > 1 {
		target = way.Calls[n-2].Inst
	}
	return d.calledActor(target, way.Calls[n-1], obj)
}

// entryOfTurn tells whether instances of an origin differ by the function they
// begin with: a loop starts another one of several functions in every turn.
func (d *detector) entryOfTurn(e pointer.InstID) bool {
	points := d.startsFor(e)
	if len(points) != 1 || !d.Runs.InLoop(points[0]) || d.targets(points[0]) < 2 || len(d.Runs.CallersOf(e)) > 0 {
		return false
	}
	p := points[0]
	body := d.Points.Body(p.Inst)
	in := &body.Instrs[p.Instr]
	if in.Op != ir.OpCallPtr || in.Flags&ir.FlagMany != 0 {
		return false
	}
	args := body.Args(in)
	if in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	k := d.Points.Prog.Definition(d.Points.Instances[p.Inst].Func, args[0])
	return k >= 0 && body.Instrs[k].Op != ir.OpClosure && !runs.Reaches(body, p.Instr, p.Instr, k) &&
		d.madeOnce(p.Inst, args[0], d.Points.Instances[e].Func)
}

// startsFor returns where origins are started that begin with an instance.
func (d *detector) startsFor(entry pointer.InstID) []runs.Point {
	o := d.Points.Instances[entry].Origin
	if d.Points.Origins.Get(o).Crowd {
		return d.startsOf(entry)
	}
	return d.Runs.SpawnPoints[o]
}

// entries returns the instances that an origin begins with.
func (d *detector) entries(o origin.ID) []pointer.InstID {
	var out []pointer.InstID
	for _, p := range d.Runs.SpawnPoints[o] {
		for _, e := range d.Points.Instances[p.Inst].Calls {
			if e.Instr == p.Instr && e.How == ir.Spawned && d.Points.Instances[e.Target].Origin == o && !slices.Contains(out, e.Target) {
				out = append(out, e.Target)
			}
		}
	}
	return out
}

// calledActor returns the target of a call if it is what instances of an origin
// differ by.
func (d *detector) calledActor(target pointer.InstID, c runs.Point, obj pointer.ObjectID) pointer.InstID {
	o := d.Points.Instances[c.Inst].Origin
	if !d.Runs.Many(o) {
		return noActor
	}
	body := d.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if c.How == ir.Spawned || in.Op != ir.OpCallPtr && in.Op != ir.OpInvoke || d.Runs.Often(c.Inst) || d.Runs.InLoop(c) {
		return noActor
	}
	called := body.Args(in)[0]
	if !d.fromArgument(c.Inst, called) || !d.startedByTurns(c.Inst, called) || d.targets(c) < 2 ||
		!d.madeOnce(c.Inst, called, d.Points.Instances[target].Func) || in.Op == ir.OpInvoke && !d.onlyFor(target, obj) {
		return noActor
	}
	return target
}

// fromArgument tells whether a value is, or is a part of, what the instance was
// called with, also by way of a variable that holds the argument.
func (d *detector) fromArgument(inst pointer.InstID, v ir.Value) bool {
	t := d.Locks.Paths(inst)
	p := t.Value(v)
	if p == path.None {
		return false
	}
	root := t.Get(t.Root(p))
	if root.Kind != path.Value {
		return root.Kind == path.Param || root.Kind == path.Capture
	}
	body := d.Points.Body(inst)
	made := &body.Instrs[root.N]
	if made.Op != ir.OpAlloc {
		return false
	}
	stores := 0
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpStore && body.Args(in)[0] == ir.RegValue(made.Dst) {
			stores++
			if r := body.Args(in)[1].Reg(); r == ir.None || int32(r) >= body.Params {
				return false
			}
		}
	}
	return stores == 1
}

const noActor pointer.InstID = -1

// startedByTurns tells whether an instance is started by one spawn in a loop, with
// another one of the functions that it calls in every turn.
func (d *detector) startedByTurns(inst pointer.InstID, called ir.Value) bool {
	points := d.startsFor(inst)
	if len(points) != 1 || !d.Runs.InLoop(points[0]) {
		return false
	}
	spawn := points[0]
	body := d.Points.Body(spawn.Inst)
	changes := false
	for _, v := range d.passed(spawn) {
		k := d.Points.Prog.Definition(d.Points.Instances[spawn.Inst].Func, v)
		if k >= 0 && body.Instrs[k].Op == ir.OpClosure || !d.passesOneOf(spawn.Inst, v, inst, called) {
			continue
		}
		if k < 0 || runs.Reaches(body, spawn.Instr, spawn.Instr, k) {
			return false
		}
		changes = true
	}
	return changes
}

// passesOneOf tells whether a value, or the variable it is the address of, may be
// one of the functions or objects that a call in another instance is made with.
func (d *detector) passesOneOf(inst pointer.InstID, v ir.Value, callee pointer.InstID, called ir.Value) bool {
	found := false
	d.Points.PointsTo(callee, called, 0).Each(func(n pointer.Node) bool {
		if id, _ := d.Points.Object(n); id != pointer.NoObject {
			found = d.leadsTo(inst, v, id) || d.holds(inst, v, id)
		}
		return !found
	})
	return found
}

// onlyFor tells whether instances that run a method have one receiver: it is
// called on one object only, or the one that matters is among several.
func (d *detector) onlyFor(target pointer.InstID, obj pointer.ObjectID) bool {
	receivers := d.Points.PointsTo(target, ir.RegValue(0), 0)
	if _, one := receivers.Single(); one {
		return true
	}
	found := false
	receivers.Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		found = id == obj
		return !found
	})
	return found && obj != pointer.NoObject
}

// targets counts what a call may run.
func (d *detector) targets(c runs.Point) int {
	n := 0
	for _, e := range d.Points.Instances[c.Inst].Calls {
		if e.Instr == c.Instr && e.How == c.How {
			n++
		}
	}
	return n
}

// madeOnce tells whether the function values among what an operand may be that
// run a certain function are all made once.
func (d *detector) madeOnce(inst pointer.InstID, v ir.Value, fn link.FuncID) bool {
	ok := true
	d.Points.PointsTo(inst, v, 0).Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		if id == pointer.NoObject {
			return true
		}
		o := &d.Points.Objects[id]
		if o.Kind == pointer.ObjectFunc && o.Func != fn || o.Inst < 0 {
			return true
		}
		ok = d.Runs.Unique(id)
		return ok
	})
	return ok
}

// ownCode returns the instances of an origin that only one of its instances
// runs: those that are reached through one of the functions by which its
// instances differ or, if the origin is started by such code, all.
func (d *detector) ownCode(actor pointer.InstID, o origin.ID) map[pointer.InstID]bool {
	key := actorIn{actor, o}
	own, known := d.ownCodes[key]
	if known {
		return own
	}
	if d.Points.Instances[actor].Origin == o {
		own = d.called(actor)
		if len(d.Runs.Callers[actor]) == 0 || d.Points.Origins.Get(o).Crowd {
			d.leaveOut(own, actor, o)
		}
		for _, c := range d.Runs.Callers[actor] {
			for _, e := range d.Points.Instances[c.Inst].Calls {
				if e.How == ir.Spawned || e.Target == actor {
					continue
				}
				for id := range d.called(e.Target) {
					delete(own, id)
				}
			}
		}
	} else {
		own = make(map[pointer.InstID]bool)
		for i := range d.Points.Instances {
			if d.Points.Instances[i].Origin == o {
				own[pointer.InstID(i)] = true
			}
		}
	}
	d.ownCodes[key] = own
	return own
}

// leaveOut drops from the code of an actor what an origin runs that begins
// otherwise.
func (d *detector) leaveOut(own map[pointer.InstID]bool, actor pointer.InstID, o origin.ID) {
	for _, e := range d.entries(o) {
		if e == actor || slices.ContainsFunc(d.Runs.Callers[actor], func(c runs.Point) bool { return c.Inst == e }) {
			continue
		}
		for id := range d.called(e) {
			delete(own, id)
		}
	}
}

type actorIn struct {
	actor  pointer.InstID
	origin origin.ID
}

// starter returns the function, run by one instance of another origin, that
// starts an origin once.
func (d *detector) starter(o origin.ID) pointer.InstID {
	actor, known := d.starters[o]
	if known {
		return actor
	}
	d.starters[o] = noActor
	actor = d.findStarter(o)
	d.starters[o] = actor
	return actor
}

func (d *detector) findStarter(o origin.ID) pointer.InstID {
	points := d.Runs.SpawnPoints[o]
	if len(points) != 1 {
		return noActor
	}
	p := points[0]
	if d.Runs.InLoop(p) || d.Runs.Often(p.Inst) || d.Points.Body(p.Inst).Instrs[p.Instr].Flags&ir.FlagMany != 0 {
		return noActor
	}
	parent := d.Points.Instances[p.Inst].Origin
	if actor := d.starter(parent); actor != noActor {
		return actor
	}
	for _, actor := range d.actorsOf(parent) {
		if d.ownCode(actor, parent)[p.Inst] {
			return actor
		}
	}
	return noActor
}

// actorsOf returns the functions by which instances of an origin differ.
func (d *detector) actorsOf(o origin.ID) []pointer.InstID {
	var out []pointer.InstID
	for i := range d.Points.Instances {
		if d.Points.Instances[i].Origin != o || !d.isEntry(pointer.InstID(i)) {
			continue
		}
		for _, e := range d.Points.Instances[i].Calls {
			c := runs.Point{Inst: pointer.InstID(i), Instr: e.Instr, How: e.How}
			if a := d.calledActor(e.Target, c, pointer.NoObject); a != noActor {
				out = append(out, a)
			}
		}
	}
	return out
}

// called returns an instance and all that it calls.
func (d *detector) called(inst pointer.InstID) map[pointer.InstID]bool {
	seen := map[pointer.InstID]bool{inst: true}
	queue := []pointer.InstID{inst}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, e := range d.Points.Instances[id].Calls {
			if e.How != ir.Spawned && !seen[e.Target] {
				seen[e.Target] = true
				queue = append(queue, e.Target)
			}
		}
	}
	return seen
}
