package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Two accesses never happen in one run of the program if what leads to them lies
// on different branches of one activation: the two sides of one condition, or of
// two that say the opposite of the same value.

// excluded tells whether two accesses never both happen.
func (d *detector) excluded(a, b *side) bool {
	needed := d.needsOf(b)
	if len(needed) == 0 {
		return false
	}
	for _, p := range d.needsOf(a) {
		for _, q := range needed {
			if p.Inst == q.Inst && p.Instr != q.Instr && d.exclude(p, q) {
				return true
			}
		}
	}
	return false
}

// maxNeeds bounds the points that are known to be passed before an access.
const maxNeeds = 64

// needsOf is needs, computed once.
func (d *detector) needsOf(s *side) []runs.Point {
	if s.asked == unasked {
		s.needed, s.asked = d.needs(s), yes
	}
	return s.needed
}

// needs returns points, in activations of which there is one, that are passed
// before an access is made: calls and starts that lead to it, the making of
// functions that are called there, and what leads to the putting of things that are
// found on the way.
func (d *detector) needs(s *side) []runs.Point {
	var out []runs.Point
	add := func(p runs.Point) {
		if p.Inst >= 0 && len(out) < maxNeeds && !slices.ContainsFunc(out, func(q runs.Point) bool { return q.Inst == p.Inst && q.Instr == p.Instr }) {
			out = append(out, p)
		}
	}
	last := s.Inst
	add(s.point)
	for _, c := range s.way.Calls {
		add(c)
		add(d.closureOf(c, last))
		last = c.Inst
	}
	if p, ok := d.onlyStart(last); ok {
		add(p)
		add(d.closureOf(p, last))
	}
	for _, p := range append([]runs.Point{s.point}, s.way.Calls...) {
		for _, q := range d.foundNeeds(p) {
			add(q)
		}
	}
	for k := 0; k < len(out); k++ {
		if on := slices.ContainsFunc(s.way.Calls, func(c runs.Point) bool { return c.Inst == out[k].Inst }); on || out[k].Inst == s.Inst {
			continue
		}
		if p, ok := d.onlyWay(out[k].Inst); ok {
			add(p)
			add(d.closureOf(p, out[k].Inst))
		}
	}
	return slices.DeleteFunc(out, func(p runs.Point) bool {
		return d.Runs.Often(p.Inst) || d.Runs.Many(d.Points.Instances[p.Inst].Origin)
	})
}

// onlyWay returns the only call or start of an instance.
func (d *detector) onlyWay(id pointer.InstID) (runs.Point, bool) {
	if d.isEntry(id) {
		return d.onlyStart(id)
	}
	if callers := d.Runs.CallersOf(id); len(callers) == 1 {
		return callers[0], true
	}
	return runs.Point{}, false
}

// onlyStart returns the only start of the origin that an instance begins.
func (d *detector) onlyStart(id pointer.InstID) (runs.Point, bool) {
	points := d.Runs.SpawnPoints[d.Points.Instances[id].Origin]
	if !d.isEntry(id) || len(d.Runs.CallersOf(id)) > 0 || len(points) != 1 {
		return runs.Point{}, false
	}
	return points[0], true
}

// closureOf returns the instruction that alone makes the function value which a
// call of a target is made with; that of no instance if it is not known.
func (d *detector) closureOf(c runs.Point, target pointer.InstID) runs.Point {
	made := runs.Point{Inst: noActor}
	body := d.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if in.Op != ir.OpCallPtr {
		return made
	}
	args := body.Args(in)
	if in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	found := 0
	d.Points.PointsTo(c.Inst, args[0], 0).Each(func(n pointer.Node) bool {
		id, _ := d.Points.Object(n)
		if id == pointer.NoObject {
			found = 2
			return false
		}
		if o := &d.Points.Objects[id]; o.Kind == pointer.ObjectFunc && o.Func == d.Points.Instances[target].Func {
			made = runs.Point{Inst: o.Inst, Instr: o.Site.Instr}
			found++
		}
		return found < 2
	})
	if found != 1 {
		return runs.Point{Inst: noActor}
	}
	return made
}

