package classfile

import (
	"fmt"
	"strings"
)

// maxParams is the greatest number of parameters (JVMS 4.3.3).
const maxParams = 255

// MethodDesc is a method descriptor taken apart; the parts are descriptors of
// types, and Result is "V" for void.
type MethodDesc struct {
	Params []string
	Result string
}

// ParseMethodDesc takes a method descriptor apart, e.g. "(IJ[Lx/Y;)V".
func ParseMethodDesc(desc string) (MethodDesc, error) {
	var d MethodDesc
	rest, ok := strings.CutPrefix(desc, "(")
	if !ok {
		return d, fmt.Errorf("method descriptor %q does not begin with (", desc)
	}
	for !strings.HasPrefix(rest, ")") {
		n := typeLen(rest)
		if n == 0 {
			return d, fmt.Errorf("method descriptor %q: no type at %q", desc, rest)
		}
		d.Params = append(d.Params, rest[:n])
		rest = rest[n:]
	}
	if len(d.Params) > maxParams {
		return d, fmt.Errorf("method descriptor with %d parameters, more than %d", len(d.Params), maxParams)
	}
	d.Result = rest[1:]
	if d.Result != "V" && !ValidType(d.Result) {
		return d, fmt.Errorf("method descriptor %q: no type at %q", desc, d.Result)
	}
	return d, nil
}

// Words is the number of stack words that the parameters take up, without the
// receiver.
func (d MethodDesc) Words() int {
	n := 0
	for _, p := range d.Params {
		n += Words(p)
	}
	return n
}

// Words is the number of stack words that a value of the type takes up: 2 for
// long and double, 0 for void, else 1.
func Words(desc string) int {
	switch desc {
	case "J", "D":
		return 2
	case "V":
		return 0
	}
	return 1
}

// IsReference reports whether values of the type are references.
func IsReference(desc string) bool {
	return strings.HasPrefix(desc, "L") || strings.HasPrefix(desc, "[")
}

// ValidType reports whether desc is the descriptor of one type other than void.
func ValidType(desc string) bool {
	return desc != "" && typeLen(desc) == len(desc)
}

// ClassOf returns the internal name of the class that a descriptor names, and
// what a class constant says for an array: its descriptor. It is "" for
// primitive types and void.
func ClassOf(desc string) string {
	if strings.HasPrefix(desc, "L") && strings.HasSuffix(desc, ";") {
		return desc[1 : len(desc)-1]
	}
	if strings.HasPrefix(desc, "[") {
		return desc
	}
	return ""
}

// DescOf is the inverse of ClassOf: the descriptor of the type that a class
// constant names.
func DescOf(class string) string {
	if strings.HasPrefix(class, "[") {
		return class
	}
	return "L" + class + ";"
}

// typeLen is the length of the descriptor that s begins with, 0 if it begins
// with none.
func typeLen(s string) int {
	dims := 0
	for dims < len(s) && s[dims] == '[' {
		dims++
	}
	if dims == len(s) || dims > 255 {
		return 0
	}
	switch s[dims] {
	case 'B', 'C', 'D', 'F', 'I', 'J', 'S', 'Z':
		return dims + 1
	case 'L':
		// At least one character of a name.
		if end := strings.IndexByte(s[dims:], ';'); end > 1 {
			return dims + end + 1
		}
	}
	return 0
}

// validMethodDesc is whether ParseMethodDesc would succeed, without its cost.
func validMethodDesc(desc string) bool {
	if desc == "" || desc[0] != '(' {
		return false
	}
	rest := desc[1:]
	for params := 1; rest != "" && rest[0] != ')'; params++ {
		n := typeLen(rest)
		if n == 0 || params > maxParams {
			return false
		}
		rest = rest[n:]
	}
	return rest != "" && (rest[1:] == "V" || ValidType(rest[1:]))
}
