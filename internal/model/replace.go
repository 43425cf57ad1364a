package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// replacement returns the body of a modelled function: the same effects that a
// call of it would have, on its own parameters. It serves calls that no pass can
// replace: by dispatch, through function values, deferred and spawned ones.
func (v *view) replacement(us *use, f *ir.Func) *ir.Body {
	sig := &v.u.Types[f.Sig]
	bb := new(ir.BodyBuilder)
	m := v.newBody(bb, us, sig)
	for _, t := range sig.Elems {
		m.args = append(m.args, typed{ir.RegValue(bb.Param(t, "")), t})
	}
	m.symbol = f.Symbol
	m.splitReceiver(v.hasReceiver(f.Symbol, len(m.args)))
	bb.NewBlock()
	m.finish(us.row.Effects, us.row.ends())
	return bb.Finish()
}

// helperBody returns the body of a function value of a row.
func (v *view) helperBody(us *use, e *Expr) *ir.Body {
	sig := &v.u.Types[us.ids[e.id].typ]
	bb := new(ir.BodyBuilder)
	m := v.newBody(bb, us, sig)
	for i, t := range sig.Elems {
		x := typed{ir.RegValue(bb.Param(t, e.Params[i])), t}
		if e.Params[i] != "" {
			m.locals[e.Params[i]] = x
		}
	}
	m.caps = make(map[place]typed)
	for i, c := range e.Caps {
		t := us.ids[e.id].caps[i]
		m.caps[place{c.Op, c.N, c.Name}] = typed{ir.RegValue(bb.Capture(t, c.Name)), t}
	}
	bb.NewBlock()
	end := opInvalid
	if n := len(e.Body); n > 0 {
		end = e.Body[n-1].Op
	}
	m.finish(e.Body, end)
	return bb.Finish()
}

// newBody starts a body whose results are those of a signature.
func (v *view) newBody(bb *ir.BodyBuilder, us *use, sig *ir.Type) *emitter {
	m := &emitter{v: v, use: us, bb: bb, recv: typed{ir.NoValue, 0}, locals: make(map[string]typed)}
	for _, t := range sig.Results {
		m.results = append(m.results, result{typ: t, dst: ir.None})
	}
	return m
}

// finish emits the effects and ends the only block as they say.
func (m *emitter) finish(list []*Expr, end exprOp) {
	switch end {
	case opExit, opThrow:
		m.results = nil
		m.effects(list)
		if end == opExit {
			m.bb.Emit(m.pos, ir.Instr{Op: ir.OpUnreachable})
		} else {
			m.bb.Emit(m.pos, ir.Instr{Op: ir.OpThrow}, m.v.base.undef)
		}
	default:
		m.effects(list)
		m.bb.Return(m.pos, m.values...)
	}
}
