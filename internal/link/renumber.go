package link

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Renumber gives the functions asked for so far numbers that follow from the
// program alone, not from the order of the questions. It returns the new number
// of each old one; whoever keeps numbers must translate them.
func (p *Program) Renumber() []FuncID {
	order := make([]FuncID, len(p.funcs))
	for i := range order {
		order[i] = FuncID(i)
	}
	slices.SortFunc(order, p.compareFuncs)
	to := make([]FuncID, len(order))
	funcs := make([]Func, len(order))
	for i, f := range order {
		to[f] = FuncID(i)
		funcs[i] = p.funcs[f]
	}
	p.funcs = funcs
	for k, f := range p.insts {
		p.insts[k] = to[f]
	}
	for k, f := range p.found {
		if f >= 0 {
			p.found[k] = to[f]
		}
	}
	for _, refs := range p.refs {
		for i, f := range refs {
			if f >= 0 {
				refs[i] = to[f]
			}
		}
	}
	return to
}

// compareFuncs orders functions by unit, definition and type arguments; those
// that the linker makes, which are defined in the order of the questions, by
// symbol and signature.
func (p *Program) compareFuncs(a, b FuncID) int {
	x, y := &p.funcs[a], &p.funcs[b]
	if c := cmp.Compare(x.Unit, y.Unit); c != 0 || a == b {
		return c
	}
	if x.Unit == None || x.Unit == p.wrap.id {
		if c := strings.Compare(x.Symbol, y.Symbol); c != 0 {
			return c
		}
	} else if c := cmp.Compare(x.ID, y.ID); c != 0 {
		return c
	}
	if c := slices.CompareFunc(p.envs[x.Env], p.envs[y.Env], p.CompareTypes); c != 0 {
		return c
	}
	if d, e := p.Def(a), p.Def(b); d != nil && e != nil {
		return p.CompareTypes(p.TypeOf(a, d.Sig), p.TypeOf(b, e.Sig))
	}
	return 0
}

// CompareTypes orders types by what they are, whatever their numbers. It is 0
// for one and the same type only.
func (p *Program) CompareTypes(a, b TypeID) int {
	if a == b {
		return 0
	}
	x, y := &p.types.list[a], &p.types.list[b]
	if c := cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Dir, y.Dir), cmp.Compare(b2u(x.Variadic), b2u(y.Variadic)),
		cmp.Compare(x.Len, y.Len), cmp.Compare(len(x.Fields), len(y.Fields)), cmp.Compare(len(x.Methods), len(y.Methods))); c != 0 {
		return c
	}
	if x.Kind != ir.KindParam {
		if c := strings.Compare(x.Name, y.Name); c != 0 {
			return c
		}
	}
	compare := func(a, b ir.TypeID) int { return p.CompareTypes(TypeID(a), TypeID(b)) }
	if c := cmp.Or(compare(x.Elem, y.Elem), compare(x.Key, y.Key)); c != 0 {
		return c
	}
	if c := slices.CompareFunc(x.Elems, y.Elems, compare); c != 0 {
		return c
	}
	if c := slices.CompareFunc(x.Results, y.Results, compare); c != 0 {
		return c
	}
	for i := range x.Fields {
		f, g := &x.Fields[i], &y.Fields[i]
		if c := cmp.Or(strings.Compare(f.Name, g.Name), cmp.Compare(f.Offset, g.Offset), cmp.Compare(f.Flags, g.Flags), compare(f.Type, g.Type)); c != 0 {
			return c
		}
	}
	for i := range x.Methods {
		if c := cmp.Or(strings.Compare(x.Methods[i].Name, y.Methods[i].Name), compare(x.Methods[i].Sig, y.Methods[i].Sig)); c != 0 {
			return c
		}
	}
	return 0
}
