package jvm

import (
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// call lowers the calls other than invokedynamic.
func (x *method) call(in *classfile.Insn) {
	m := *in.Member
	d, err := classfile.ParseMethodDesc(m.Desc)
	if err != nil {
		return // the types were inferred from it, so it is well-formed
	}
	args := x.popAll(d.Params)
	values := make([]ir.Value, 0, len(args)+1)
	recv := word{v: ir.NoValue}
	if in.Op != classfile.OpInvokeStatic {
		recv = x.popRef()
	}
	if x.reflect(&m, recv, args) {
		return
	}
	if in.Op != classfile.OpInvokeStatic {
		if len(m.Owner) > 0 && m.Owner[0] == '[' {
			if m.Name == "clone" {
				x.cloneArray(recv, m.Owner)
				return
			}
			m.Owner = "java/lang/Object"
		}
		if in.Op == classfile.OpInvokeSpecial {
			values = append(values, recv.v)
		} else {
			values = append(values, x.receiver(recv, m.Owner))
		}
	}
	for _, a := range args {
		values = append(values, a.v)
	}
	if in.Op == classfile.OpInvokeStatic {
		x.trigger(m.Owner)
	}
	v := x.invoke(in.Op, &m, &d, values)
	if d.Result != "V" {
		x.push(d.Result, v)
	}
}

// receiver is the object a method is called on, seen as of the class that the
// call names: models are found by it.
func (x *method) receiver(w word, owner string) ir.Value {
	if w.desc == classfile.DescOf(owner) || w.v.Kind() == ir.ValueConst {
		return w.v
	}
	return x.def(classfile.DescOf(owner), ir.Instr{Op: ir.OpCast}, w.v)
}

// invoke emits a call and returns its result, if any. Methods that cannot be
// overridden are called directly.
func (x *method) invoke(op classfile.Op, m *classfile.Member, d *classfile.MethodDesc, args []ir.Value) ir.Value {
	dispatched := op == classfile.OpInvokeVirtual || op == classfile.OpInvokeInterface
	in := ir.Instr{Type: x.types.of(d.Result)}
	if dispatched && !x.isFixed(m) && args[0].Kind() != ir.ValueConst {
		in.Op = ir.OpInvoke
		in.Aux = int32(x.b.Method(m.Name+m.Desc, x.types.sig(m.Desc, d)))
	} else {
		in.Op = ir.OpCall
		in.Aux = int32(x.b.FuncRef(methodSymbol(dotted(m.Owner), m.Name, m.Desc)))
	}
	if d.Result == "V" {
		x.emit(in, args...)
		return ir.NoValue
	}
	return ir.RegValue(x.body.Def(in.Type, "", x.pos, in, args...))
}

// isFixed tells whether the method of this class that a call names has no
// overriding one.
func (x *method) isFixed(m *classfile.Member) bool {
	if m.Owner != x.c.Name {
		return false
	}
	for i := range x.c.Methods {
		f := &x.c.Methods[i]
		if f.Name == m.Name && f.Desc == m.Desc {
			return f.Access&(classfile.AccPrivate|classfile.AccFinal) != 0 || x.c.Access.Has(classfile.AccFinal)
		}
	}
	return false
}

// cloneArray copies an array: its elements are read.
func (x *method) cloneArray(array word, desc string) {
	if len(array.desc) > 0 && array.desc[0] == '[' {
		desc = array.desc
	}
	from := x.asArray(array, desc[1:])
	n := x.def("I", ir.Instr{Op: ir.OpLen}, from)
	to := x.newArray(desc, n)
	x.emit(ir.Instr{Op: ir.OpCopyRange, Type: x.types.of(desc[1:])}, to, from)
	x.push(desc, to)
}
