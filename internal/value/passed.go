package value

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// A function that does one thing or another by the kind of an event is called
// with an event just made, and passes it on to others of its kind. What an
// activation does that was told which event it is, is less than what the function
// does for all.

// Passed is what is known of the parameters of an activation, by number.
type Passed int32

// facts are what is known of parameters.
type facts [maxFacts]fact

// maxFacts bounds what an activation is told; the first are kept.
const maxFacts = 3

// fact is the value of a parameter, or the object that it points to. It is hashed
// often, so it has no gaps.
type fact struct {
	param  int32 // its number and one; 0: no fact
	object int32 // 1: n is the first node of the object
	n      int64
}

// Nothing is told to activations of which nothing is known.
const Nothing Passed = 0

// tell returns the number of what is known.
func (r *Result) tell(known *facts) Passed {
	id, ok := r.tellIDs[*known]
	if !ok {
		id = Passed(len(r.told))
		r.told = append(r.told, *known)
		r.tellIDs[*known] = id
	}
	return id
}

// toldOf returns what is known of a parameter.
func (r *Result) toldOf(told Passed, param int32) (fact, bool) {
	for _, f := range &r.told[told] {
		if f.param == param+1 {
			return f, true
		}
	}
	return fact{}, false
}

// activation is what is known of an activation that was told something.
type activation struct {
	runs []bool
	regs []constant
}

// Pass returns what a call tells whom it calls, if the one who calls was told
// something himself.
func (r *Result) Pass(inst pointer.InstID, instr int32, told Passed) Passed {
	body := r.pts.Body(inst)
	in := &body.Instrs[instr]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || ir.How(in.Sub) != ir.Now || in.Flags&ir.FlagGroup != 0 {
		return Nothing
	}
	var out facts
	n := 0
	for k, v := range body.Args(in) {
		f, ok := r.factOf(inst, body, v, told)
		if !ok {
			continue
		}
		f.param = int32(k) + 1
		out[n] = f
		if n++; n == maxFacts {
			break
		}
	}
	if n == 0 {
		return Nothing
	}
	return r.tell(&out)
}

// factOf returns what is known of an operand in an activation that was told
// something.
func (r *Result) factOf(inst pointer.InstID, body *ir.Body, v ir.Value, told Passed) (fact, bool) {
	reg := v.Reg()
	if reg == ir.None {
		n, ok := Integer(r.pts, inst, v)
		return fact{n: n}, ok
	}
	if told != Nothing {
		if p, ok := r.paramOf(inst, v); ok {
			if f, ok := r.toldOf(told, p); ok {
				return f, true
			}
		}
		if r.isComputed(inst, body, v) {
			if c := r.activationOf(inst, body, told).regs[reg]; c.state == one {
				return fact{n: c.n}, true
			}
		}
	}
	at, ok := r.keeper(inst, v)
	return fact{object: 1, n: int64(at)}, ok
}

// isComputed tells whether a value may be a constant if parameters are.
func (r *Result) isComputed(inst pointer.InstID, body *ir.Body, v ir.Value) bool {
	d := r.pts.Prog.Definition(r.pts.Instances[inst].Func, v)
	if d < 0 {
		return false
	}
	switch body.Instrs[d].Op {
	case ir.OpLoad, ir.OpCall, ir.OpInvoke, ir.OpPhi, ir.OpConvert, ir.OpUnary, ir.OpBinary, ir.OpCopy:
		return true
	}
	return false
}

// keeper returns the one object that a value points to, if something is known of
// what it keeps.
func (r *Result) keeper(inst pointer.InstID, v ir.Value) (pointer.Node, bool) {
	if v.Reg() == ir.None {
		return 0, false
	}
	at, ok := r.pts.PointsTo(inst, v, 0).Single()
	if !ok {
		return 0, false
	}
	id, slot := r.pts.Object(at)
	if id == pointer.NoObject || slot != 0 || r.pts.Objects[id].Kind != pointer.ObjectCell {
		return 0, false
	}
	for k := range r.pts.Objects[id].Size {
		if r.cells.kept[at+pointer.Node(k)].state == one {
			return at, true
		}
	}
	return 0, false
}

// RunsIn tells whether control gets to an instruction in an activation that was
// told something.
func (r *Result) RunsIn(inst pointer.InstID, instr int32, told Passed) bool {
	if told == Nothing || !r.asks(inst) {
		return r.runsIn(inst, instr)
	}
	body := r.pts.Body(inst)
	return r.activationOf(inst, body, told).runs[body.BlockOf(instr)]
}