// exclude tells whether one activation never passes both of two instructions.
func (d *detector) exclude(p, q runs.Point) bool {
	p.How, q.How = ir.Now, ir.Now
	if q.Instr < p.Instr {
		p, q = q, p
	}
	key := [2]runs.Point{p, q}
	is, known := d.exclusive[key]
	if !known {
		is = d.isExcluded(p, q)
		d.exclusive[key] = is
	}
	return is
}

func (d *detector) isExcluded(p, q runs.Point) bool {
	body := d.Points.Body(p.Inst)
	if !runs.Reaches(body, p.Instr, q.Instr, ir.None) && !runs.Reaches(body, q.Instr, p.Instr, ir.None) {
		return true
	}
	others := d.conditions(q)
	for _, x := range d.conditions(p) {
		for _, y := range others {
			if d.contradict(p.Inst, x, y) {
				return true
			}
		}
	}
	return false
}

// condition is what a branch that is passed on every way says of a value.
type condition struct {
	value  ir.Value // that it is true, or equal to the constant
	equals ir.Value // or ir.NoValue
	holds  bool
}

// conditions returns what must hold for an instruction to be executed.
func (d *detector) conditions(p runs.Point) []condition {
	body := d.Points.Body(p.Inst)
	key := codeBlock{d.Points.Instances[p.Inst].Func, body.BlockOf(p.Instr)}
	list, known := d.needed[key]
	if !known {
		list = d.findConditions(p)
		d.needed[key] = list
	}
	return list
}

type codeBlock struct {
	fn    link.FuncID
	block ir.BlockID
}

func (d *detector) findConditions(p runs.Point) []condition {
	body := d.Points.Body(p.Inst)
	to := body.BlockOf(p.Instr)
	var out []condition
	for b := range body.Blocks {
		end := body.Blocks[b].End - 1
		if ir.BlockID(b) == to || body.Instrs[end].Op != ir.OpIf {
			continue
		}
		succs := body.Succs(ir.BlockID(b))
		for k := range succs {
			if succs[0] != succs[1] && !comesBy(body, to, ir.BlockID(b), succs[k]) {
				out = append(out, d.conditionOf(p.Inst, end, k == 0))
			}
		}
	}
	return out
}

