package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/value"
)

// A function that does one thing or another by what it is told to do, by a flag
// or by the kind of an event, is called with that flag or with an event just made.
// A way leads to an access only if each call on it passes what the branches
// behind it ask for.

// subject is what a branch asks about: a parameter, or a field of what it points
// to.
type subject struct {
	param int32
	slot  int32 // ir.None: the parameter itself
}

// requirement is what a subject must be for control to get somewhere: one of some
// values or, with not, none of them.
type requirement struct {
	subject
	values []int64 // sorted
	not    bool
}

func (c *requirement) allows(n int64) bool {
	_, found := slices.BinarySearch(c.values, n)
	return found != c.not
}

// or widens a requirement to what another one on the same subject allows too.
func (c requirement) or(x requirement) requirement {
	if c.not && !x.not {
		c, x = x, c
	}
	switch {
	case c.not:
		c.values = slices.DeleteFunc(slices.Clone(c.values), func(n int64) bool { return x.allows(n) })
	case x.not:
		c.values, c.not = slices.DeleteFunc(slices.Clone(x.values), func(n int64) bool { return c.allows(n) }), true
	default:
		c.values = append(slices.Clone(c.values), x.values...)
		slices.Sort(c.values)
		c.values = slices.Compact(c.values)
	}
	return c
}

// and narrows a requirement to what another one on the same subject allows too.
func (c requirement) and(x requirement) requirement {
	c.not, x.not = !c.not, !x.not
	c = c.or(x)
	c.not = !c.not
	return c
}

// blockOf is a block of an instance.
type blockOf struct {
	inst  pointer.InstID
	block ir.BlockID
}

// requirementsAt returns what the parameters of an instance must be for control to
// get to an instruction.
func (d *detector) requirementsAt(inst pointer.InstID, instr int32) []requirement {
	body := d.Points.Body(inst)
	key := blockOf{inst, body.BlockOf(instr)}
	list, known := d.requirements[key]
	if known {
		return list
	}
	for b := range body.Blocks {
		edges, ok := d.branches(inst, body, ir.BlockID(b))
		if !ok || ir.BlockID(b) == key.block || reachesBlock(body, 0, key.block, ir.BlockID(b)) ||
			slices.ContainsFunc(body.Handlers(ir.BlockID(b)), func(h ir.BlockID) bool { return reachesBlock(body, h, key.block, ir.BlockID(b)) }) {
			continue
		}
		all := requirement{subject: edges[0].subject} // no value at all
		for k, s := range body.Succs(ir.BlockID(b)) {
			if reachesBlock(body, s, key.block, ir.BlockID(b)) {
				all = all.or(edges[k])
			}
		}
		list, _ = addRequirement(list, all)
	}
	d.requirements[key] = list
	return list
}

// addRequirement adds a requirement to a list with one for each subject. ok is false
// if nothing meets them all.
func addRequirement(list []requirement, c requirement) (out []requirement, ok bool) {
	if c.not && len(c.values) == 0 {
		return list, true
	}
	for i := range list {
		if list[i].subject == c.subject {
			out = slices.Clone(list)
			out[i] = list[i].and(c)
			return out, out[i].not || len(out[i].values) > 0
		}
	}
	return append(list[:len(list):len(list)], c), c.not || len(c.values) > 0
}

// reachesBlock tells whether control can go from a block to another without
// coming to a third.
func reachesBlock(body *ir.Body, from, to, without ir.BlockID) bool {
	if from == without {
		return false
	}
	seen := make([]bool, len(body.Blocks))
	seen[from] = true
	queue := []ir.BlockID{from}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if b == to {
			return true
		}
		for _, next := range [2][]ir.BlockID{body.Succs(b), body.Handlers(b)} {
			for _, s := range next {
				if s != without && !seen[s] {
					seen[s] = true
					queue = append(queue, s)
				}
			}
		}
	}
	return false
}

// branches returns, for each successor of a block that ends with a question about
// a subject, what the subject is there.
func (d *detector) branches(inst pointer.InstID, body *ir.Body, b ir.BlockID) ([]requirement, bool) {
	term := &body.Instrs[body.Blocks[b].End-1]
	args := body.Args(term)
	switch term.Op {
	case ir.OpSwitch:
		s, ok := d.subjectOf(inst, body, args[0])
		if !ok || len(body.Succs(b)) != len(args) {
			return nil, false
		}
		rest := requirement{subject: s, not: true}
		edges := make([]requirement, 0, len(args))
		for _, v := range args[1:] {
			n, ok := value.Integer(d.Points, inst, v)
			if !ok {
				return nil, false
			}
			edges = append(edges, requirement{subject: s, values: []int64{n}})
			rest.values = append(rest.values, n)
		}
		slices.Sort(rest.values)
		return append(edges, rest), true
	case ir.OpIf:
		return d.tested(inst, body, args[0])
	}
	return nil, false
}