// asks tells whether what an instance does depends on anything.
func (r *Result) asks(inst pointer.InstID) bool {
	if r.asking[inst] == unasked {
		r.asking[inst] = no
		if branches(r.pts.Body(inst)) {
			r.asking[inst] = yes
		}
	}
	return r.asking[inst] == yes
}

// answer is a truth that is found out when it is asked for.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

func (r *Result) activationOf(inst pointer.InstID, body *ir.Body, told Passed) *activation {
	key := uint64(inst)<<32 | uint64(told)
	a := r.passed[key]
	if a == nil {
		p := r.propagate(inst, body, told)
		a = &activation{p.runs, p.regs}
		r.passed[key] = a
	}
	return a
}

// passedField returns what is loaded from a field of an object that an activation
// was told of.
func (r *Result) passedField(inst pointer.InstID, addr ir.Value, told Passed) (constant, bool) {
	if told == Nothing {
		return constant{}, false
	}
	p, slot, ok := r.fieldOf(inst, addr)
	if !ok {
		return constant{}, false
	}
	return r.keptBy(told, p, slot)
}

// keptBy returns what is known of a slot of what a parameter points to.
func (r *Result) keptBy(told Passed, param, slot int32) (constant, bool) {
	f, ok := r.toldOf(told, param)
	if !ok || f.object == 0 {
		return constant{}, false
	}
	v := r.cells.kept[pointer.Node(f.n)+pointer.Node(slot)]
	return v, v.state == one
}

// passedResult returns what a call returns that takes a field out of an object that
// an activation was told of.
func (r *Result) passedResult(inst pointer.InstID, call int32, body *ir.Body, told Passed) (constant, bool) {
	in := &body.Instrs[call]
	if told == Nothing || ir.How(in.Sub) != ir.Now || in.Flags&ir.FlagGroup != 0 || in.Args.Len == 0 {
		return constant{}, false
	}
	p, ok := r.paramOf(inst, body.Args(in)[0])
	if !ok {
		return constant{}, false
	}
	slot := int32(ir.None)
	for _, e := range r.pts.Instances[inst].Calls {
		if e.Instr != call {
			continue
		}
		s := r.getter(e.Target)
		if s == ir.None || slot != ir.None && s != slot {
			return constant{}, false
		}
		slot = s
	}
	if slot == ir.None {
		return constant{}, false
	}
	return r.keptBy(told, p, slot)
}

// getter returns the slot of its first parameter that a function returns, or
// ir.None.
func (r *Result) getter(inst pointer.InstID) int32 {
	fn := r.pts.Instances[inst].Func
	slot, known := r.getters[fn]
	if known {
		return slot
	}
	slot = ir.None
	if body := r.pts.Body(inst); body != nil && len(body.Blocks) == 1 && body.Params > 0 {
		ret := &body.Instrs[len(body.Instrs)-1]
		if ret.Op == ir.OpReturn && ret.Args.Len == 1 {
			if d := r.pts.Prog.Definition(fn, body.Args(ret)[0]); d >= 0 && body.Instrs[d].Op == ir.OpLoad {
				if p, k, ok := r.fieldOf(inst, body.Args(&body.Instrs[d])[0]); ok && p == 0 {
					slot = k
				}
			}
		}
	}
	r.getters[fn] = slot
	return slot
}

// fieldOf returns the slot of a field of what a parameter points to, if an address
// is that of one.
func (r *Result) fieldOf(inst pointer.InstID, addr ir.Value) (param, slot int32, ok bool) {
	fn := r.pts.Instances[inst].Func
	d := r.pts.Prog.Definition(fn, addr)
	if d < 0 {
		return 0, 0, false
	}
	body := r.pts.Body(inst)
	in := &body.Instrs[d]
	if in.Op != ir.OpField {
		return 0, 0, false
	}
	if param, ok = r.paramOf(inst, body.Args(in)[0]); ok {
		slot, _, ok = r.pts.Prog.FieldOf(fn, ir.FieldID(in.Aux))
	}
	return param, slot, ok
}

// paramOf returns which parameter a value is.
func (r *Result) paramOf(inst pointer.InstID, v ir.Value) (int32, bool) {
	fn := r.pts.Instances[inst].Func
	body := r.pts.Body(inst)
	for range maxPassed {
		reg := v.Reg()
		if reg == ir.None || int32(reg) < body.Params {
			return int32(reg), reg != ir.None
		}
		d := r.pts.Prog.Definition(fn, v)
		if d < 0 || body.Instrs[d].Op != ir.OpCopy && body.Instrs[d].Op != ir.OpCast {
			break
		}
		v = body.Args(&body.Instrs[d])[0]
	}
	return 0, false
}