// comesBy tells whether control can get to a block without taking the edge
// between two others.
func comesBy(body *ir.Body, to, from, next ir.BlockID) bool {
	seen := make([]bool, len(body.Blocks))
	seen[0] = true
	work := []ir.BlockID{0}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, s := range append(body.Succs(b), body.Handlers(b)...) {
			if !seen[s] && (b != from || s != next) {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// conditionOf returns what a branch says of a value.
func (d *detector) conditionOf(inst pointer.InstID, end int32, holds bool) condition {
	body := d.Points.Body(inst)
	c := condition{value: body.Args(&body.Instrs[end])[0], equals: ir.NoValue, holds: holds}
	for {
		k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, c.value)
		if k < 0 {
			return c
		}
		in := &body.Instrs[k]
		args := body.Args(in)
		switch {
		case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot:
			c.holds = !c.holds
			c.value = args[0]
			continue
		case in.Op == ir.OpBinary && c.equals == ir.NoValue && args[1].Const() != ir.None:
			switch ir.BinaryKind(in.Sub) {
			case ir.BinNe:
				c.holds = !c.holds
				fallthrough
			case ir.BinEq:
				c.value, c.equals = args[0], args[1]
			}
		}
		return c
	}
}

// contradict tells whether two conditions of one activation cannot both hold.
func (d *detector) contradict(inst pointer.InstID, x, y condition) bool {
	same := x.equals == y.equals
	differ := x.equals != ir.NoValue && y.equals != ir.NoValue && !same && x.holds && y.holds &&
		d.constant(inst, x.equals) != d.constant(inst, y.equals)
	return (same && x.holds != y.holds || differ) && d.sameValue(inst, x.value, y.value)
}

func (d *detector) constant(inst pointer.InstID, v ir.Value) string {
	return d.Points.Prog.Unit(d.Points.Instances[inst].Func).Consts[v.Const()].Text
}

// sameValue tells whether two values of an activation are one: the same register,
// or read from a variable that does not change in between.
func (d *detector) sameValue(inst pointer.InstID, x, y ir.Value) bool {
	if x == y {
		return x.Reg() != ir.None && !d.Runs.InLoop(runs.Point{Inst: inst, Instr: max(0, d.Points.Prog.Definition(d.Points.Instances[inst].Func, x))})
	}
	body := d.Points.Body(inst)
	i, j := d.Points.Prog.Definition(d.Points.Instances[inst].Func, x), d.Points.Prog.Definition(d.Points.Instances[inst].Func, y)
	if i < 0 || j < 0 || body.Instrs[i].Op != ir.OpLoad || body.Instrs[j].Op != ir.OpLoad {
		return false
	}
	n, ok := d.Points.PointsTo(inst, body.Args(&body.Instrs[i])[0], 0).Single()
	m, also := d.Points.PointsTo(inst, body.Args(&body.Instrs[j])[0], 0).Single()
	if !ok || !also || n != m || !d.Runs.UniqueNode(n) {
		return false
	}
	if runs.Reaches(body, j, i, ir.None) {
		i, j = j, i
	}
	return !runs.Reaches(body, j, i, ir.None) && d.unchanged(inst, n, i, j)
}

// unchanged tells whether nobody writes a cell while an activation gets from one
// instruction to another.
func (d *detector) unchanged(inst pointer.InstID, n pointer.Node, from, to int32) bool {
	writes := d.writesOf(n)
	if len(writes) == 0 {
		return true
	}
	body := d.Points.Body(inst)
	between := make(map[pointer.InstID]bool)
	for _, e := range d.Points.Instances[inst].Calls {
		if e.How != ir.Spawned && (e.How == ir.Deferred || runs.Reaches(body, from, e.Instr, ir.None) && runs.Reaches(body, e.Instr, to, ir.None)) {
			for id := range d.called(e.Target) {
				between[id] = true
			}
		}
	}
	o := d.Points.Instances[inst].Origin
	for _, w := range writes {
		p := runs.Point{Inst: w.Inst, Instr: w.Instr}
		switch {
		case d.Points.Instances[w.Inst].Origin != o:
			first, last := d.Order.Moment(runs.Point{Inst: inst, Instr: from}), d.Order.Moment(runs.Point{Inst: inst, Instr: to})
			if !d.Order.Before(d.Order.Moment(p), first) && !d.Order.Before(last, d.Order.Moment(p)) {
				return false
			}
		case between[w.Inst], w.Inst == inst && runs.Reaches(body, from, w.Instr, ir.None) && runs.Reaches(body, w.Instr, to, ir.None):
			return false
		}
	}
	return true
}

// writesOf returns all writes of a cell.
func (d *detector) writesOf(n pointer.Node) []sharing.Access {
	list, known := d.writers[n]
	if known {
		return list
	}
	var all []sharing.Access
	if c := d.cellAt(n); c != nil {
		all = c.Accesses
	} else {
		x := sharing.NewAccesses(d.Points)
		for i := range d.Points.Instances {
			x.Of(pointer.InstID(i), func(a sharing.Access, first pointer.Node, size int32) {
				if n >= first && n < first+pointer.Node(size) {
					all = append(all, a)
				}
			})
		}
	}
	for _, a := range all {
		if a.Kind.Writes() {
			list = append(list, a)
		}
	}
	d.writers[n] = list
	return list
}