// tested returns what a subject is where a requirement holds, and where it does
// not.
func (d *detector) tested(inst pointer.InstID, body *ir.Body, v ir.Value) ([]requirement, bool) {
	if s, ok := d.subjectOf(inst, body, v); ok {
		return []requirement{{s, []int64{0}, true}, {s, []int64{0}, false}}, true
	}
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	if k < 0 {
		return nil, false
	}
	in := &body.Instrs[k]
	args := body.Args(in)
	switch {
	case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot:
		edges, ok := d.tested(inst, body, args[0])
		if !ok {
			return nil, false
		}
		return []requirement{edges[1], edges[0]}, true
	case in.Op == ir.OpBinary && (ir.BinaryKind(in.Sub) == ir.BinEq || ir.BinaryKind(in.Sub) == ir.BinNe):
		x, y := args[0], args[1]
		n, ok := value.Integer(d.Points, inst, y)
		if !ok {
			x = y
			n, ok = value.Integer(d.Points, inst, args[0])
		}
		s, is := d.subjectOf(inst, body, x)
		if !ok || !is {
			return nil, false
		}
		not := ir.BinaryKind(in.Sub) == ir.BinNe
		return []requirement{{s, []int64{n}, not}, {s, []int64{n}, !not}}, true
	}
	return nil, false
}

// subjectOf recognises a parameter, a field of one, and the result of a function
// that returns a field of its parameter.
func (d *detector) subjectOf(inst pointer.InstID, body *ir.Body, v ir.Value) (subject, bool) {
	if v.Reg() == ir.None {
		return subject{}, false
	}
	if s, ok := d.fieldOf(inst, v); ok {
		return s, s.slot == ir.None || d.isFixed(inst, s)
	}
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	if k < 0 {
		return subject{}, false
	}
	in := &body.Instrs[k]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || ir.How(in.Sub) != ir.Now || in.Flags&ir.FlagGroup != 0 || in.Args.Len == 0 {
		return subject{}, false
	}
	got, ok := d.getter(inst, k)
	of, is := d.fieldOf(inst, body.Args(in)[0])
	s := subject{of.param, got}
	return s, ok && is && of.slot == ir.None && d.isFixed(inst, s)
}

// isFixed tells whether a slot of what a parameter points to is only ever written
// by constructors of the object.
func (d *detector) isFixed(inst pointer.InstID, s subject) bool {
	set := d.Points.PointsTo(inst, ir.RegValue(ir.Reg(s.param)), 0)
	ok := set.Len() > 0
	set.Each(func(n pointer.Node) bool {
		at := n + pointer.Node(s.slot)
		fixed, known := d.fixed[at]
		if !known {
			fixed = d.onlyConstructed(at)
			d.fixed[at] = fixed
		}
		ok = fixed
		return ok
	})
	return ok
}

func (d *detector) onlyConstructed(at pointer.Node) bool {
	stores, ok := d.stores(at)
	for _, p := range stores {
		body := d.Points.Body(p.Inst)
		to, of := d.fieldAddress(p.Inst, body.Args(&body.Instrs[p.Instr])[0])
		ok = ok && of && to.param == 0 && d.Points.Prog.Def(d.Points.Instances[p.Inst].Func).Flags&ir.FuncConstructor != 0
	}
	return ok
}

// fieldAddress recognises the address of a field of what a parameter points to.
func (d *detector) fieldAddress(inst pointer.InstID, v ir.Value) (subject, bool) {
	t := d.Locks.Paths(inst)
	p := t.Value(v)
	if p == path.None {
		return subject{}, false
	}
	steps := t.Steps(p)
	if len(steps) != 2 || steps[0].Kind != path.Param || steps[1].Kind != path.Field {
		return subject{}, false
	}
	return subject{steps[0].N, steps[1].N}, true
}

// getter returns the slot that the one function which a call runs returns of its
// first parameter.
func (d *detector) getter(inst pointer.InstID, call int32) (int32, bool) {
	target := pointer.InstID(-1)
	for _, e := range d.Points.Instances[inst].Calls {
		if e.Instr == call {
			if target >= 0 {
				return 0, false
			}
			target = e.Target
		}
	}
	if target < 0 {
		return 0, false
	}
	body := d.Points.Body(target)
	if body == nil || len(body.Blocks) != 1 {
		return 0, false
	}
	ret := &body.Instrs[len(body.Instrs)-1]
	if ret.Op != ir.OpReturn || ret.Args.Len != 1 {
		return 0, false
	}
	s, ok := d.fieldOf(target, body.Args(ret)[0])
	return s.slot, ok && s.param == 0 && s.slot != ir.None
}

