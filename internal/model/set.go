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

// index finds rows of one language. Numbers are positions in Set.rows.
type index struct {
	exact  map[scopedName]int32
	wild   map[string][]int32 // by scope, patterns with a wildcard, ascending
	trees  map[string][]int32 // by scope without "/...", ascending
	ifaces map[scopedName]int32
	scopes map[string]bool
}

type scopedName struct{ scope, name string }

//go:embed go.model
var goTable string

//go:embed modules.model
var moduleTable string

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
	for _, f := range append([]File{{"go.model", goTable}, {"modules.model", moduleTable}}, files...) {
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
			exact:  make(map[scopedName]int32),
			wild:   make(map[string][]int32),
			trees:  make(map[string][]int32),
			ifaces: make(map[scopedName]int32),
			scopes: make(map[string]bool),
		}
	}
	for i, r := range rows {
		s.langs[r.Lang].add(r, int32(i))
	}
	return s
}

func (x *index) add(r *Row, n int32) {
	key := scopedName{r.Scope, r.Pattern}
	root, isTree := strings.CutSuffix(r.Scope, "/...")
	switch {
	case r.Kind == RowIface:
		x.ifaces[key] = n
	case isTree:
		x.trees[root] = append(x.trees[root], n)
	case isWild(r.Pattern):
		x.wild[r.Scope] = append(x.wild[r.Scope], n)
		x.scopes[r.Scope] = true
	default:
		x.exact[key] = n
		x.scopes[r.Scope] = true
	}
}

// Rows returns all rows, overridden ones included, in the order of reading.
func (s *Set) Rows() []*Row { return s.rows }

// Find returns the row in force for a function, or nil.
func (s *Set) Find(lang ir.Lang, symbol string) *Row {
	best := int32(ir.None)
	x := &s.langs[lang]
	splitSymbol(lang, symbol, func(scope, name string) bool {
		if !x.scopes[scope] {
			best = max(best, s.findInTrees(x, scope, name))
			return true
		}
		if n, ok := x.exact[scopedName{scope, name}]; ok {
			best = max(best, n)
		}
		best = max(best, s.lastMatch(x.wild[scope], name), s.findInTrees(x, scope, name))
		return false
	})
	if best == ir.None {
		return nil
	}
	return s.rows[best]
}

func (s *Set) findInTrees(x *index, scope, name string) int32 {
	best := int32(ir.None)
	for len(x.trees) > 0 {
		best = max(best, s.lastMatch(x.trees[scope], name))
		i := strings.LastIndexByte(scope, '/')
		if i < 0 {
			break
		}
		scope = scope[:i]
	}
	return best
}

func (s *Set) lastMatch(list []int32, name string) int32 {
	for i := len(list) - 1; i >= 0; i-- {
		if matchName(s.rows[list[i]].Pattern, name) {
			return list[i]
		}
	}
	return ir.None
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
		if r.Lang != lang || r.Kind != RowFunc || r.Scope != scope && !inTree(r.Scope, scope) {
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
		if r.Kind == RowIface {
			if found {
				list = append(list, r)
			}
			continue
		}
		splitSymbol(lang, symbol, func(scope, name string) bool {
			found = (r.Scope == scope || inTree(r.Scope, scope)) && matchName(r.Pattern, name)
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
					matched[r] = matched[r] || r.Lang == u.Lang && matchName(r.Pattern, name)
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
