package golang

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

func TestZZ(t *testing.T) {
	root := os.Getenv("ZZ")
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	n, bad, fns := 0, 0, 0
	kinds := map[string]int{}
	filepath.Walk(root, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		data, _ := os.ReadFile(path)
		if strings.Contains(string(data[:min(len(data), 200)]), "errorcheck") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil
		}
		in := lowerInput{ImportPath: "main", Fset: fset, Info: newInfo(0), Files: []*ast.File{f}, FileMeta: []ir.File{{Path: path}}}
		conf := types.Config{Importer: imp, GoVersion: "go1.26", Error: func(error) {}}
		pkg, err := conf.Check("main", fset, in.Files, in.Info)
		if err != nil {
			return nil
		}
		prog := ssa.NewProgram(fset, ssa.GlobalDebug|ssa.BareInits)
		for _, i := range pkg.Imports() {
			prog.CreatePackage(i, nil, nil, true)
		}
		in.TypesPkg = pkg
		in.Pkg = prog.CreatePackage(pkg, in.Files, in.Info, true)
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Logf("ssa panic %s: %v", path, r)
					bad++
				}
			}()
			in.Pkg.Build()
		}()
		u, err := lowerPackage(in)
		if err != nil {
			t.Error(err)
			return nil
		}
		n++
		fns += len(u.Funcs)
		for _, l := range u.Limits {
			kinds[l.Kind]++
			if l.Kind == "unsupported" {
				t.Logf("%s: %s: %s", path, l.Symbol, l.Text)
			}
		}
		if err := ir.Check(u); err != nil {
			t.Errorf("%s: %v", path, err)
		} else {
			checkUnit(t, u)
		}
		return nil
	})
	t.Logf("%d files, %d functions, limits %v", n, fns, kinds)
}
