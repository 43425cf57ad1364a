package model

import (
	"go/ast"
	"go/build"
	goparser "go/parser"
	gotoken "go/token"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// stdPackage is what the source of a package of the standard library declares.
type stdPackage struct {
	params map[string]int             // functions and methods, with their number of parameters
	fields map[string]map[string]bool // struct types
	types  map[string]bool
	vars   map[string]bool
}

// stdSource reads declarations of the installed Go on demand.
type stdSource struct {
	t        *testing.T
	fset     *gotoken.FileSet
	packages map[string]*stdPackage
}

// isStd tells whether an import path is one of the standard library.
func isStd(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func (s *stdSource) load(path string) *stdPackage {
	if p, ok := s.packages[path]; ok {
		return p
	}
	dir := filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path))
	bp, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		s.packages[path] = nil
		return nil
	}
	p := &stdPackage{
		params: make(map[string]int), fields: make(map[string]map[string]bool),
		types: make(map[string]bool), vars: make(map[string]bool),
	}
	p.params["init"] = 0
	for _, name := range append(bp.GoFiles, bp.CgoFiles...) {
		f, err := goparser.ParseFile(s.fset, filepath.Join(dir, name), nil, goparser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, d := range f.Decls {
			p.declare(d)
		}
	}
	s.packages[path] = p
	return p
}

func (p *stdPackage) declare(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			typ := d.Recv.List[0].Type
			name = baseName(typ) + "." + name
			if _, ok := typ.(*ast.StarExpr); ok {
				name = "(*" + baseName(typ) + ")." + d.Name.Name
			}
		}
		p.params[name] = d.Type.Params.NumFields()
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					p.vars[n.Name] = d.Tok == gotoken.VAR
				}
			case *ast.TypeSpec:
				p.declareType(spec)
			}
		}
	}
}

func (p *stdPackage) declareType(spec *ast.TypeSpec) {
	p.types[spec.Name.Name] = true
	st, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	fields := make(map[string]bool)
	p.fields[spec.Name.Name] = fields
	for _, f := range st.Fields.List {
		for _, n := range f.Names {
			fields[n.Name] = true
		}
		if len(f.Names) == 0 {
			fields[baseName(f.Type)] = true
		}
	}
}

// baseName returns the name of the type in *p.T[P].
func baseName(typ ast.Expr) string {
	switch x := typ.(type) {
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.Ident:
		return x.Name
	}
	return ""
}

// TestStandardLibrary demands that every symbol, type, field and global that the
// Go table names exists in the installed Go, and that no row counts on more
// arguments than there are.
func TestStandardLibrary(t *testing.T) {
	if _, err := build.Default.ImportDir(filepath.Join(build.Default.GOROOT, "src", "sync"), 0); err != nil {
		t.Skip("the source of the standard library is not installed: ", err)
	}
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	src := &stdSource{t: t, fset: gotoken.NewFileSet(), packages: make(map[string]*stdPackage)}
	for _, r := range set.Rows() {
		if r.Lang != ir.LangGo || !isStd(r.Scope) || strings.HasSuffix(r.Scope, "/...") || r.Scope == "unsafe" {
			continue
		}
		scope := r.Scope
		if r.Kind == RowIface {
			checkType(t, src, r, &TypeExpr{Kind: ir.KindNamed, Name: r.Scope})
			scope, _ = splitType(r.Scope)
		}
		p := src.load(scope)
		if p == nil {
			t.Errorf("%s:%d: no package %s in %s", r.At.File, r.At.Line, r.Scope, runtime.Version())
			continue
		}
		if r.Kind == RowFunc {
			checkSymbol(t, p, r)
		}
		for _, e := range r.Effects {
			e.walk(func(x *Expr) { checkExpr(t, src, p, r, x) })
		}
	}
}

// checkSymbol demands that a pattern matches something that an earlier pattern
// for all of the package would not, with enough parameters.
func checkSymbol(t *testing.T, p *stdPackage, r *Row) {
	t.Helper()
	if r.Pattern == "*" {
		return
	}
	needed := 0
	for _, e := range r.Effects {
		e.walk(func(x *Expr) {
			if x.Op == opArg {
				needed = max(needed, x.N)
			}
		})
	}
	matches := 0
	for name, params := range p.params {
		if !matchName(r.Pattern, name) || strings.Contains(r.Pattern, "(") != strings.HasPrefix(name, "(") {
			continue
		}
		if isWild(r.Pattern) && !ast.IsExported(name[strings.LastIndexByte(name, '.')+1:]) {
			continue
		}
		matches++
		if params < needed {
			t.Errorf("%s:%d: %s of %s has %d parameters, the row uses arg%d", r.At.File, r.At.Line, name, r.Scope, params, needed)
		}
	}
	if matches == 0 {
		t.Errorf("%s:%d: %s has no %s", r.At.File, r.At.Line, r.Scope, r.Pattern)
	}
}

func checkExpr(t *testing.T, src *stdSource, p *stdPackage, r *Row, x *Expr) {
	t.Helper()
	if x.Type != nil {
		checkType(t, src, r, x.Type)
	}
	switch x.Op {
	case opField:
		if strings.HasPrefix(x.Name, "$") {
			return
		}
		owner, typ := p, ""
		if x.Struct != nil {
			var path string
			path, typ = splitType(x.Struct.Name)
			if !isStd(path) {
				return
			}
			owner = src.load(path)
		} else {
			sym, _, _ := receiverType(r.Lang, joinSymbol(r.Lang, r.Scope, r.Pattern))
			_, typ = splitType(sym)
		}
		if !owner.fields[typ][x.Name] {
			t.Errorf("%s:%d: %s has no field %s", r.At.File, r.At.Line, typ, x.Name)
		}
	case opGlobal:
		path, name := splitType(x.Name)
		if !strings.HasPrefix(name, "$") && isStd(path) && !src.load(path).vars[name] {
			t.Errorf("%s:%d: no variable %s", r.At.File, r.At.Line, x.Name)
		}
	case opIf:
		{
			splitSymbol(r.Lang, x.Name, func(scope, name string) bool {
				if q := src.load(scope); q == nil {
					return true
				} else if _, ok := q.params[name]; !ok {
					t.Errorf("%s:%d: no function %s", r.At.File, r.At.Line, x.Name)
				}
				return false
			})
		}
	}
}

// splitType splits "net/http.Request".
func splitType(symbol string) (path, name string) {
	i := strings.LastIndexByte(symbol, '.')
	if i < 0 {
		return "", symbol
	}
	return symbol[:i], symbol[i+1:]
}

func checkType(t *testing.T, src *stdSource, r *Row, typ *TypeExpr) {
	t.Helper()
	if typ.Kind == ir.KindNamed && typ.Name != "error" {
		path, name := splitType(typ.Name)
		if !isStd(path) {
			return
		}
		if p := src.load(path); p == nil || !p.types[name] {
			t.Errorf("%s:%d: no type %s", r.At.File, r.At.Line, typ.Name)
		}
	}
	for _, list := range [...][]*TypeExpr{typ.Elems, typ.Results, {typ.Elem, typ.Key}} {
		for _, part := range list {
			if part != nil {
				checkType(t, src, r, part)
			}
		}
	}
}
