package jvm

import (
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// Descriptors of classes that lowering itself mentions.
const (
	objectDesc    = "Ljava/lang/Object;"
	stringDesc    = "Ljava/lang/String;"
	classDesc     = "Ljava/lang/Class;"
	throwableDesc = "Ljava/lang/Throwable;"
)

// dotted is the binary name of a class: "java/lang/Object" is java.lang.Object.
func dotted(internal string) string { return strings.ReplaceAll(internal, "/", ".") }

// internalName is the inverse of dotted.
func internalName(class string) string { return strings.ReplaceAll(class, ".", "/") }

// methodSymbol names a method of a class given by its dotted name. Descriptors
// keep their slashes.
func methodSymbol(class, name, desc string) string { return class + "." + name + desc }

// classObject is the symbol of the global that stands for the Class object of a
// type: what synchronized static methods lock. No field can be called class.
func classObject(class string) string { return class + ".class" }

// simpleName drops the package of a dotted name.
func simpleName(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }

// types turns descriptors into types of a unit.
type types struct {
	b    *ir.Builder
	ids  map[string]ir.TypeID
	sigs map[string]ir.TypeID // of methods, without the receiver
}

func newTypes(b *ir.Builder) types {
	return types{b: b, ids: make(map[string]ir.TypeID), sigs: make(map[string]ir.TypeID)}
}

// of returns the type of values of a descriptor. References are pointers to the
// class, which hold the address of the object; an array is a slice, so that a
// variable of array type holds a reference and elements have cells of their own.
func (t *types) of(desc string) ir.TypeID {
	if id, ok := t.ids[desc]; ok {
		return id
	}
	var id ir.TypeID
	switch {
	case desc == "V":
		id = t.b.Tuple()
	case desc == nullDesc || desc == "":
		id = t.of(objectDesc)
	case desc[0] == '[':
		id = t.b.Slice(t.of(desc[1:]))
	case desc[0] == 'L':
		id = t.b.Pointer(t.named(classfile.ClassOf(desc)))
	case int(desc[0]) < len(primitives) && primitives[desc[0]] != "":
		id = t.b.Basic(primitives[desc[0]])
	default: // a name that only a damaged file has
		id = t.of(objectDesc)
	}
	t.ids[desc] = id
	return id
}

// named returns the class type of an internal name.
func (t *types) named(internal string) ir.TypeID { return t.b.Named(dotted(internal)) }

// addr returns the type of addresses of cells that hold values of a descriptor.
func (t *types) addr(desc string) ir.TypeID { return t.b.Pointer(t.of(desc)) }

// sig returns the type of a method without its receiver.
func (t *types) sig(desc string, d *classfile.MethodDesc) ir.TypeID {
	id, ok := t.sigs[desc]
	if !ok {
		id = t.b.FuncType(t.all(nil, d.Params), t.results(d.Result), false)
		t.sigs[desc] = id
	}
	return id
}

// methodSig is sig with a receiver of the given class.
func (t *types) methodSig(class string, d *classfile.MethodDesc) ir.TypeID {
	return t.b.FuncType(t.all([]ir.TypeID{t.b.Pointer(t.named(class))}, d.Params), t.results(d.Result), false)
}

func (t *types) all(ids []ir.TypeID, descs []string) []ir.TypeID {
	for _, d := range descs {
		ids = append(ids, t.of(d))
	}
	return ids
}

func (t *types) results(desc string) []ir.TypeID {
	if desc == "V" {
		return nil
	}
	return []ir.TypeID{t.of(desc)}
}

var primitives = [...]string{'Z': "boolean", 'B': "byte", 'C': "char", 'S': "short", 'I': "int", 'J': "long", 'F': "float", 'D': "double"}
