package model

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// EntryPoint is a method of the program that a framework calls.
type EntryPoint struct {
	Unit int // index of the units asked about
	Func ir.FuncID
	Entry
}

// Entries returns what frameworks call in units of Java, in the order of units
// and functions: methods that override one with an entry row, and those with an
// annotation that has one. wanted tells which units count. Abstract classes are
// left out: there are no objects of them.
func (s *Set) Entries(h *Hierarchy, units []*ir.Unit, wanted func(i int) bool) []EntryPoint {
	x := &s.langs[ir.LangJava]
	if len(x.entries) == 0 {
		return nil
	}
	var list []EntryPoint
	for i, u := range units {
		if u == nil || u.Lang != ir.LangJava || !wanted(i) || !isConcrete(u) {
			continue
		}
		marks := make(map[string][]string)
		for _, a := range u.Annotations {
			name, _, _ := strings.Cut(a.Text, "(")
			marks[a.Target] = append(marks[a.Target], annotationMark+name)
		}
		for f := range u.Funcs {
			if r := s.entryOf(h, &u.Funcs[f], marks); r != nil {
				list = append(list, EntryPoint{Unit: i, Func: ir.FuncID(f), Entry: *r.Entry})
			}
		}
	}
	return list
}

// entryOf returns the last entry row for a function.
func (s *Set) entryOf(h *Hierarchy, f *ir.Func, marks map[string][]string) (row *Row) {
	if !f.HasBody() || f.Flags&(ir.FuncSynthetic|ir.FuncInit) != 0 {
		return nil
	}
	class, name := "", ""
	splitSymbol(ir.LangJava, f.Symbol, func(scope, n string) bool { class, name = scope, n; return false })
	if isConstructor(name) {
		return nil
	}
	scopes := append([]string(nil), marks[f.Symbol]...)
	h.above(class, func(c string) bool {
		if c != class {
			scopes = append(scopes, c)
		}
		return true
	})
	for _, n := range s.langs[ir.LangJava].entries {
		r := s.rows[n]
		for _, scope := range scopes {
			if r.Scope == scope && r.Matches(name) {
				row = r
			}
		}
	}
	return row
}

// isConcrete tells whether there can be objects of the class of a unit.
func isConcrete(u *ir.Unit) bool {
	for i := range u.TypeDecls {
		if d := &u.TypeDecls[i]; d.Symbol == u.Path {
			return d.Flags&ir.TypeAbstract == 0
		}
	}
	return false
}
