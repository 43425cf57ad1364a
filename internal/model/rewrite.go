package model

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// rewriter replaces modelled calls of one body.
type rewriter struct {
	v     *view
	old   *ir.Body
	bb    ir.BodyBuilder
	parts map[ir.Reg][]ir.Reg // tuple results of modelled calls: where each component goes, or None
	same  map[int]ir.Reg      // further extracts of a component, by instruction: where it went
}

// models returns body with calls of modelled functions replaced by what the
// models say, or body itself if there are none. Only calls that happen now are
// replaced: deferred and spawned ones run the function's own, modelled, body.
func (v *view) models(body *ir.Body) *ir.Body {
	r := &rewriter{v: v, old: body}
	if !r.scan() {
		return body
	}
	return r.bb.Rewrite(body, r.replace)
}

// model returns the row to use for an instruction, or nil.
func (v *view) model(body *ir.Body, in *ir.Instr) *use {
	if ir.How(in.Sub) != ir.Now {
		return nil
	}
	switch in.Op {
	case ir.OpCall:
		if int(in.Aux) < len(v.refs) {
			return v.refs[in.Aux]
		}
	case ir.OpInvoke:
		if r := body.Args(in)[0].Reg(); r != ir.None && len(v.ifaces) > 0 {
			return v.ifaces[ifaceCall{body.Regs[r].Type, ir.MethodID(in.Aux)}]
		}
	}
	return nil
}

// scan finds out whether there is anything to replace and what becomes of
// tuples: there is no instruction that makes one, so the components go straight
// to the registers they are extracted to.
func (r *rewriter) scan() bool {
	found := false
	for i := range r.old.Instrs {
		in := &r.old.Instrs[i]
		if r.v.model(r.old, in) == nil {
			continue
		}
		found = true
		if t := &r.v.u.Types[in.Type]; in.Dst != ir.None && t.Kind == ir.KindTuple {
			if r.parts == nil {
				r.parts, r.same = make(map[ir.Reg][]ir.Reg), make(map[int]ir.Reg)
			}
			regs := make([]ir.Reg, len(t.Elems))
			for j := range regs {
				regs[j] = ir.None
			}
			r.parts[in.Dst] = regs
		}
	}
	if r.parts == nil {
		return found
	}
	for i := range r.old.Instrs {
		in := &r.old.Instrs[i]
		regs := r.partsOf(in)
		if regs == nil || int(in.Aux) >= len(regs) {
			continue
		}
		if regs[in.Aux] == ir.None {
			regs[in.Aux] = in.Dst
		} else {
			r.same[i] = regs[in.Aux]
		}
	}
	return found
}

// partsOf returns the components of the modelled call that in extracts from.
func (r *rewriter) partsOf(in *ir.Instr) []ir.Reg {
	if in.Op != ir.OpExtract {
		return nil
	}
	tuple := r.old.Args(in)[0].Reg()
	if tuple == ir.None {
		return nil
	}
	return r.parts[tuple]
}

func (r *rewriter) replace(i int) bool {
	in := &r.old.Instrs[i]
	if regs := r.partsOf(in); regs != nil {
		if from, ok := r.same[i]; ok {
			r.bb.DefReg(in.Dst, r.old.Pos[i], ir.Instr{Op: ir.OpCopy, Type: in.Type}, ir.RegValue(from))
		}
		return true
	}
	us := r.v.model(r.old, in)
	if us == nil {
		return false
	}
	m := &emitter{v: r.v, use: us, bb: &r.bb, pos: r.old.Pos[i], old: r.old,
		recv: typed{ir.NoValue, 0}, locals: make(map[string]typed), results: r.results(in)}
	for _, x := range r.old.Args(in) {
		m.args = append(m.args, typed{x, r.v.typeOf(r.old, x)})
	}
	isMethod := true
	if in.Op == ir.OpCall {
		m.symbol = r.v.u.FuncRefs[in.Aux].Symbol
		isMethod = r.v.hasReceiver(m.symbol, len(m.args))
	} else {
		m.symbol = r.v.invoked(r.old, in)
	}
	m.splitReceiver(isMethod)
	m.effects(us.row.Effects)
	return true
}

// invoked returns the symbol of the method that a call by dispatch names.
func (v *view) invoked(body *ir.Body, in *ir.Instr) string {
	class := ""
	if t := &v.u.Types[v.typeOf(body, body.Args(in)[0])]; t.Kind == ir.KindPointer {
		class = v.u.Types[t.Elem].Name
	}
	return joinSymbol(v.u.Lang, class, v.u.Methods[in.Aux].Name)
}

