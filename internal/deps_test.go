package internal_test

import (
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/deadheat/deadheat"

// allowed says who may import whom: packages right of < may import those left
// of it, and what those may import. Names are relative to internal/, except
// that race and cmd are at the top. A package that the table does not name, or
// an import that does not follow from it, fails the test.
const allowed = `
	source, bug < lattice, ir, store
	source, bug, lattice < lattice/latticetest
	ir < ir/irtest

	lattice, ir < link, model
	link, model, shuffle < summary, origin, path
	summary, origin < pointer
	pointer < runs < value, sharing < lockset < order, ownership
	path < lockset
	value, order, ownership < detect
	detect < guard, report

	source, bug, ir, store < frontend/golang, frontend/jvm, frontend/llvm
	source, bug < frontend/jvm/classfile < frontend/jvm/archive < frontend/jvm/stubs < frontend/jvm, frontend/jvm/stubs/gen

	guard, report, store, frontend/golang, frontend/jvm, frontend/llvm < driver
	driver < race, lsp, revision
	detect < config
	revision, config < cli
	cli, lsp < cmd/deadheat
`

// forbidden lists what packages must not import, whatever the order allows:
// "packages: imports", where an import includes the packages below it. Packages
// may be given as "but" a list: all others.
const forbidden = `
	lattice, ir, link, model, summary, origin, path, pointer, runs, value, sharing, lockset, order, ownership, detect, guard, report: go/ast, go/types, go/parser, golang.org/x/tools, os, log, net, syscall, time
	store, source, bug: go/ast, go/types, golang.org/x/tools, net, log
	but cli, lsp, cmd/deadheat: flag, github.com/spf13/cobra, golang.org/x/term
	but driver, cli, lsp: log
	but frontend/golang: go/types, golang.org/x/tools
`

func TestImports(t *testing.T) {
	below := parseOrder(t, allowed)
	rules := parseForbidden(allowed, forbidden)
	for pkg, imports := range scan(t) {
		mayImport, known := below[pkg]
		if !known {
			t.Errorf("package %s is not in the table of this test", pkg)
			continue
		}
		for _, imp := range imports {
			if rel, ours := ourName(imp.path); ours {
				if !mayImport[rel] {
					t.Errorf("%s: %s may not import %s", imp.file, pkg, rel)
				}
				continue
			}
			for _, bad := range rules[pkg] {
				if imp.path == bad || strings.HasPrefix(imp.path, bad+"/") {
					t.Errorf("%s: %s may not import %s", imp.file, pkg, imp.path)
				}
			}
		}
	}
}

// The checker itself must see what it forbids.
func TestImportTable(t *testing.T) {
	below := parseOrder(t, allowed)
	for _, tt := range []struct {
		pkg, imp string
		want     bool
	}{
		{"detect", "ir", true},
		{"report", "order", true},
		{"driver", "frontend/golang", true},
		{"cmd/deadheat", "bug", true},
		{"ir", "link", false},
		{"link", "model", false},
		{"order", "lockset", true},
		{"lockset", "order", false},
		{"frontend/golang", "link", false},
		{"frontend/golang", "frontend/jvm", false},
		{"pointer", "frontend/golang", false},
		{"detect", "store", false},
		{"driver", "race", false},
		{"cli", "race", false},
		{"frontend/jvm", "frontend/jvm/classfile", true},
		{"frontend/jvm/classfile", "ir", false},
	} {
		if below[tt.pkg][tt.imp] != tt.want {
			t.Errorf("%s imports %s: allowed = %t", tt.pkg, tt.imp, !tt.want)
		}
	}
	rules := parseForbidden(allowed, forbidden)
	if !slices.Contains(rules["report"], "os") || !slices.Contains(rules["driver"], "flag") || slices.Contains(rules["cli"], "flag") {
		t.Error("negative rules are not read as written")
	}
}

// parseOrder returns for each package the set of those it may import.
func parseOrder(t *testing.T, table string) map[string]map[string]bool {
	t.Helper()
	below := map[string]map[string]bool{}
	for _, line := range strings.Split(table, "\n") {
		var lower []string
		for _, part := range strings.Split(strings.TrimSpace(line), "<") {
			layer := names(part)
			for _, p := range layer {
				if below[p] == nil {
					below[p] = map[string]bool{}
				}
				for _, q := range lower {
					below[p][q] = true
				}
			}
			lower = layer
		}
	}
	// Close the relation; the table is small.
	for changed := true; changed; {
		changed = false
		for _, set := range below {
			for q := range set {
				for r := range below[q] {
					if !set[r] {
						set[r], changed = true, true
					}
				}
			}
		}
	}
	for p, set := range below {
		if set[p] {
			t.Fatalf("the table orders %s before itself", p)
		}
	}
	return below
}

// parseForbidden returns for each package of the order what it must not import.
func parseForbidden(order, table string) map[string][]string {
	var all []string
	for _, line := range strings.Split(order, "\n") {
		for _, part := range strings.Split(line, "<") {
			all = append(all, names(part)...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	out := map[string][]string{}
	for _, line := range strings.Split(table, "\n") {
		who, what, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok {
			continue
		}
		pkgs := names(who)
		if rest, but := strings.CutPrefix(who, "but "); but {
			except := names(rest)
			pkgs = slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(except, p) })
		}
		for _, p := range pkgs {
			out[p] = append(out[p], names(what)...)
		}
	}
	return out
}

func names(list string) []string {
	var out []string
	for _, n := range strings.Split(list, ",") {
		if n = strings.TrimSpace(n); n != "" {
			out = append(out, n)
		}
	}
	return out
}

// ourName returns the name that the table has for an import path.
func ourName(importPath string) (string, bool) {
	rel, ok := strings.CutPrefix(importPath, module+"/")
	return strings.TrimPrefix(rel, "internal/"), ok
}

type imported struct{ path, file string }

// scan returns the imports of every package of the module, tests and programs
// that are not built (tag ignore, testdata) left out.
func scan(t *testing.T) map[string][]imported {
	t.Helper()
	out := map[string][]imported{}
	fset := token.NewFileSet()
	for _, root := range []string{"../internal", "../race", "../cmd"} {
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			f, err := parser.ParseFile(fset, file, nil, parser.ImportsOnly|parser.ParseComments)
			if err != nil {
				return err
			}
			for _, c := range f.Comments {
				for _, l := range c.List {
					if constraint.IsGoBuild(l.Text) && strings.Contains(l.Text, "ignore") {
						return nil
					}
				}
			}
			file = filepath.ToSlash(file)
			pkg, _ := ourName(path.Join(module, strings.TrimPrefix(path.Dir(file), "../")))
			if _, ok := out[pkg]; !ok {
				out[pkg] = nil
			}
			for _, spec := range f.Imports {
				p, err := strconv.Unquote(spec.Path.Value)
				if err != nil {
					return err
				}
				out[pkg] = append(out[pkg], imported{p, file})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}