// fieldOf recognises a parameter, and what is loaded from a field of one.
func (d *detector) fieldOf(inst pointer.InstID, v ir.Value) (subject, bool) {
	t := d.Locks.Paths(inst)
	if r := v.Reg(); r != ir.None && int32(r) < d.Points.Body(inst).Params {
		return subject{int32(r), ir.None}, true
	}
	p := t.Value(v)
	if p == path.None {
		return subject{}, false
	}
	steps := t.Steps(p)
	if steps[0].Kind != path.Param {
		return subject{}, false
	}
	switch {
	case len(steps) == 1:
		return subject{steps[0].N, ir.None}, true
	case len(steps) == 3 && steps[1].Kind == path.Field && steps[2].Kind == path.Deref:
		return subject{steps[0].N, steps[1].N}, true
	}
	return subject{}, false
}

// demandsOn returns what the parameters of the function with a call must be for
// the call to be made with what it must pass. ok is false if it never is.
func (d *detector) demandsOn(c runs.Point, demands []requirement) (out []requirement, ok bool) {
	out = d.requirementsAt(c.Inst, c.Instr)
	body := d.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || in.Flags&ir.FlagGroup != 0 {
		return out, true
	}
	args := body.Args(in)
	for _, x := range demands {
		if int(x.param) >= len(args) {
			continue
		}
		v := args[x.param]
		if s, is := d.fieldOf(c.Inst, v); is && s.slot == ir.None {
			x.param = s.param
			if out, ok = addRequirement(out, x); !ok {
				return nil, false
			}
			continue
		}
		if values, known := d.passedValues(c.Inst, v, x.slot); known && !slices.ContainsFunc(values, x.allows) {
			return nil, false
		}
	}
	return out, true
}

// maxPassedObjects bounds the objects that an operand may be for their slots to be
// looked at.
const maxPassedObjects = 64

// passedValues returns what an operand, or a slot of the objects that it may be, may
// be.
func (d *detector) passedValues(inst pointer.InstID, v ir.Value, slot int32) ([]int64, bool) {
	if slot == ir.None {
		n, ok := value.Integer(d.Points, inst, v)
		return []int64{n}, ok
	}
	set := d.Points.PointsTo(inst, v, 0)
	ok := !set.Empty() && set.Len() <= maxPassedObjects
	var values []int64
	if ok {
		set.Each(func(at pointer.Node) bool {
			var list []int64
			list, ok = d.slotValues(at, slot)
			values = append(values, list...)
			return ok
		})
	}
	return values, ok
}

// slotContent is what a slot may be.
type slotContent struct {
	values []int64
	known  bool
}

// slotValues returns what a slot of an object may be.
func (d *detector) slotValues(at pointer.Node, slot int32) ([]int64, bool) {
	key := at + pointer.Node(slot)
	c, asked := d.contents[key]
	if !asked {
		c.values, c.known = d.findSlotValues(at, slot)
		d.contents[key] = c
	}
	return c.values, c.known
}

func (d *detector) findSlotValues(at pointer.Node, slot int32) ([]int64, bool) {
	id, _ := d.Points.Object(at)
	if id == pointer.NoObject || d.Points.Objects[id].Kind != pointer.ObjectCell || slot >= d.Points.Objects[id].Size {
		return nil, false
	}
	stores, ok := d.stores(at + pointer.Node(slot))
	if !ok {
		return nil, false
	}
	if len(stores) == 0 {
		return []int64{0}, true
	}
	var values []int64
	for _, s := range stores {
		body := d.Points.Body(s.Inst)
		list, ok := d.givenValues(s.Inst, body, body.Args(&body.Instrs[s.Instr])[1], at)
		if !ok {
			return nil, false
		}
		values = append(values, list...)
	}
	return values, true
}

// givenValues returns what a value that is stored to a new object may be: a
// constant, or a parameter that those who have the object made pass as one.
func (d *detector) givenValues(inst pointer.InstID, body *ir.Body, v ir.Value, at pointer.Node) ([]int64, bool) {
	if n, ok := value.Integer(d.Points, inst, v); ok {
		return []int64{n}, true
	}
	r := v.Reg()
	if r == ir.None || int32(r) >= body.Params || d.isEntry(inst) {
		return nil, false
	}
	obj, _ := d.Points.Object(at)
	var values []int64
	for _, c := range d.Runs.CallersOf(inst) {
		caller := d.Points.Body(c.Inst)
		in := &caller.Instrs[c.Instr]
		if in.Op != ir.OpCall || in.Flags&ir.FlagGroup != 0 || int32(r) >= in.Args.Len {
			return nil, false
		}
		args := caller.Args(in)
		if !d.leadsTo(c.Inst, args[0], obj) {
			continue
		}
		n, ok := value.Integer(d.Points, c.Inst, args[r])
		if !ok {
			return nil, false
		}
		values = append(values, n)
	}
	return values, true
}
