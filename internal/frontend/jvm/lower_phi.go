package jvm

import "github.com/deadheat/deadheat/internal/ir"

// prunePhis removes phis that select among one value and themselves, and the
// registers they assigned: blocks are entered with a phi for every live local,
// and most locals are assigned once. On reducible control flow what is left is
// minimal (Braun et al., "Simple and Efficient Construction of Static Single
// Assignment Form", section 3.2).
func prunePhis(body *ir.Body) *ir.Body {
	var phis []int32
	for i := range body.Instrs {
		if body.Instrs[i].Op == ir.OpPhi {
			phis = append(phis, int32(i))
		}
	}
	if len(phis) == 0 {
		return body
	}
	instead := make(map[ir.Value]ir.Value)
	resolve := func(v ir.Value) ir.Value {
		for {
			w, ok := instead[v]
			if !ok {
				return v
			}
			v = w
		}
	}
	for changed := true; changed; {
		changed = false
		kept := phis[:0]
		for _, i := range phis {
			in := &body.Instrs[i]
			self := ir.RegValue(in.Dst)
			only, trivial := ir.NoValue, true
			for _, a := range body.Args(in) {
				a = resolve(a)
				if a == self || a == only {
					continue
				}
				if only != ir.NoValue {
					trivial = false
					break
				}
				only = a
			}
			if trivial && only != ir.NoValue {
				instead[self], changed = only, true
				name(body, only, self)
				continue
			}
			kept = append(kept, i)
		}
		phis = kept
	}
	if len(instead) == 0 {
		return body
	}
	return rebuild(body, instead, resolve)
}

// name gives a register the name that a phi for it had.
func name(body *ir.Body, to, from ir.Value) {
	if r := to.Reg(); r != ir.None && body.Regs[r].Name == "" {
		body.Regs[r].Name = body.Regs[from.Reg()].Name
	}
}

// rebuild copies a body without the phis that others stand in for.
func rebuild(body *ir.Body, instead map[ir.Value]ir.Value, resolve func(ir.Value) ir.Value) *ir.Body {
	out := &ir.Body{Params: body.Params, Captures: body.Captures, Recover: body.Recover, Edges: body.Edges}
	number := make([]ir.Reg, len(body.Regs))
	for r := range body.Regs {
		number[r] = ir.Reg(len(out.Regs))
		if _, gone := instead[ir.RegValue(ir.Reg(r))]; !gone {
			out.Regs = append(out.Regs, body.Regs[r])
		}
	}
	out.Instrs = make([]ir.Instr, 0, len(body.Instrs))
	out.Pos = make([]ir.Pos, 0, len(body.Instrs))
	out.Operands = make([]ir.Value, 0, len(body.Operands))
	for _, b := range body.Blocks {
		first := int32(len(out.Instrs))
		for i := b.First; i < b.End; i++ {
			in := body.Instrs[i]
			if in.Dst != ir.None {
				if _, gone := instead[ir.RegValue(in.Dst)]; gone {
					continue
				}
				in.Dst = number[in.Dst]
			}
			args := body.Args(&in)
			in.Args.Off = int32(len(out.Operands))
			for _, a := range args {
				if a = resolve(a); a.Reg() != ir.None {
					a = ir.RegValue(number[a.Reg()])
				}
				out.Operands = append(out.Operands, a)
			}
			out.Instrs = append(out.Instrs, in)
			out.Pos = append(out.Pos, body.Pos[i])
		}
		b.First, b.End = first, int32(len(out.Instrs))
		out.Blocks = append(out.Blocks, b)
	}
	return out
}