// hasReceiver tells whether the first of n operands of a function is a receiver.
// Static methods of Java are told apart by their descriptors, which do not list
// it.
func (v *view) hasReceiver(symbol string, n int) bool {
	if v.u.Lang == ir.LangJava {
		_, params := declared(symbol)
		return n > len(params)
	}
	_, _, ok := receiverType(v.u.Lang, symbol)
	return ok
}

// splitReceiver takes the receiver of a method from its arguments.
func (m *emitter) splitReceiver(isMethod bool) {
	if isMethod && len(m.args) > 0 {
		m.recv, m.args = m.args[0], m.args[1:]
	}
}

// results says where the results of a call go.
func (r *rewriter) results(in *ir.Instr) []result {
	t := &r.v.u.Types[in.Type]
	switch {
	case t.Kind == ir.KindTuple:
		list := make([]result, len(t.Elems))
		regs := r.parts[in.Dst]
		for i, elem := range t.Elems {
			list[i] = result{typ: elem, dst: ir.None, unused: true}
			if regs != nil && regs[i] != ir.None {
				list[i].dst, list[i].unused = regs[i], false
			}
		}
		return list
	case t.Kind == ir.KindInvalid:
		return nil
	}
	return []result{{typ: in.Type, dst: in.Dst, unused: in.Dst == ir.None}}
}

// typeOf returns the type of an operand as far as the unit knows it.
func (v *view) typeOf(body *ir.Body, x ir.Value) ir.TypeID {
	switch x.Kind() {
	case ir.ValueReg:
		return body.Regs[x.Reg()].Type
	case ir.ValueConst:
		return v.u.Consts[x.Const()].Type
	}
	return 0
}

// definition returns the instruction that assigns the register x, or nil.
func definition(body *ir.Body, x ir.Value) *ir.Instr {
	r := x.Reg()
	if body == nil || r == ir.None {
		return nil
	}
	for i := range body.Instrs {
		if body.Instrs[i].Dst == r {
			return &body.Instrs[i]
		}
	}
	return nil
}

// signature returns the function type of a value, or nil if the unit does not
// know it.
func (v *view) signature(fn typed) *ir.Type {
	if ref := fn.v.Func(); ref != ir.None {
		if id, ok := v.funcID(ref); ok {
			return &v.u.Types[v.u.Funcs[id].Sig]
		}
		return nil
	}
	if fn.t != 0 && v.u.Types[fn.t].Kind == ir.KindFunc {
		return &v.u.Types[fn.t]
	}
	return nil
}

// funcID finds the definition of a function that the unit mentions.
func (v *view) funcID(ref ir.FuncRefID) (ir.FuncID, bool) {
	id, ok := v.funcs[v.u.FuncRefs[ref].Symbol]
	return id, ok
}

// isNumber tells whether a value is a constant number.
func (v *view) isNumber(x ir.Value, n int) bool {
	c := x.Const()
	return c != ir.None && v.u.Consts[c].Text == strconv.Itoa(n)
}

// calls tells whether the body of a function value calls a function, itself and
// not through others. What cannot be told counts as no.
func (v *view) calls(body *ir.Body, fn ir.Value, symbol string) bool {
	ref := fn.Func()
	if in := definition(body, fn); in != nil && in.Op == ir.OpClosure {
		ref = ir.FuncRefID(in.Aux)
	}
	if ref == ir.None {
		return false
	}
	id, ok := v.funcID(ref)
	if !ok {
		return false
	}
	callee, err := v.u.Body(id)
	if err != nil || callee == nil {
		return false
	}
	for i := range callee.Instrs {
		in := &callee.Instrs[i]
		if in.Op == ir.OpCall && v.u.FuncRefs[in.Aux].Symbol == symbol {
			return true
		}
	}
	return false
}

// mentions tells whether a body calls a function itself, directly or by dispatch.
// Of Java the symbol has no descriptor.
func (v *view) mentions(body *ir.Body, symbol string) bool {
	for i := range body.Instrs {
		in := &body.Instrs[i]
		callee := ""
		switch in.Op {
		case ir.OpCall:
			callee = v.u.FuncRefs[in.Aux].Symbol
		case ir.OpInvoke:
			callee = v.invoked(body, in)
		}
		if bare, _, _ := strings.Cut(callee, "("); callee == symbol || v.u.Lang == ir.LangJava && bare == symbol {
			return true
		}
	}
	return false
}
