package jvm

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// dynamic lowers an invokedynamic by what its bootstrap method is known to
// link it to.
func (x *method) dynamic(dyn *classfile.Dynamic) {
	d, err := classfile.ParseMethodDesc(dyn.Desc)
	if err != nil {
		return
	}
	args := x.popAll(d.Params)
	boot := &x.c.Bootstraps[dyn.Bootstrap]
	result := ir.NoValue
	switch boot.Method.Member.Owner {
	case "java/lang/invoke/LambdaMetafactory":
		if v, ok := x.lambda(dyn, &d, boot, args); ok {
			x.push(d.Result, v)
			return
		}
		x.opaque(dyn, boot)
	case "java/lang/invoke/StringConcatFactory":
		for _, a := range args {
			x.toString(a)
		}
	case "java/lang/runtime/ObjectMethods", "java/lang/runtime/SwitchBootstraps":
		// equals, hashCode and toString of records read final fields; a switch
		// over types compares classes.
	default:
		x.opaque(dyn, boot)
	}
	if d.Result != "V" {
		result = x.undef(d.Result)
		x.push(d.Result, result)
	}
}

// dynamicConst pushes a constant that a bootstrap method computes.
func (x *method) dynamicConst(dyn *classfile.Dynamic) {
	boot := &x.c.Bootstraps[dyn.Bootstrap]
	if boot.Method.Member.Owner != "java/lang/invoke/ConstantBootstraps" {
		x.opaque(dyn, boot)
	}
	x.push(dyn.Desc, x.undef(dyn.Desc))
}

// opaque says that a bootstrap method is not known.
func (x *method) opaque(dyn *classfile.Dynamic, boot *classfile.Bootstrap) {
	m := boot.Method.Member
	x.b.AddLimit(ir.Limit{Kind: "invokedynamic", Symbol: x.symbol, Pos: x.pos,
		Text: "linked by " + dotted(m.Owner) + "." + m.Name + ", which is not known; the call is taken to do nothing"})
}

// toString calls toString of what is put into a string. Of strings and boxes
// it does nothing.
func (x *method) toString(w word) {
	if len(w.desc) == 0 || w.desc[0] != 'L' || w.v.Kind() == ir.ValueConst || isValueClass(classfile.ClassOf(w.desc)) {
		return
	}
	d := classfile.MethodDesc{Result: stringDesc}
	x.invoke(classfile.OpInvokeVirtual, &classfile.Member{Owner: classfile.ClassOf(w.desc), Name: "toString", Desc: "()" + stringDesc}, &d, []ir.Value{w.v})
}

// isValueClass tells whether objects of a class never change and hold no
// references: strings, boxes of numbers, classes.
func isValueClass(class string) bool {
	switch class {
	case "java/lang/String", "java/lang/Integer", "java/lang/Long", "java/lang/Boolean", "java/lang/Double", "java/lang/Float",
		"java/lang/Short", "java/lang/Byte", "java/lang/Character", "java/lang/Class", "java/math/BigInteger", "java/math/BigDecimal":
		return true
	}
	return false
}

// lambda makes an object of a class of its own whose only method forwards to
// the target of a lambda or method reference (JLS 15.27.4, 15.13.3).
func (x *method) lambda(dyn *classfile.Dynamic, d *classfile.MethodDesc, boot *classfile.Bootstrap, args []word) (ir.Value, bool) {
	if len(boot.Args) < 3 || boot.Args[1].Kind != classfile.ConstHandle || boot.Args[0].Kind != classfile.ConstMethodType {
		return ir.NoValue, false
	}
	iface := classfile.ClassOf(d.Result)
	sam, err := classfile.ParseMethodDesc(boot.Args[0].Text)
	if err != nil || iface == "" {
		return ir.NoValue, false
	}
	f := &forwarder{iface: iface, name: dyn.Name, desc: boot.Args[0].Text, sam: sam, captured: d.Params, target: boot.Args[1].Handle}
	f.extras(boot.Args[3:], boot.Method.Member.Name == "altMetafactory")
	f.class = x.c.Name + "$$Lambda$" + strconv.Itoa(len(x.lambdas))
	x.lambdas = append(x.lambdas, f)

	obj := x.alloc(f.class)
	named := x.types.named(f.class)
	for i, a := range args {
		t := x.types.addr(d.Params[i])
		ref := x.b.Field(named, captureName(i), int32(i))
		at := x.body.Def(t, "", x.pos, ir.Instr{Op: ir.OpField, Type: t, Aux: int32(ref)}, obj)
		x.emit(ir.Instr{Op: ir.OpStore, Type: x.types.of(d.Params[i])}, ir.RegValue(at), a.v)
	}
	return obj, true
}

func captureName(i int) string { return "captured" + strconv.Itoa(i) }
