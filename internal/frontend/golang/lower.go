package golang

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// lowerInput is one type-checked package with its SSA form.
//
// The program must have been made with ssa.GlobalDebug, since many accesses
// have their position in a DebugRef only; with ssa.BareInits, since the order of
// initialisation is the linker's business; and without InstantiateGenerics, so
// that a generic function is lowered once and instantiated at link time.
type lowerInput struct {
	ImportPath string // what symbols begin with: never with a test variant in it
	Pkg        *ssa.Package
	TypesPkg   *types.Package
	Info       *types.Info // Defs are read
	Fset       *token.FileSet
	Files      []*ast.File // with comments
	FileMeta   []ir.File   // parallel to Files
	Imports    []string    // import paths, without "unsafe" and "C"

	// FileName turns the name of a file in Fset, or in a line directive, into
	// what File.Path holds. Nil leaves it as it is.
	FileName func(string) string
}

// lowerer holds what the lowering of one package needs at hand. Lowering reads
// the SSA program and never asks it to build anything, so packages of one
// program can be lowered side by side.
type lowerer struct {
	in   lowerInput
	b    *ir.Builder
	body ir.BodyBuilder // of the function at hand
	pos  *positions

	types   map[types.Type]ir.TypeID
	basics  [types.UntypedNil + 1]ir.TypeID // those asked for, by kind
	locals  map[*types.TypeName]*localType
	specs   []*ast.TypeSpec          // of locals
	unread  map[ast.Expr]bool        // operands of range statements that are not evaluated
	offsets map[*types.TypeParam]int // index of a method's own type parameters: after the receiver's
	symbols map[*types.Func]string
	refs    map[*ssa.Function]ir.FuncRefID
	globals map[*ssa.Global]ir.GlobalRef
	methods map[*types.Func]ir.MethodID
	ints    map[intConst]ir.ConstID
	names   map[string]int32 // constants that hold source names

	links    []linkname
	wrappers map[string]bool // symbols of those asked for
	pending  []pendingFunc

	fn   *function  // at hand
	args []ir.Value // scratch
	regs registers  // scratch: function.regs
	at   []ir.Pos   // scratch: function.at
	last []ir.Pos   // scratch: function.last
}

// lowerPackage turns a package into a unit. An error means that the input does
// not meet the conditions above; what the unit cannot express becomes a Limit.
func lowerPackage(in lowerInput) (*ir.Unit, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	l := &lowerer{
		in:       in,
		b:        ir.NewBuilder(in.ImportPath, ir.LangGo),
		types:    make(map[types.Type]ir.TypeID),
		locals:   make(map[*types.TypeName]*localType),
		unread:   make(map[ast.Expr]bool),
		offsets:  make(map[*types.TypeParam]int),
		symbols:  make(map[*types.Func]string),
		refs:     make(map[*ssa.Function]ir.FuncRefID),
		globals:  make(map[*ssa.Global]ir.GlobalRef),
		methods:  make(map[*types.Func]ir.MethodID),
		ints:     make(map[intConst]ir.ConstID),
		names:    make(map[string]int32),
		wrappers: make(map[string]bool),
	}
	for _, path := range in.Imports {
		l.b.AddImport(path)
	}
	l.pos = newPositions(l.b, &l.in)
	l.links = linknames(in.Files)
	l.survey()
	l.declareTypes()
	l.declareGlobals()
	l.lowerFuncs()
	l.lowerPending()
	l.declareAliases()
	l.annotate()
	return l.b.Finish(), nil
}

// inputOf describes a loaded package to lowering.
func inputOf(b *Built) lowerInput {
	in := lowerInput{
		ImportPath: b.Path, Pkg: b.SSA, TypesPkg: b.Types, Info: b.Info, Fset: b.Fset,
		Imports: b.Imports, FileName: b.FileName,
	}
	for _, f := range b.Files {
		in.Files = append(in.Files, f.Syntax)
		in.FileMeta = append(in.FileMeta, ir.File{Path: f.Name, Generated: f.Generated, Test: f.Test})
	}
	return in
}

func (in *lowerInput) check() error {
	switch {
	case in.Pkg == nil || in.TypesPkg == nil || in.Info == nil || in.Fset == nil:
		return errors.New("lowering: the package has not been type-checked and built")
	case in.Pkg.Var("init$guard") != nil:
		return fmt.Errorf("lowering %s: the SSA program was made without ssa.BareInits", in.ImportPath)
	case len(in.FileMeta) != len(in.Files):
		return fmt.Errorf("lowering %s: %d files but %d descriptions", in.ImportPath, len(in.Files), len(in.FileMeta))
	}
	return nil
}

// limit records what the unit cannot express.
func (l *lowerer) limit(kind, symbol, text string, pos ir.Pos) {
	l.b.AddLimit(ir.Limit{Kind: kind, Symbol: symbol, Text: text, Pos: pos})
}
