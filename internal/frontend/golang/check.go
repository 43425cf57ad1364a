package golang

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"time"

	"github.com/deadheat/deadheat/internal/store"
)

// checked is a package parsed and type-checked from source.
type checked struct {
	fset   *token.FileSet
	syntax []*ast.File
	files  []*SourceFile // parallel to syntax
	pkg    *types.Package
	info   *types.Info
	size   int // of the source in bytes
	errs   errorList
}

// parse reads the files of n into syntax trees. A file with errors is there as
// far as it could be understood.
func (w *worker) parse(n *node, texts []text) *checked {
	c := &checked{
		fset: token.NewFileSet(),
		errs: errorList{dir: w.dir, base: n.pkg.Dir},
	}
	// Object resolution is what the type checker does better, and comments
	// hold directives and annotations.
	const mode = parser.ParseComments | parser.SkipObjectResolution
	for i := range texts {
		t := &texts[i]
		if !strings.HasSuffix(t.name, ".go") {
			continue
		}
		file, err := parser.ParseFile(c.fset, t.name, t.data, mode)
		if err != nil {
			c.errs.addSyntax(err)
		}
		if file == nil {
			continue
		}
		c.size += len(t.data)
		c.syntax = append(c.syntax, file)
		c.files = append(c.files, &SourceFile{
			Name:      t.name,
			Syntax:    file,
			Generated: t.cgo || ast.IsGenerated(file),
			Test:      t.isTest(),
		})
	}
	return c
}

// check type-checks what was parsed. Without bodies it finds out about
// declarations only.
func (w *worker) check(n *node, c *checked, bodies bool) {
	c.info = newInfo(c.size)
	conf := types.Config{
		GoVersion:        n.pkg.Language,
		Importer:         &importer{w: w, n: n},
		Sizes:            w.sizes,
		IgnoreFuncBodies: !bodies,
		Error:            c.errs.addType,
	}
	c.pkg = types.NewPackage(n.pkg.Path, n.pkg.Name)
	checker := types.NewChecker(&conf, c.fset, c.pkg, c.info)
	checker.Files(c.syntax) // errors go to conf.Error
	c.pkg.MarkComplete()
}

// newInfo returns tables for what go/ssa and lowering look up. They are made
// for as many entries as size bytes of source have in the median, which saves
// a fifteenth of all allocation.
func newInfo(size int) *types.Info {
	return &types.Info{
		Types:        make(map[ast.Expr]types.TypeAndValue, size/16),
		Instances:    make(map[*ast.Ident]types.Instance),
		Defs:         make(map[*ast.Ident]types.Object, size/110),
		Uses:         make(map[*ast.Ident]types.Object, size/28),
		Implicits:    make(map[ast.Node]types.Object),
		Selections:   make(map[*ast.SelectorExpr]*types.Selection, size/200),
		FileVersions: make(map[*ast.File]string),
	}
}

// importer answers the imports of one package.
type importer struct {
	w *worker
	n *node
}

func (i *importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	m, known := i.w.graph.imported(i.n, path)
	switch {
	case m != nil:
		return i.w.typesOf(m)
	case known:
		return nil, errors.New("import cycle")
	default:
		return nil, errors.New("go list did not say that it is imported; was a file changed during the run?")
	}
}

// typesOf returns a package as its importers see it. The package must have been
// processed.
func (w *worker) typesOf(n *node) (*types.Package, error) {
	n.once.Do(func() { n.types, n.typesErr = w.readTypes(n) })
	return n.types, n.typesErr
}

func (w *worker) readTypes(n *node) (*types.Package, error) {
	start := time.Now()
	before := w.stats.Import
	defer func() { w.stats.Import = before + time.Since(start) }() // reading imports of n included
	if n.source != nil {
		return n.source, nil
	}
	if n.pkg.Status == Missing {
		return nil, errors.New(oneLine(n.list.Error.Err))
	}
	if n.pkg.API == (store.Digest{}) { // could not be read, or broke the type checker
		return nil, n.pkg.Errors[0]
	}
	data := n.export
	if data == nil {
		var ok bool
		if data, ok = w.cfg.Store.Get(n.pkg.API); !ok {
			// The blob was trimmed after its record was found.
			var err error
			if data, err = w.exportAgain(n); err != nil {
				return nil, err
			}
		}
	}
	n.export = nil
	return readExport(data, n.pkg.Path, func(path string) (*types.Package, error) {
		if path == "unsafe" {
			return types.Unsafe, nil
		}
		m := w.graph.mentioned(n, path)
		if m == nil || m == n {
			return nil, fmt.Errorf("export data of %s mentions %s, which is not loaded", n.pkg, path)
		}
		return w.typesOf(m)
	})
}

// exportAgain makes the export data of a package whose unit is at hand.
func (w *worker) exportAgain(n *node) ([]byte, error) {
	texts, err := w.compiledTexts(context.Background(), n)
	if err != nil {
		return nil, err
	}
	c := w.parse(n, texts)
	w.check(n, c, false)
	if c.errs.hard {
		return nil, fmt.Errorf("%s: %w", n.pkg, c.errs.list[0])
	}
	return writeExport(c.pkg)
}
