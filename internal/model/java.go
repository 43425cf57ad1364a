package model

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Symbols of Java carry the descriptor, because methods are overloaded. Model
// files name parameters as Java's source does, and need not name them at all:
//
//	submit                 every overload
//	submit(Callable)       the one with a parameter of that type
//	schedule(Runnable, ..) those whose first parameter is of that type
//
// A type is written with its package or without it.

// objectClass is the class of which every object has the fields: cells that
// models make up belong to it, so that rows for a class and for those above it
// mean the same memory.
const objectClass = "java.lang.Object"

// isMadeUp tells whether a class is one that models make up.
func isMadeUp(class string) bool {
	return strings.HasPrefix(class[strings.LastIndexByte(class, '.')+1:], "$")
}

// isConstructor tells whether a method of a class is run by instruction only and
// never inherited.
func isConstructor(name string) bool { return strings.HasPrefix(name, "<") }

// splitDescriptor splits "put(Ljava/lang/Object;I)V" into the name, the
// parameters as dotted names such as "java.lang.Object", "int" and "byte[]", and
// the result. ok is false if there is no well-formed descriptor.
func splitDescriptor(name string) (bare string, params []string, result string, ok bool) {
	open := strings.IndexByte(name, '(')
	if open < 0 {
		return name, nil, "", false
	}
	bare, rest := name[:open], name[open+1:]
	for rest != "" && rest[0] != ')' {
		t, n := descriptorType(rest)
		if n == 0 {
			return bare, nil, "", false
		}
		params, rest = append(params, t), rest[n:]
	}
	if rest == "" {
		return bare, nil, "", false
	}
	// What follows the result is the number of a helper function.
	result, n := descriptorType(rest[1:])
	return bare, params, result, n > 0
}

// descriptorType returns the type that a descriptor begins with and how long it
// is there.
func descriptorType(s string) (string, int) {
	dims := 0
	for dims < len(s) && s[dims] == '[' {
		dims++
	}
	if dims == len(s) {
		return "", 0
	}
	n := dims + 1
	name := basicNames[s[dims]]
	if s[dims] == 'L' {
		end := strings.IndexByte(s, ';')
		if end < 0 {
			return "", 0
		}
		name, n = strings.ReplaceAll(s[dims+1:end], "/", "."), end+1
	}
	if name == "" {
		return "", 0
	}
	return name + strings.Repeat("[]", dims), n
}

var basicNames = map[byte]string{
	'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'V': "void", 'Z': "boolean",
}

// descriptor spells a type as a descriptor does.
func descriptor(t *TypeExpr) string {
	if t == nil {
		return "V"
	}
	switch t.Kind {
	case ir.KindBasic:
		for c, name := range basicNames {
			if name == t.Name {
				return string(rune(c))
			}
		}
	case ir.KindSlice:
		return "[" + descriptor(t.Elem)
	case ir.KindPointer:
		if t.Elem != nil && t.Elem.Kind == ir.KindNamed {
			return "L" + strings.ReplaceAll(t.Elem.Name, ".", "/") + ";"
		}
	}
	return "L" + strings.ReplaceAll(objectClass, ".", "/") + ";"
}

// methodKey is the name of a method with its descriptor.
func methodKey(name string, params []*TypeExpr, result *TypeExpr) string {
	var b strings.Builder
	b.WriteString(name)
	b.WriteByte('(')
	for _, t := range params {
		b.WriteString(descriptor(t))
	}
	b.WriteByte(')')
	b.WriteString(descriptor(result))
	return b.String()
}

// matchMethod tells whether a method, with or without its descriptor, fits a
// pattern of a Java model.
func matchMethod(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	head, wanted, listed := strings.Cut(pattern, "(")
	bare, _, _ := strings.Cut(name, "(")
	if head != bare && !matchName(head, bare) {
		return false
	}
	if !listed {
		return true
	}
	_, params, _, ok := splitDescriptor(name)
	if !ok {
		return bare == name // asked by name alone
	}
	var types []string
	if wanted = strings.TrimSuffix(wanted, ")"); strings.TrimSpace(wanted) != "" {
		types = strings.Split(wanted, ",")
	}
	return matchParams(types, params)
}

// matchParams matches types with a list of patterns, in which ".." stands for
// any number of them.
func matchParams(patterns, types []string) bool {
	if len(patterns) == 0 {
		return len(types) == 0
	}
	p := strings.TrimSpace(patterns[0])
	if p == ".." {
		for n := 0; n <= len(types); n++ {
			if matchParams(patterns[1:], types[n:]) {
				return true
			}
		}
		return false
	}
	return len(types) > 0 && matchType(p, types[0]) && matchParams(patterns[1:], types[1:])
}

// matchType tells whether a type is meant by a name that may lack the package or
// the class around it.
func matchType(pattern, typ string) bool {
	rest, ok := strings.CutSuffix(strings.ReplaceAll(typ, "$", "."), strings.ReplaceAll(pattern, "$", "."))
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}

// typeOfName returns the type that a parameter or result of a descriptor has in
// effects.
func typeOfName(name string) *TypeExpr {
	if elem, ok := strings.CutSuffix(name, "[]"); ok {
		return &TypeExpr{Kind: ir.KindSlice, Elem: typeOfName(elem)}
	}
	if basicTypes[name] {
		return &TypeExpr{Kind: ir.KindBasic, Name: name}
	}
	return classRef(name)
}

// classRef is the type of references to objects of a class.
func classRef(class string) *TypeExpr {
	return &TypeExpr{Kind: ir.KindPointer, Elem: &TypeExpr{Kind: ir.KindNamed, Name: class}}
}

// className returns the class that a reference type refers to, or "".
func className(t *TypeExpr) string {
	if t != nil && t.Kind == ir.KindPointer && t.Elem != nil && t.Elem.Kind == ir.KindNamed {
		return t.Elem.Name
	}
	return ""
}
