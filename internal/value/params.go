package value

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// maxPassed bounds the calls through which a constant is passed on.
const maxPassed = 4

// param returns the value of a parameter that is the same constant in every call
// of an instance.
func (r *Result) param(inst pointer.InstID, k int32, depth int) constant {
	unknown := constant{state: anything}
	callers := r.cells.runs.Callers[inst]
	if depth == 0 || len(callers) == 0 || r.isEntry(&r.pts.Instances[inst]) {
		return unknown
	}
	out := constant{}
	for _, c := range callers {
		body := r.pts.Body(c.Inst)
		in := &body.Instrs[c.Instr]
		if in.Op != ir.OpCall && in.Op != ir.OpInvoke || in.Flags&ir.FlagGroup != 0 || k >= in.Args.Len {
			return unknown
		}
		v := r.operand(c.Inst, body, body.Args(in)[k], depth)
		if v.state != one || out.state == one && out != v {
			return unknown
		}
		out = v
	}
	return out
}

// operand returns the value of an operand that is a constant, or a parameter.
func (r *Result) operand(inst pointer.InstID, body *ir.Body, v ir.Value, depth int) constant {
	if reg := v.Reg(); reg != ir.None {
		if int32(reg) < body.Params {
			return r.param(inst, int32(reg), depth-1)
		}
		return constant{state: anything}
	}
	if n, ok := Integer(r.pts, inst, v); ok {
		return constant{one, n}
	}
	return constant{state: anything}
}
