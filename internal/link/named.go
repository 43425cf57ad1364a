package link

import "github.com/deadheat/deadheat/internal/ir"

// Named returns the type that a TypeDecl without type parameters defines, or
// NoType if no unit defines the symbol.
func (p *Program) Named(symbol string) TypeID {
	if _, ok := p.typeDecls[symbol]; !ok {
		return NoType
	}
	return p.types.intern(ir.Type{Kind: ir.KindNamed, Name: symbol})
}

// TypeArgs returns the type arguments of an instance of a generic function.
func (p *Program) TypeArgs(f FuncID) []TypeID { return p.envs[p.funcs[f].Env] }
