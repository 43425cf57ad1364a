package golang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

// typesByPath checks source text of packages, earlier ones for later ones.
type typesByPath map[string]*types.Package

func (m typesByPath) Import(path string) (*types.Package, error) { return m[path], nil }

func (m typesByPath) check(t testing.TB, path, src string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path+".go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: m}
	pkg, err := conf.Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m[path] = pkg
	return pkg
}

// exportedPackages returns three packages of which the last mentions the first
// in what it exports but does not import it.
func exportedPackages(t testing.TB) typesByPath {
	m := make(typesByPath)
	m.check(t, "a", `package a; type T struct { n int; next *T }; func (t T) M() {}; type G[E any] []E`)
	m.check(t, "b", `package b; import "a"; func F() (x a.G[a.T]) { return }`)
	m.check(t, "c", `package c; import "b"; var V = b.F(); type hidden int; type Shown struct { hidden }`)
	return m
}

func TestExport(t *testing.T) {
	m := exportedPackages(t)
	read := make(map[string]*types.Package)
	get := func(path string) (*types.Package, error) { return read[path], nil }
	for _, path := range []string{"a", "b", "c"} {
		data, err := writeExport(m[path])
		if err != nil {
			t.Fatal(err)
		}
		if read[path], err = readExport(data, path, get); err != nil {
			t.Fatal(err)
		}
	}
	v := read["c"].Scope().Lookup("V")
	if got, want := v.Type().String(), "a.G[a.T]"; got != want {
		t.Errorf("type of V is %s, want %s", got, want)
	}
	args := v.Type().(*types.Named).TypeArgs()
	if args.At(0) != read["a"].Scope().Lookup("T").Type() {
		t.Error("the T that V mentions is not that of the package it is from")
	}
	if v.Pos().IsValid() {
		t.Error("an imported object has a position")
	}
	if read["c"].Scope().Lookup("hidden") == nil {
		t.Error("an embedded type is not exported")
	}
	for path, pkg := range read {
		if got, want := len(pkg.Scope().Names()), len(m[path].Scope().Names()); got != want {
			t.Errorf("%s has %d objects after all was read, want %d", path, got, want)
		}
	}
}

// TestExportManifest checks the paths against what the reader itself finds.
func TestExportManifest(t *testing.T) {
	m := exportedPackages(t)
	data, err := writeExport(m["c"])
	if err != nil {
		t.Fatal(err)
	}
	got, err := exportManifest(data)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(got)
	// Its own path is left to who reads it.
	if want := []string{"", "a"}; !slices.Equal(got, want) {
		t.Errorf("mentioned are %q, want %q", got, want)
	}
}

// FuzzExportManifest checks that no bytes make the reader of the manifest fail
// otherwise than by an error, or return more paths than there are bytes.
func FuzzExportManifest(f *testing.F) {
	m := exportedPackages(f)
	for _, pkg := range m {
		data, err := writeExport(pkg)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add(data[:len(data)/2])
	}
	f.Add([]byte("i\x03\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		paths, err := exportManifest(data)
		if err != nil && paths != nil || len(paths) > len(data) {
			t.Errorf("%d paths, error %v", len(paths), err)
		}
	})
}
