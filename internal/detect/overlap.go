package detect

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/value"
)

// In a loop that cuts a slice into parts, each part should end where the next one
// begins: with the counter i, s[i*n : i*n+n] does, s[i*n : i*n+n+1] does not.

// overlaps tells whether the part that a slice instruction cuts in one turn of a
// loop surely reaches into that of the next turn.
func (d *detector) overlaps(inst pointer.InstID, cut *ir.Instr) bool {
	args := d.Points.Body(inst).Args(cut)
	t := &terms{detector: d, inst: inst, steps: make(map[string]sum)}
	low := t.of(args[1], maxTerms)
	if len(t.steps) != 1 {
		return false
	}
	next := sum{}
	for _, m := range slices.Sorted(maps.Keys(low)) {
		next.add(t.advance(m), low[m])
	}
	return slices.ContainsFunc(t.alternatives(args[2]), func(high ir.Value) bool {
		gap := maps.Clone(next) // between where this part ends and where the next one begins
		gap.add(t.of(high, maxTerms), -1)
		return len(gap) == 1 && gap[""] < 0
	})
}

// alternatives returns what a value may be: the last part often ends elsewhere.
func (t *terms) alternatives(v ir.Value) []ir.Value {
	body := t.Points.Body(t.inst)
	if k := t.Points.Prog.Definition(t.Points.Instances[t.inst].Func, v); k >= 0 && body.Instrs[k].Op == ir.OpPhi {
		return body.Args(&body.Instrs[k])
	}
	return []ir.Value{v}
}

// maxTerms bounds the instructions that a bound is computed by.
const maxTerms = 16

// sum is a sum of products of values, by the names of the factors; that of none is
// the constant.
type sum map[string]int64

// add adds another sum, so many times.
func (s sum) add(other sum, times int64) {
	for m, n := range other {
		if s[m] += n * times; s[m] == 0 {
			delete(s, m)
		}
	}
}

func product(x, y sum) sum {
	out := sum{}
	for m, n := range x {
		for k, l := range y {
			factors := append(strings.Fields(m), strings.Fields(k)...)
			slices.Sort(factors)
			out.add(sum{strings.Join(factors, " "): 1}, n*l)
		}
	}
	return out
}

// terms spells values of an instance as sums.
type terms struct {
	*detector
	inst  pointer.InstID
	steps map[string]sum // by how much counters go up in a turn
}

func (t *terms) of(v ir.Value, depth int) sum {
	if n, ok := value.Integer(t.Points, t.inst, v); ok {
		return sum{}.with("", n)
	}
	k := t.Points.Prog.Definition(t.Points.Instances[t.inst].Func, v)
	if k < 0 || depth == 0 {
		return sum{}.with("r"+strconv.Itoa(int(v.Reg())), 1)
	}
	body := t.Points.Body(t.inst)
	in := &body.Instrs[k]
	args := body.Args(in)
	switch in.Op {
	case ir.OpConvert, ir.OpCopy:
		return t.of(args[0], depth-1)
	case ir.OpBinary:
		times := int64(1)
		switch ir.BinaryKind(in.Sub) {
		case ir.BinMul:
			return product(t.of(args[0], depth-1), t.of(args[1], depth-1))
		case ir.BinSub:
			times = -1
			fallthrough
		case ir.BinAdd:
			out := sum{}
			out.add(t.of(args[0], depth-1), 1)
			out.add(t.of(args[1], depth-1), times)
			return out
		}
	case ir.OpLoad:
		return t.variable(args[0], depth)
	case ir.OpPhi:
		name := "r" + strconv.Itoa(int(in.Dst))
		for _, a := range args {
			if step, ok := t.stepOf(a, in.Dst, depth); ok {
				t.steps[name] = step
			}
		}
		return sum{}.with(name, 1)
	}
	return sum{}.with("r"+strconv.Itoa(int(in.Dst)), 1)
}

func (s sum) with(m string, n int64) sum {
	s.add(sum{m: 1}, n)
	return s
}

// stepOf returns what is added to a register to get a value, if that is all.
func (t *terms) stepOf(v ir.Value, reg ir.Reg, depth int) (sum, bool) {
	body := t.Points.Body(t.inst)
	k := t.Points.Prog.Definition(t.Points.Instances[t.inst].Func, v)
	if k < 0 || body.Instrs[k].Op != ir.OpBinary || ir.BinaryKind(body.Instrs[k].Sub) != ir.BinAdd {
		return nil, false
	}
	args := body.Args(&body.Instrs[k])
	return t.of(args[1], depth-1), args[0].Reg() == reg
}

// variable spells what a variable holds: the counter of a loop that has a new one in
// every turn, or else one that is given a value once.
func (t *terms) variable(addr ir.Value, depth int) sum {
	fn := t.Points.Instances[t.inst].Func
	body := t.Points.Body(t.inst)
	name := "m" + strconv.Itoa(int(addr.Reg()))
	k := t.Points.Prog.Definition(fn, addr)
	if k < 0 {
		return sum{}.with(name, 1)
	}
	if in := &body.Instrs[k]; in.Op == ir.OpAlloc {
		if v, ok := t.onlyStored(addr); ok {
			return t.of(v, depth-1)
		}
	} else if in.Op == ir.OpPhi {
		for _, cell := range body.Args(in) {
			if step, ok := t.copied(cell, depth); ok {
				t.steps[name] = step
			}
		}
	}
	return sum{}.with(name, 1)
}

// onlyStored returns the one value that the function gives a variable.
func (t *terms) onlyStored(addr ir.Value) (v ir.Value, ok bool) {
	body := t.Points.Body(t.inst)
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpStore && body.Args(in)[0] == addr {
			if ok {
				return v, false
			}
			v, ok = body.Args(in)[1], true
		}
	}
	return v, ok
}

// copied returns what is added to this turn's copy of a variable.
func (t *terms) copied(cell ir.Value, depth int) (sum, bool) {
	fn := t.Points.Instances[t.inst].Func
	body := t.Points.Body(t.inst)
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore || body.Args(in)[0] != cell {
			continue
		}
		k := t.Points.Prog.Definition(fn, body.Args(in)[1])
		if k < 0 || body.Instrs[k].Op != ir.OpBinary || ir.BinaryKind(body.Instrs[k].Sub) != ir.BinAdd {
			continue
		}
		args := body.Args(&body.Instrs[k])
		if from := t.Points.Prog.Definition(fn, args[0]); from >= 0 && body.Instrs[from].Op == ir.OpLoad && body.Args(&body.Instrs[from])[0] == cell {
			return t.of(args[1], depth-1), true
		}
	}
	return nil, false
}

// advance returns a product as it is in the next turn.
func (t *terms) advance(m string) sum {
	out := sum{"": 1}
	for _, name := range strings.Fields(m) {
		factor := sum{name: 1}
		if step, ok := t.steps[name]; ok {
			factor.add(step, 1)
		}
		out = product(out, factor)
	}
	return out
}
