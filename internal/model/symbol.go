package model

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// A symbol names a function in a unit; see the front ends for how each language
// spells it. A model file splits it into a scope, written once, and a name:
//
//	Go    "(*sync.Mutex).Lock"   scope "sync", name "(*Mutex).Lock"
//	      "(time.Time).Add"      scope "time", name "Time.Add"
//	      "fmt.Println"          scope "fmt", name "Println"
//	Java  "java.lang.Thread.start()V"  scope "java.lang.Thread", name "start()V"
//	C     "pthread_create"       scope "", name "pthread_create"

// splitSymbol calls yield with the ways to read a symbol as scope and name, the
// longest scope first, until yield returns false. There is more than one
// because the last element of an import path may hold dots.
func splitSymbol(lang ir.Lang, symbol string, yield func(scope, name string) bool) {
	switch lang {
	case ir.LangC, ir.LangIR:
		yield("", symbol)
	case ir.LangJava:
		head := symbol
		if i := strings.IndexByte(symbol, '('); i >= 0 {
			head = symbol[:i]
		}
		if i := strings.LastIndexByte(head, '.'); i >= 0 {
			yield(symbol[:i], symbol[i+1:])
		}
	case ir.LangGo:
		typ, method, isMethod := splitMethod(symbol)
		if !isMethod {
			splitPath(symbol, yield)
			return
		}
		pointer := strings.HasPrefix(typ, "*")
		splitPath(strings.TrimPrefix(typ, "*"), func(scope, name string) bool {
			if pointer {
				return yield(scope, "(*"+name+")."+method)
			}
			return yield(scope, name+"."+method)
		})
	}
}

// splitMethod splits "(*p.T).M" into "*p.T" and "M".
func splitMethod(symbol string) (typ, method string, ok bool) {
	if !strings.HasPrefix(symbol, "(") {
		return "", "", false
	}
	i := strings.LastIndex(symbol, ").")
	if i < 0 {
		return "", "", false
	}
	return symbol[1:i], symbol[i+2:], true
}

// splitPath splits "example.com/p.T" at the dots after the last slash, from
// right to left.
func splitPath(s string, yield func(scope, name string) bool) {
	slash := strings.LastIndexByte(s, '/')
	for i := len(s) - 1; i > slash; i-- {
		if s[i] == '.' && !yield(s[:i], s[i+1:]) {
			return
		}
	}
}

// joinSymbol is the inverse of splitSymbol, for names without wildcards.
func joinSymbol(lang ir.Lang, scope, name string) string {
	if scope == "" {
		return name
	}
	if lang == ir.LangGo {
		if rest, ok := strings.CutPrefix(name, "(*"); ok {
			return "(*" + scope + "." + rest
		}
		if typ, method, ok := strings.Cut(name, "."); ok {
			return "(" + scope + "." + typ + ")." + method
		}
	}
	return scope + "." + name
}

// receiverType returns the symbol of the type a method belongs to and whether
// its receiver is a pointer to it; ok is false for functions.
func receiverType(lang ir.Lang, symbol string) (typ string, pointer, ok bool) {
	switch lang {
	case ir.LangGo:
		typ, _, ok = splitMethod(symbol)
		typ, pointer = strings.CutPrefix(typ, "*")
		return typ, pointer, ok
	case ir.LangJava:
		splitSymbol(lang, symbol, func(scope, _ string) bool { typ = scope; return false })
		return typ, true, typ != ""
	}
	return "", false, false
}

// hasReceiver tells whether a name in a model file is that of a method. The
// pattern "*" stands for both.
func hasReceiver(lang ir.Lang, name string) bool {
	switch lang {
	case ir.LangGo:
		return strings.Contains(name, ".")
	case ir.LangJava:
		return true
	}
	return false
}

// isWild tells whether a name stands for several functions: it has a star that
// is not the pointer mark of a receiver.
func isWild(name string) bool {
	for i := 0; i < len(name); i++ {
		if name[i] == '*' && !isPointerMark(name, i) {
			return true
		}
	}
	return strings.Contains(name, "(..)")
}

func isPointerMark(name string, i int) bool { return i == 1 && name[0] == '(' }

// matchName tells whether a name fits a pattern. A lone star fits everything.
// Elsewhere a star fits letters, digits and underscores, and "(..)" any list of
// parameters.
func matchName(pattern, name string) bool {
	if pattern == "*" {
		return true
	}
	for i := 0; i < len(pattern); i++ {
		switch {
		case strings.HasPrefix(pattern[i:], "(..)"):
			end := strings.IndexByte(name, ')')
			return strings.HasPrefix(name, "(") && end >= 0 && matchRest(pattern[i+4:], name[end+1:])
		case pattern[i] == '*' && !isPointerMark(pattern, i):
			return matchStar(pattern[i+1:], name)
		case name == "" || name[0] != pattern[i]:
			return false
		}
		name = name[1:]
	}
	return name == ""
}

// matchStar tries the rest of a pattern after every run of name characters.
func matchStar(rest, name string) bool {
	for n := 0; ; n++ {
		if matchRest(rest, name[n:]) {
			return true
		}
		if n == len(name) || !isNameByte(name[n]) {
			return false
		}
	}
}

// matchRest matches from the middle of a pattern, where a parenthesis begins
// no receiver.
func matchRest(pattern, name string) bool {
	if pattern == "" || pattern == "*" {
		for i := 0; i < len(name) && pattern == "*"; i++ {
			if !isNameByte(name[i]) {
				return false
			}
		}
		return pattern == "*" || name == ""
	}
	return matchName(pattern, name)
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// concerns tells whether the functions of a scope are among those that the row
// may be about.
func (r *Row) concerns(scope string) bool {
	if r.Scope == scope {
		return true
	}
	sep := "/"
	if r.Lang == ir.LangJava {
		sep = "."
		if pkg, ok := strings.CutSuffix(r.Scope, packageMark); ok {
			i := strings.LastIndexByte(scope, '.')
			return i >= 0 && scope[:i] == pkg
		}
	}
	root, ok := strings.CutSuffix(r.Scope, "/...")
	return ok && (scope == root || strings.HasPrefix(scope, root+sep))
}

// Matches tells whether the row's pattern fits a name of its scope.
func (r *Row) Matches(name string) bool {
	if r.Lang == ir.LangJava {
		return matchMethod(r.Pattern, name)
	}
	return matchName(r.Pattern, name)
}
