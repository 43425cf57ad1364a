package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/deadheat/deadheat/internal/ir"
)

// Design
//
// go/ssa wants all packages of a Program created before the first is built, or
// else one goroutine: looking a package up takes no lock. Measured on etcd (CPU
// seconds, 519 packages, 4247 import edges):
//
//	one Program, all created, then built       4.4 + 0.1 to create
//	one Program for each package               4.4 + 1.9
//	one Program for each worker                4.4 + 0.2
//
// The first needs all syntax and types in memory. With the last there is no
// sharing between goroutines but of go/types, which allows it, and what a
// package is built to cannot depend on what was built before it elsewhere.
//
// A Program cannot forget a package, and through it holds the scopes of the
// checked package, some 2.5 bytes for each byte of source. So it is replaced once
// it has built a certain amount of source; creating imports anew costs little.

// Built is one package parsed, type-checked and in SSA form, as lowering gets
// it. Nothing in it may be kept or used once lowering has returned.
//
// What lowering makes of it must depend on this package's own source and on the
// types of what it imports, and on nothing else, or else a unit out of the
// store would differ from one made afresh. Imported packages are therefore
// always seen in the same way, whether they were checked in this run or not:
//
//   - their functions are ssa.Functions without blocks;
//   - their objects have no position, and the FileSet knows the files of this
//     package alone;
//   - they hold what is exported and what that mentions, and no more.
type Built struct {
	Path    string // import path; symbols begin with it
	Variant string // test binary a package was compiled anew for, as "p.test"; else empty

	Fset    *token.FileSet
	Files   []*SourceFile
	Types   *types.Package
	Info    *types.Info
	SSA     *ssa.Package // in debug mode (identifiers have DebugRefs), with bare initialisers
	Imports []string     // import paths of direct imports, sorted, without "unsafe" and "C"

	dir   string
	funcs []*ssa.Function // declared functions and methods, and the initialiser
}

// SourceFile is a file of a package.
type SourceFile struct {
	Name      string // slash-separated, relative to the package directory
	Syntax    *ast.File
	Generated bool // by a program that says so in the standard form, or by cgo
	Test      bool // a _test.go file, or the generated main of a test binary
}

// FileName turns the name of a file in Fset, or in a line directive, into what
// units call it: slash-separated, and relative to the package directory where
// the file lies in it, so that units do not depend on where the source is
// checked out.
func (b *Built) FileName(name string) string { return relativeTo(b.dir, name) }

// ssaProgram builds packages one after another.
type ssaProgram struct {
	prog    *ssa.Program
	created map[*types.Package]bool
	size    int // of the source built so far, in bytes
}

// maxProgramSize is the amount of source after which a Program is replaced.
// Peak memory for etcd with 2 workers is 200 MB with this value and 470 MB with
// eight times as much, at the same CPU time.
const maxProgramSize = 2 << 20

// discard makes the next build start with a new Program.
func (s *ssaProgram) discard() { *s = ssaProgram{} }

// build makes the SSA form of a package without hard errors.
func (s *ssaProgram) build(n *node, c *checked) *Built {
	if s.prog == nil || s.size > maxProgramSize {
		*s = ssaProgram{prog: ssa.NewProgram(c.fset, ssa.BareInits), created: make(map[*types.Package]bool)}
	}
	s.prog.Fset = c.fset
	for _, imp := range c.pkg.Imports() {
		s.create(imp)
		for _, mentioned := range imp.Imports() {
			s.create(mentioned)
		}
	}
	pkg := s.prog.CreatePackage(c.pkg, c.syntax, c.info, false)
	pkg.SetDebugMode(true)
	pkg.Build()
	s.size += c.size

	b := &Built{
		Path: n.pkg.Path, Variant: n.pkg.Variant,
		Fset: c.fset, Files: c.files, Types: c.pkg, Info: c.info, SSA: pkg,
		dir: n.pkg.Dir,
	}
	for _, m := range n.imports {
		b.Imports = append(b.Imports, m.pkg.Path)
	}
	slices.Sort(b.Imports)
	for _, f := range c.syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if fn := s.prog.FuncValue(c.info.Defs[d.Name].(*types.Func)); fn != nil {
					b.funcs = append(b.funcs, fn)
				}
			}
		}
	}
	b.funcs = append(b.funcs, pkg.Func("init"))
	return b
}

// create makes an imported package known to the Program. Its functions would be
// made when needed; but then those of a package that happens to be known
// already would look different.
func (s *ssaProgram) create(imp *types.Package) {
	if !s.created[imp] {
		s.created[imp] = true
		s.prog.CreatePackage(imp, nil, nil, true)
	}
}

// release lets go of what the Program would otherwise hold of a package that
// has been lowered: bodies, their syntax, which debug mode pins, and the tables
// of the type checker, which generic functions pin.
func (s *ssaProgram) release(b *Built) {
	for _, fn := range b.funcs {
		fn.Params, fn.FreeVars, fn.Locals = nil, nil, nil // their referrers are instructions
		fn.Blocks, fn.Recover, fn.AnonFuncs = nil, nil, nil
	}
	for _, f := range b.Files {
		for _, d := range f.Syntax.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				d.Body = nil
			}
		}
	}
	*b.Info = types.Info{}
}

// lowerUnit lowers a package and encodes its unit.
func lowerUnit(b *Built) ([]byte, error) {
	u, err := lowerPackage(inputOf(b))
	if err != nil {
		return nil, err
	}
	return ir.Encode(u), nil
}
