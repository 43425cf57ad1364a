package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// A function value of Java is an object of an interface with one method, such as
// Runnable. Which method that is follows from the type that the callee declares
// for its parameter, and from what "function" lines say of the type.

// hasFunctions tells whether the receiver or a parameter of a Java method is a
// function value.
func (p *preparer) hasFunctions(symbol string) bool {
	class, params := declared(symbol)
	if p.v.set.function(p.pass.Classes, class) != nil {
		return true
	}
	for _, t := range params {
		if p.v.set.function(p.pass.Classes, t) != nil {
			return true
		}
	}
	return false
}

// declared returns the class of a Java method and the types of its parameters.
func declared(symbol string) (class string, params []string) {
	splitSymbol(ir.LangJava, symbol, func(scope, name string) bool {
		class = scope
		_, params, _, _ = splitDescriptor(name)
		return false
	})
	return class, params
}

// callees returns the method that a call of a value calls, or, for args, one for
// each argument.
func (r *resolver) callees(x *Expr) []callee {
	class, params := declared(r.use.symbol)
	switch x.Op {
	case opRecv:
		return []callee{r.callee(class)}
	case opArg:
		if x.N <= len(params) {
			return []callee{r.callee(params[x.N-1])}
		}
	case opLast:
		if n := len(params); n > 0 {
			return []callee{r.callee(params[n-1])}
		}
	case opArgs:
		list := make([]callee, len(params))
		for i, t := range params {
			list[i] = r.callee(t)
		}
		return list
	case opAs:
		return []callee{r.callee(className(x.Type))}
	case opLocal:
		if t := r.locals[x.Name]; t != 0 {
			return []callee{r.callee(r.className(t))}
		}
	}
	return nil
}

// className returns the class that a type of the unit refers to, or "".
func (r *resolver) className(t ir.TypeID) string {
	u := r.p.b.Unit()
	if ty := &u.Types[t]; ty.Kind == ir.KindPointer && u.Types[ty.Elem].Kind == ir.KindNamed {
		return u.Types[ty.Elem].Name
	}
	return ""
}

// callee interns the method of function values of a class.
func (r *resolver) callee(class string) callee {
	row := r.p.v.set.function(r.p.pass.Classes, class)
	if row == nil {
		return callee{}
	}
	b, m := r.p.b, row.Method
	c := callee{known: true, params: r.types(m.Params), result: r.p.v.base.none}
	var results []ir.TypeID
	if m.Result != nil {
		c.result = r.typ(m.Result)
		results = []ir.TypeID{c.result}
	}
	c.method = b.Method(m.key(), b.FuncType(c.params, results, false))
	return c
}

// callFunctions emits calls of Java function values: of the one that e calls, or
// of every argument that is one. What the row does not pass is fresh.
func (m *emitter) callFunctions(e *Expr, wanted bool, dst ir.Reg) typed {
	calls := m.use.ids[e.id].calls
	if e.X[0].Op != opArgs {
		if len(calls) == 0 || !calls[0].known {
			return m.unknown(0, dst)
		}
		return m.callFunction(e, &calls[0], m.value(e.X[0], 0, ir.None), wanted, dst)
	}
	for i, x := range m.args {
		if i < len(calls) && calls[i].known {
			m.callFunction(e, &calls[i], x, false, ir.None)
		}
	}
	return typed{m.v.base.undef, 0}
}

func (m *emitter) callFunction(e *Expr, c *callee, fn typed, wanted bool, dst ir.Reg) typed {
	if fn.v.Const() != ir.None {
		return m.unknown(0, dst)
	}
	args := append(m.group(e), fn.v)
	for i, t := range c.params {
		if !e.Dots && i+1 < len(e.X) {
			args = append(args, m.value(e.X[i+1], t, ir.None).v)
		} else {
			args = append(args, m.fresh(t, ir.None).v)
		}
	}
	in := ir.Instr{Op: ir.OpInvoke, Sub: e.Sub, Flags: e.Flags, Type: c.result, Aux: int32(c.method)}
	return m.finishCall(in, wanted, dst, args)
}

// alike returns the receiver and the arguments that are declared with the type
// of the result, and fresh memory.
func (m *emitter) alike(want ir.TypeID, dst ir.Reg) typed {
	class, name := "", ""
	splitSymbol(ir.LangJava, m.symbol, func(scope, n string) bool { class, name = scope, n; return false })
	_, params, result, ok := splitDescriptor(name)
	if !ok || basicTypes[result] || result == "void" {
		return m.unknown(want, dst)
	}
	var same []typed
	if m.recv.v != ir.NoValue && class == result {
		same = append(same, m.recv)
	}
	for i, t := range params {
		if t == result && t != objectClass && i < len(m.args) && m.args[i].v.Const() == ir.None {
			same = append(same, m.args[i])
		}
	}
	if len(same) == 0 {
		return m.fresh(want, dst)
	}
	cell := m.def(ir.Instr{Op: ir.OpAlloc, Sub: uint8(ir.AllocStack), Type: want, Aux: ir.None}, m.v.base.addr, ir.None)
	for _, x := range same {
		m.emit(ir.Instr{Op: ir.OpStore, Type: want}, cell.v, x.v)
	}
	m.emit(ir.Instr{Op: ir.OpStore, Type: want}, cell.v, m.fresh(want, ir.None).v)
	return m.load(cell.v, "", want, dst)
}
