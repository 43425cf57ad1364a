package golang

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Built is one package parsed, type-checked and in SSA form, as lowering gets
// it. Nothing in it may be kept or used once lowering has returned.
//
// What lowering makes of it must depend on this package's own source and on the
// types of what it imports, and on nothing else, or else a unit out of the
// store would differ from one made afresh. Imported packages are therefore
// always seen in the same way, whether they were checked in this run or not:
//
//   - their functions are ssa.Functions without blocks, and a method of a
//     package that is imported only indirectly has no Pkg: use Object;
//   - their objects have no position;
//   - they hold what is exported and what that mentions, and no more.
type Built struct {
	Path    string // import path; symbols begin with it
	Variant string // test binary a package was compiled anew for, as "p.test"; else empty
	Name    string // as in the package clause

	Fset  *token.FileSet // knows the files of this package alone
	Files []*SourceFile
	Types *types.Package
	Info  *types.Info
	Sizes types.Sizes
	SSA   *ssa.Package // in debug mode: identifiers have DebugRefs

	Imports   []string // import paths of direct imports, sorted, without "unsafe" and "C"
	Linknames []Linkname

	dir string
}

// SourceFile is a file of a package.
type SourceFile struct {
	Name      string // slash-separated, relative to the package directory
	Syntax    *ast.File
	Generated bool // has the standard "Code generated … DO NOT EDIT." line
	Test      bool // a _test.go file, or the generated main of a test binary
	Cgo       bool // written by cgo: holds no code of the user's but what //line names
}

// Position returns where pos is. The file name is slash-separated and relative
// to the package directory where the file lies in it, so that units do not
// depend on where the source is checked out. Line directives are obeyed, since
// the files cgo and parser generators write have no meaning for people.
func (b *Built) Position(pos token.Pos) token.Position {
	p := b.Fset.Position(pos)
	p.Filename = relativeTo(b.dir, p.Filename)
	return p
}
