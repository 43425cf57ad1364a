package jvm

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

const constructorDesc = "Ljava/lang/reflect/Constructor;"

// reflect lowers calls of reflection that name their class: Class.forName and
// loadClass of a constant are the object of that class, and newInstance on it, or
// on its constructor without parameters, makes an object; ServiceLoader.load of a
// class finds its providers. It tells whether it did; other calls that run code
// by name are Limits.
func (x *method) reflect(m *classfile.Member, recv word, args []word) bool {
	switch {
	case m.Owner == "java/lang/Class" && m.Name == "forName":
		if class, ok := x.text(args[0]); ok {
			x.trigger(internalName(class))
			x.push(classDesc, ir.GlobalValue(x.b.GlobalRef(classObject(class))))
			return true
		}
	case m.Owner == "java/lang/Class" && (m.Name == "getDeclaredConstructor" || m.Name == "getConstructor"):
		if x.classOf(recv) != "" {
			x.push(constructorDesc, recv.v)
			return true
		}
		return false // it runs nothing
	case m.Owner == "java/lang/Class" && m.Name == "newInstance", m.Owner == "java/lang/reflect/Constructor" && m.Name == "newInstance":
		if class := x.classOf(recv); class != "" {
			x.push(objectDesc, x.instantiate(class))
			return true
		}
	case m.Owner == "java/lang/reflect/Method" && m.Name == "invoke":
	case m.Owner == loaderClass && (m.Name == "load" || m.Name == "loadInstalled"):
		for _, a := range args {
			if class := x.classOf(a); class != "" {
				x.push(loaderDesc, x.services(class))
				return true
			}
		}
	case m.Name == "loadClass" && m.Desc == "(Ljava/lang/String;)Ljava/lang/Class;":
		if class, ok := x.text(args[0]); ok { // of some class loader; the class is not initialised
			x.push(classDesc, ir.GlobalValue(x.b.GlobalRef(classObject(class))))
			return true
		}
		return false // it runs nothing
	case m.Owner == "java/lang/invoke/MethodHandle" && (m.Name == "invoke" || m.Name == "invokeExact"):
	default:
		return false
	}
	x.b.AddLimit(ir.Limit{Kind: "reflection", Symbol: x.symbol, Pos: x.pos,
		Text: "code found by name at run time through " + simpleName(dotted(m.Owner)) + "." + m.Name + " is not followed"})
	return false
}

// instantiate makes an object of a class by the constructor without parameters.
func (x *method) instantiate(class string) ir.Value {
	x.trigger(internalName(class))
	v := x.alloc(internalName(class))
	in := ir.Instr{Op: ir.OpCall, Type: x.types.of("V"), Aux: int32(x.b.FuncRef(methodSymbol(class, "<init>", "()V")))}
	x.emit(in, v)
	return v
}

// text returns the string that a word is known to be.
func (x *method) text(w word) (string, bool) {
	c := w.v.Const()
	if c == ir.None || w.desc != stringDesc {
		return "", false
	}
	s, err := strconv.Unquote(x.b.Unit().Consts[c].Text)
	return s, err == nil && s != ""
}

// classOf returns the dotted name of the class that a word is known to be the
// object or the constructor of, or "".
func (x *method) classOf(w word) string {
	g := w.v.Global()
	if g == ir.None || w.desc != classDesc && w.desc != constructorDesc {
		return ""
	}
	sym := x.b.Unit().GlobalRefs[g]
	const suffix = ".class"
	if len(sym) <= len(suffix) || sym[0] == '[' {
		return ""
	}
	return sym[:len(sym)-len(suffix)]
}
