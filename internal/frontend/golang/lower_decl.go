package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// declareTypes defines the named types of the package, those in functions last.
func (l *lowerer) declareTypes() {
	for _, f := range l.in.Files {
		for _, decl := range f.Decls {
			if gd, ok := decl.(*ast.GenDecl); ok && gd.Tok == token.TYPE {
				for _, spec := range gd.Specs {
					l.declareType(spec.(*ast.TypeSpec))
				}
			}
		}
	}
	for _, spec := range l.specs {
		l.declareType(spec)
	}
}

func (l *lowerer) declareType(spec *ast.TypeSpec) {
	name, ok := l.in.Info.Defs[spec.Name].(*types.TypeName)
	if !ok || name.IsAlias() || name.Name() == "_" {
		return
	}
	named, ok := name.Type().(*types.Named)
	if !ok {
		return
	}
	d := ir.TypeDecl{
		Symbol:     l.typeSymbol(name),
		Underlying: l.typ(named.Underlying()),
		Pos:        l.pos.read(spec.Name.NamePos),
	}
	if local := l.locals[name]; local != nil {
		d.Params = typeParamNames(local.params)
	} else {
		for p := range named.TypeParams().TypeParams() {
			d.Params = append(d.Params, p.Obj().Name())
		}
		if name.Exported() {
			d.Flags |= ir.TypeExported
		}
	}
	for m := range named.Methods() {
		if m.Name() == "_" {
			continue
		}
		_, pointer := receiverBase(m.Signature().Recv().Type())
		d.Methods = append(d.Methods, ir.MethodDecl{Name: methodName(m), Func: l.funcSymbol(m), Pointer: pointer})
	}
	slices.SortFunc(d.Methods, func(a, b ir.MethodDecl) int { return strings.Compare(a.Name, b.Name) })
	l.b.AddTypeDecl(d)
}

// declareGlobals defines the package's variables.
func (l *lowerer) declareGlobals() {
	for _, f := range l.in.Files {
		for _, decl := range f.Decls {
			gd, ok := decl.(*ast.GenDecl)
			if !ok || gd.Tok != token.VAR {
				continue
			}
			for _, spec := range gd.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					l.declareGlobal(id)
				}
			}
		}
	}
}

func (l *lowerer) declareGlobal(id *ast.Ident) {
	v, ok := l.in.Info.Defs[id].(*types.Var)
	if !ok || id.Name == "_" {
		return
	}
	var flags ir.GlobalFlags
	if v.Exported() {
		flags |= ir.GlobalExported
	}
	l.b.AddGlobal(ir.Global{
		Symbol: l.in.ImportPath + "." + id.Name, Type: l.typ(v.Type()), Flags: flags, Pos: l.pos.read(id.NamePos),
	})
}
