package racetest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// module is the path of the module of the programs.
const module = "deadheat.bench/gorace"

const (
	internalSynctest = "internal/synctest"
	publicSynctest   = "testing/synctest"
)

// testingStub is the testing package of the programs.
const testingStub = `// Package testing has what the tests use of the package it stands for.
package testing

type T struct{}

func (*T) Fatal(...any)          { panic("fatal") }
func (*T) Fatalf(string, ...any) { panic("fatal") }
func (*T) TempDir() string       { return "." }
`

// Write writes the programs of all tests that are scored into an empty
// directory, each into one below it with the test's name, and returns how many
// there are.
func (s *Suite) Write(dir, goVersion string) (int, error) {
	files := map[string]string{
		"go.mod":             fmt.Sprintf("module %s\n\ngo %s\n", module, goVersion),
		"testing/testing.go": testingStub,
	}
	n := 0
	for _, t := range s.Tests {
		if t.Reason == "" {
			files[t.Name+"/program.go"] = s.program(t)
			n++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return 0, err
		}
		if err := os.WriteFile(full, []byte(files[name]), 0o666); err != nil {
			return 0, err
		}
	}
	return n, nil
}

// program returns the text of a test's main package.
func (s *Suite) program(t *Test) string {
	decls := s.needs(t)
	imports := map[string]bool{}
	var body bytes.Buffer
	for _, d := range decls {
		for _, spec := range s.imports(d) {
			imports[spec] = true
		}
		fmt.Fprintf(&body, "\n//line %s:%d\n%s\n", d.file.name, s.fset.Position(d.node.Pos()).Line, s.text(d))
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "package main\n\n")
	testing := module + "/testing"
	if imports[strconv.Quote(publicSynctest)] {
		testing = "testing"
	}
	delete(imports, `"testing"`)
	imports[strconv.Quote(testing)] = true
	for _, spec := range slices.Sorted(maps.Keys(imports)) {
		fmt.Fprintf(&out, "import %s\n", spec)
	}
	body.WriteTo(&out)
	fmt.Fprintf(&out, "\n//line program.go:1\nfunc main() { %s(new(testing.T)) }\n", t.Name)
	return out.String()
}

// imports returns the imports that a declaration needs, as they are written
// after the word import.
func (s *Suite) imports(d *decl) []string {
	used := map[string]bool{}
	ast.Inspect(d.node, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	var out []string
	for _, spec := range d.file.tree.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name, text := path.Base(p), strconv.Quote(strings.Replace(p, internalSynctest, publicSynctest, 1))
		if spec.Name != nil {
			name, text = spec.Name.Name, spec.Name.Name+" "+text
		}
		if used[name] {
			out = append(out, text)
		}
	}
	return out
}

// edit replaces a part of a file.
type edit struct {
	from, to int
	text     string
}

// text returns the source of a declaration, with what cannot be used outside
// of the standard library replaced within its line.
func (s *Suite) text(d *decl) string {
	at := func(n ast.Node) (int, int) {
		return s.fset.Position(n.Pos()).Offset, s.fset.Position(n.End()).Offset
	}
	var edits []edit
	replace := func(n ast.Node, text string) {
		from, to := at(n)
		edits = append(edits, edit{from, to, text})
	}
	ast.Inspect(d.node, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		switch qualified(call.Fun) {
		case "runtime.RaceDisable":
			replace(call.Fun, "runtime.Gosched")
		case "synctest.Run":
			if lit, ok := call.Args[0].(*ast.FuncLit); ok {
				from, _ := at(call.Fun)
				to, _ := at(lit.Body)
				edits = append(edits, edit{from, to, "synctest.Test(t, func(t *testing.T) "})
			}
		}
		return true
	})
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	var out strings.Builder
	from, end := at(d.node)
	for _, e := range edits {
		out.Write(d.file.text[from:e.from])
		out.WriteString(e.text)
		from = e.to
	}
	out.Write(d.file.text[from:end])
	return out.String()
}

// qualified returns PACKAGE.NAME if an expression has that form.
func qualified(e ast.Expr) string {
	if sel, ok := e.(*ast.SelectorExpr); ok {
		if id, ok := sel.X.(*ast.Ident); ok {
			return id.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

// TestAt returns the name of the test whose program has a file.
func TestAt(name string) string { return path.Base(path.Dir(filepath.ToSlash(name))) }
