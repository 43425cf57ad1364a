package golang

import (
	"bytes"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

var updateLower = flag.Bool("update-lower", false, "rewrite what lowering is expected to give")

// TestLower lowers the last package of each archive and compares the text of
// the unit. A package is a directory; earlier ones can be imported by later
// ones.
func TestLower(t *testing.T) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test archives: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			in := archiveInput(t, archive)
			unit, err := lowerPackage(in)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := lowerPackage(in); err != nil || !bytes.Equal(ir.Encode(unit), ir.Encode(again)) {
				t.Errorf("lowered again, the unit is another one (%v)", err)
			}
			var got bytes.Buffer
			if err := ir.Print(&got, unit); err != nil {
				t.Fatal(err)
			}
			checkUnit(t, unit)
			want := archive.Files[len(archive.Files)-1]
			if want.Name != "want" {
				t.Fatalf("the last file of %s is %s, not want", file, want.Name)
			}
			if bytes.Equal(want.Data, got.Bytes()) {
				return
			}
			if !*updateLower {
				t.Fatalf("got:\n%s\nwant:\n%s", got.Bytes(), want.Data)
			}
			archive.Files[len(archive.Files)-1].Data = got.Bytes()
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// testImporter answers imports with the packages checked so far.
type testImporter map[string]*types.Package

func (i testImporter) Import(path string) (*types.Package, error) {
	if p := i[path]; p != nil {
		return p, nil
	}
	return nil, os.ErrNotExist
}

// archiveInput checks and builds the packages of an archive and returns what
// the last one is lowered from.
func archiveInput(t *testing.T, archive *txtar.Archive) lowerInput {
	t.Helper()
	fset := token.NewFileSet()
	known := testImporter{"unsafe": types.Unsafe}
	var in lowerInput
	sources := archive.Files[:len(archive.Files)-1]
	for i := 0; i < len(sources); {
		dir := path.Dir(sources[i].Name)
		var files []*ast.File
		for ; i < len(sources) && path.Dir(sources[i].Name) == dir; i++ {
			f, err := parser.ParseFile(fset, sources[i].Name, sources[i].Data, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		var err error
		if in, err = buildInput(dir, fset, files, known); err != nil {
			t.Fatal(err)
		}
		known[dir] = in.TypesPkg
	}
	return in
}

// buildInput checks and builds one package, as the loader would do it.
func buildInput(path string, fset *token.FileSet, files []*ast.File, imp types.Importer) (lowerInput, error) {
	in := lowerInput{ImportPath: path, Fset: fset, Info: newInfo(0), Files: files}
	for _, f := range files {
		name := filepath.Base(fset.File(f.FileStart).Name())
		in.FileMeta = append(in.FileMeta, ir.File{
			Path: name, Generated: ast.IsGenerated(f), Test: strings.HasSuffix(name, "_test.go"),
		})
	}
	conf := types.Config{Importer: imp, Error: func(error) {}}
	pkg, err := conf.Check(path, fset, files, in.Info)
	if err != nil {
		return in, err
	}
	prog := ssa.NewProgram(fset, ssa.GlobalDebug|ssa.BareInits)
	for _, imp := range pkg.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
		if imp != types.Unsafe {
			in.Imports = append(in.Imports, imp.Path())
		}
	}
	in.TypesPkg = pkg
	in.Pkg = prog.CreatePackage(pkg, files, in.Info, true)
	in.Pkg.Build()
	return in, nil
}

// checkUnit verifies what holds of every unit: the invariants of the IR, and
// that its text means the same.
func checkUnit(t testing.TB, u *ir.Unit) {
	t.Helper()
	if err := ir.Check(u); err != nil {
		t.Errorf("%s: %v", u.Path, err)
		return
	}
	var text bytes.Buffer
	if err := ir.Print(&text, u); err != nil {
		t.Errorf("%s: %v", u.Path, err)
		return
	}
	parsed, err := ir.Parse(u.Path, text.String())
	if err != nil {
		t.Errorf("%s: the text cannot be parsed: %v", u.Path, err)
		return
	}
	if bytes.Equal(ir.Encode(u), ir.Encode(parsed)) {
		return
	}
	var again bytes.Buffer
	if err := ir.Print(&again, parsed); err != nil {
		t.Errorf("%s: %v", u.Path, err)
	}
	t.Errorf("%s: the parsed text is another unit: %s", u.Path, firstDifference(text.String(), again.String()))
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return as[i] + "\n\t" + bs[i]
		}
	}
	return "one is longer"
}
