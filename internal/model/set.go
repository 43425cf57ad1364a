package model

import (
	_ "embed" // for the tables
	"errors"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Set is the rows in force. It does not change and may be used by several
// goroutines.
type Set struct {
	rows  []*Row // later ones override earlier ones
	langs [ir.LangC + 1]index
}

// index finds rows of one language. Numbers are positions in Set.rows, lists of
// them ascend.
type index struct {
	exact     map[scopedName][]int32 // by scope and name without parameters
	wild      map[string][]int32     // by scope, patterns with a wildcard
	trees     map[string][]int32     // by scope without "/..."
	packages  map[string][]int32     // of Java, by package
	ifaces    map[scopedName]int32
	functions map[string]*Row // by interface whose objects are function values
	values    map[string]bool // types whose objects are values
	classes   map[string]*Row // that models make up
	entries   []int32         // what frameworks call
	scopes    map[string]bool
}

type scopedName struct{ scope, name string }

//go:embed go.model
var goTable string

//go:embed modules.model
var moduleTable string

//go:embed java.model
var javaTable string

//go:embed frameworks.model
var frameworkTable string

// embedded are the tables that come with deadheat, in the order of reading.
func embedded() []File {
	return []File{{"go.model", goTable}, {"modules.model", moduleTable}, {"java.model", javaTable}, {"frameworks.model", frameworkTable}}
}

// File is a model file that a user wrote.
type File struct {
	Name string // for messages and listings
	Text string
}

// Load returns the embedded tables with the rows of files on top, in order. If
// it returns an error the set holds the rows that could be read.
func Load(files ...File) (*Set, error) {
	var rows []*Row
	var errs []error
	for _, f := range append(embedded(), files...) {
		more, err := Read(f.Name, f.Text)
		rows = append(rows, more...)
		errs = append(errs, err)
	}
	return NewSet(rows), errors.Join(errs...)
}

// NewSet makes a set of rows alone. The last row that matches a function is the
// one in force.
func NewSet(rows []*Row) *Set {
	s := &Set{rows: rows}
	for i := range s.langs {
		s.langs[i] = index{
			exact:     make(map[scopedName][]int32),
			wild:      make(map[string][]int32),
			trees:     make(map[string][]int32),
			packages:  make(map[string][]int32),
			ifaces:    make(map[scopedName]int32),
			functions: make(map[string]*Row),
			classes:   make(map[string]*Row),
			values:    make(map[string]bool),
			scopes:    make(map[string]bool),
		}
	}
	for i, r := range rows {
		s.langs[r.Lang].add(r, int32(i))
	}
	return s
}

func (x *index) add(r *Row, n int32) {
	key := scopedName{r.Scope, r.Pattern}
	if r.Lang == ir.LangJava {
		key.name, _, _ = strings.Cut(r.Pattern, "(")
	}
	root, isTree := strings.CutSuffix(r.Scope, "/...")
	pkg, isPackage := strings.CutSuffix(r.Scope, packageMark)
	switch {
	case r.Kind == RowFunction:
		x.functions[r.Scope] = r
	case r.Kind == RowValue:
		x.values[r.Scope] = true
	case r.Kind == RowEntry:
		x.entries = append(x.entries, n)
	case r.Kind == RowClass:
		x.classes[r.Scope] = r
	case r.Kind == RowIface:
		x.ifaces[key] = n
	case isTree:
		x.trees[root] = append(x.trees[root], n)
	case isPackage:
		x.packages[pkg] = append(x.packages[pkg], n)
	case isWild(key.name):
		x.wild[r.Scope] = append(x.wild[r.Scope], n)
		x.scopes[r.Scope] = true
	default:
		x.exact[key] = append(x.exact[key], n)
		x.scopes[r.Scope] = true
	}
}

// packageMark ends the scope of rows for all classes of a Java package.
const packageMark = "/*"

// Rows returns all rows, overridden ones included, in the order of reading.
func (s *Set) Rows() []*Row { return s.rows }

// Find returns the row in force for a function, or nil.
func (s *Set) Find(lang ir.Lang, symbol string) *Row {
	if lang == ir.LangJava {
		r, _ := s.FindClass(nil, symbol)
		return r
	}
	best := int32(ir.None)
	x := &s.langs[lang]
	splitSymbol(lang, symbol, func(scope, name string) bool {
		if !x.scopes[scope] {
			best = max(best, s.findInTrees(x, scope, name, '/'))
			return true
		}
		best = max(best, s.findIn(x, scope, name, name), s.findInTrees(x, scope, name, '/'))
		return false
	})
	return s.row(best)
}

// FindClass returns the row in force for a method of a Java class, or nil, and
// whether it is one for a class above. Constructors inherit no rows.
func (s *Set) FindClass(h *Hierarchy, symbol string) (r *Row, inherited bool) {
	best, own := int32(ir.None), int32(ir.None)
	x := &s.langs[ir.LangJava]
	splitSymbol(ir.LangJava, symbol, func(class, name string) bool {
		bare, _, _ := strings.Cut(name, "(")
		own = max(s.findIn(x, class, bare, name), s.findInTrees(x, class, name, '.'))
		if i := strings.LastIndexByte(class, '.'); i >= 0 {
			own = max(own, s.lastMatch(x.packages[class[:i]], name))
		}
		best = own
		if isConstructor(name) {
			return false
		}
		h.above(class, func(c string) bool {
			best = max(best, s.findIn(x, c, bare, name))
			return true
		})
		return false
	})
	return s.row(best), best != own
}

func (s *Set) row(n int32) *Row {
	if n == ir.None {
		return nil
	}
	return s.rows[n]
}

// findIn returns the last row of a scope for a name, which is bare without its
// parameters.
func (s *Set) findIn(x *index, scope, bare, name string) int32 {
	if !x.scopes[scope] {
		return ir.None
	}
	return max(s.lastMatch(x.exact[scopedName{scope, bare}], name), s.lastMatch(x.wild[scope], name))
}

func (s *Set) findInTrees(x *index, scope, name string, sep byte) int32 {
	best := int32(ir.None)
	for len(x.trees) > 0 {
		best = max(best, s.lastMatch(x.trees[scope], name))
		i := strings.LastIndexByte(scope, sep)
		if i < 0 {
			break
		}
		scope = scope[:i]
	}
	return best
}

func (s *Set) lastMatch(list []int32, name string) int32 {
	for i := len(list) - 1; i >= 0; i-- {
		if s.rows[list[i]].Matches(name) {
			return list[i]
		}
	}
	return ir.None
}

// function returns the row that says which method function values of a Java
// class have, looking above the class too; nil if they are no function values.
func (s *Set) function(h *Hierarchy, class string) (r *Row) {
	h.above(class, func(c string) bool {
		r = s.langs[ir.LangJava].functions[c]
		return r == nil
	})
	return r
}

// FindMethod returns the row in force for calls of a method through an
// interface, or nil.
func (s *Set) FindMethod(lang ir.Lang, iface, method string) *Row {
	if n, ok := s.langs[lang].ifaces[scopedName{iface, method}]; ok {
		return s.rows[n]
	}
	return nil
}

// Opaque tells whether no function of a package needs its own code: a row for
// everything in it replaces that code, and no later one asks for it.
func (s *Set) Opaque(lang ir.Lang, scope string) bool {
	opaque := false
	for _, r := range s.rows {
		if r.Lang != lang || r.Kind != RowFunc || !r.concerns(scope) {
			continue
		}
		if r.Pattern == "*" {
			opaque = r.replaces()
		} else if !r.replaces() {
			opaque = false
		}
	}
	return opaque
}

// Matches returns all rows for a function or an interface's method, the one in
// force first. Of a Go method the symbol may be written (*sync.Mutex).Lock or
// sync.(*Mutex).Lock.
func (s *Set) Matches(lang ir.Lang, symbol string) []*Row {
	if scope, name, ok := strings.Cut(symbol, ".("); ok && lang == ir.LangGo && !strings.HasPrefix(symbol, "(") {
		symbol = joinSymbol(lang, scope, "("+name)
	}
	var list []*Row
	for i := len(s.rows) - 1; i >= 0; i-- {
		r := s.rows[i]
		if r.Lang != lang {
			continue
		}
		found := r.Kind == RowIface && joinSymbol(lang, r.Scope, r.Pattern) == symbol
		if r.Kind != RowFunc {
			if found {
				list = append(list, r)
			}
			continue
		}
		splitSymbol(lang, symbol, func(scope, name string) bool {
			found = r.concerns(scope) && r.Matches(name)
			return !found
		})
		if found {
			list = append(list, r)
		}
	}
	return list
}

// Unmatched returns the rows of a file that name a package, or a class, which is
// among the units, but no function of it: most likely a mistake.
func (s *Set) Unmatched(file string, units []*ir.Unit) []*Row {
	matched := make(map[*Row]bool)
	known := make(map[string]bool)
	byScope := make(map[string][]*Row)
	for _, r := range s.rows {
		if r.At.File == file && r.Kind == RowFunc {
			byScope[r.Scope] = append(byScope[r.Scope], r)
		}
	}
	for _, u := range units {
		known[u.Path] = true
		for i := range u.Funcs {
			splitSymbol(u.Lang, u.Funcs[i].Symbol, func(scope, name string) bool {
				for _, r := range byScope[scope] {
					matched[r] = matched[r] || r.Lang == u.Lang && r.Matches(name)
				}
				return true
			})
		}
	}
	var list []*Row
	for _, r := range s.rows {
		if r.At.File == file && r.Kind == RowFunc && known[r.Scope] && !matched[r] {
			list = append(list, r)
		}
	}
	return list
}
