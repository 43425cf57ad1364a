package racetest

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Suite is the race detector's tests.
type Suite struct {
	Tests []*Test // by file and line

	fset  *token.FileSet
	files []*file
	info  types.Info
	scope *types.Scope
	decls map[types.Object]*decl
	// methods of a type, by its name
	methods map[types.Object][]*decl
}

// Test is one test.
type Test struct {
	Name   string
	File   string // base name
	Line   int
	Race   bool   // as its name says
	Reason string // for not being scored; "" if it is

	decl *decl
}

// file is a source file.
type file struct {
	name string // base name
	text []byte
	tree *ast.File
}

// decl is a declaration at the top level.
type decl struct {
	file *file
	node ast.Decl
}

// Read reads the tests of a Go installation.
func Read(goroot string) (*Suite, error) {
	dir := filepath.Join(goroot, "src", "runtime", "race", "testdata")
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no tests in %s: name another Go installation with --goroot", dir)
	}
	texts := map[string][]byte{}
	for _, name := range names {
		if texts[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}
	return parse(texts)
}

// parse makes a suite of files by name.
func parse(texts map[string][]byte) (*Suite, error) {
	s := &Suite{
		fset:    token.NewFileSet(),
		info:    types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}},
		decls:   map[types.Object]*decl{},
		methods: map[types.Object][]*decl{},
	}
	var trees []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		tree, err := parser.ParseFile(s.fset, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, &file{name, texts[name], tree})
		trees = append(trees, tree)
	}
	// Imports are left empty, so there are errors; names of the package itself
	// are resolved all the same.
	cfg := types.Config{Importer: emptyImporter{}, Error: func(error) {}}
	pkg, err := cfg.Check("race_test", s.fset, trees, &s.info)
	if pkg == nil {
		return nil, err
	}
	s.scope = pkg.Scope()
	for _, f := range s.files {
		for _, n := range f.tree.Decls {
			s.add(&decl{f, n})
		}
	}
	if len(s.Tests) == 0 {
		return nil, errors.New("the files have no function with a name like TestRace or TestNoRace")
	}
	return s, nil
}

// emptyImporter imports packages without anything in them.
type emptyImporter struct{}

func (emptyImporter) Import(importPath string) (*types.Package, error) {
	p := types.NewPackage(importPath, path.Base(importPath))
	p.MarkComplete()
	return p, nil
}

// add records what a declaration declares.
func (s *Suite) add(d *decl) {
	define := func(id *ast.Ident) {
		if obj := s.info.Defs[id]; obj != nil {
			s.decls[obj] = d
		}
	}
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		if n.Recv != nil {
			ast.Inspect(n.Recv, func(x ast.Node) bool {
				if id, ok := x.(*ast.Ident); ok {
					if t, ok := s.info.Uses[id].(*types.TypeName); ok && t.Parent() == s.scope {
						s.methods[t] = append(s.methods[t], d)
					}
				}
				return true
			})
			return
		}
		define(n.Name)
		s.addTest(d, n)
	case *ast.GenDecl:
		for _, spec := range n.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					define(id)
				}
			case *ast.TypeSpec:
				define(spec.Name)
			}
		}
	}
}

func (s *Suite) addTest(d *decl, n *ast.FuncDecl) {
	name := n.Name.Name
	race := strings.HasPrefix(name, "TestRace")
	if !race && !strings.HasPrefix(name, "TestNoRace") {
		return
	}
	t := &Test{Name: name, File: d.file.name, Line: s.fset.Position(n.Pos()).Line, Race: race, decl: d}
	if slices.ContainsFunc(n.Body.List, isSkip) {
		t.Reason = "skips itself"
	}
	for _, spec := range d.file.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && strings.HasPrefix(p, "internal/") && p != internalSynctest {
			t.Reason = "imports " + p
		}
	}
	s.Tests = append(s.Tests, t)
}

// isSkip reports whether a statement calls Skip of something.
func isSkip(stmt ast.Stmt) bool {
	if x, ok := stmt.(*ast.ExprStmt); ok {
		if call, ok := x.X.(*ast.CallExpr); ok {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			return ok && sel.Sel.Name == "Skip"
		}
	}
	return false
}

// needs returns the declarations that a test uses, in the order of the
// source, itself included.
func (s *Suite) needs(t *Test) []*decl {
	found := map[*decl]bool{}
	var visit func(*decl)
	use := func(obj types.Object) {
		if d := s.decls[obj]; d != nil {
			visit(d)
		}
		for _, m := range s.methods[obj] {
			visit(m)
		}
	}
	visit = func(d *decl) {
		if found[d] {
			return
		}
		found[d] = true
		if g, ok := d.node.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, spec := range g.Specs {
				use(s.info.Defs[spec.(*ast.TypeSpec).Name])
			}
		}
		ast.Inspect(d.node, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				use(s.resolve(id))
			}
			return true
		})
	}
	visit(t.decl)
	return slices.SortedFunc(maps.Keys(found), func(a, b *decl) int { return cmp.Compare(a.node.Pos(), b.node.Pos()) })
}

// resolve returns what an identifier means. The checker does not look into
// everything after an error, so that the name decides for the rest.
func (s *Suite) resolve(id *ast.Ident) types.Object {
	if obj := s.info.Uses[id]; obj != nil {
		return obj
	}
	if _, defined := s.info.Defs[id]; defined {
		return nil
	}
	return s.scope.Lookup(id.Name)
}

// Keep drops the tests that are not named. No names mean all.
func (s *Suite) Keep(names []string) error {
	if len(names) == 0 {
		return nil
	}
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	s.Tests = slices.DeleteFunc(s.Tests, func(t *Test) bool {
		keep := want[t.Name]
		delete(want, t.Name)
		return !keep
	})
	for _, n := range names {
		if want[n] {
			return fmt.Errorf("there is no test %s", n)
		}
	}
	return nil
}
