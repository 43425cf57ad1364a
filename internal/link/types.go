package link

import (
	"encoding/binary"

	"github.com/deadheat/deadheat/internal/ir"
)

// TypeID indexes the one type table of a Program. Two types are identical iff
// their IDs are equal.
type TypeID int32

// NoType is the absent type.
const NoType TypeID = 0

type declRef struct {
	unit UnitID
	decl int32
}

type substKey struct {
	t   TypeID
	env EnvID
}

// typeTable interns types. The ir.TypeIDs inside its entries are TypeIDs of
// the table.
type typeTable struct {
	list     []ir.Type
	hasParam []bool
	ids      map[string]TypeID
	key      []byte
}

func (tt *typeTable) init() {
	tt.list = make([]ir.Type, 1)
	tt.hasParam = make([]bool, 1)
	tt.ids = make(map[string]TypeID)
}

func (tt *typeTable) intern(t ir.Type) TypeID {
	k := tt.key[:0]
	k = append(k, byte(t.Kind), byte(t.Dir), b2u(t.Variadic))
	k = binary.AppendVarint(k, int64(t.Elem))
	k = binary.AppendVarint(k, int64(t.Key))
	k = binary.AppendVarint(k, t.Len)
	if t.Kind != ir.KindParam { // parameters are told apart by index alone
		k = appendString(k, t.Name)
	}
	k = binary.AppendUvarint(k, uint64(len(t.Elems)))
	for _, e := range t.Elems {
		k = binary.AppendVarint(k, int64(e))
	}
	k = binary.AppendUvarint(k, uint64(len(t.Results)))
	for _, e := range t.Results {
		k = binary.AppendVarint(k, int64(e))
	}
	k = binary.AppendUvarint(k, uint64(len(t.Fields)))
	for _, f := range t.Fields {
		k = appendString(k, f.Name)
		k = binary.AppendVarint(k, int64(f.Type))
		k = binary.AppendVarint(k, f.Offset)
		k = append(k, byte(f.Flags))
	}
	k = binary.AppendUvarint(k, uint64(len(t.Methods)))
	for _, m := range t.Methods {
		k = appendString(k, m.Name)
		k = binary.AppendVarint(k, int64(m.Sig))
	}
	tt.key = k
	if id, ok := tt.ids[string(k)]; ok {
		return id
	}
	id := TypeID(len(tt.list))
	tt.ids[string(k)] = id
	tt.list = append(tt.list, t)
	tt.hasParam = append(tt.hasParam, tt.mentionsParam(&t))
	return id
}

func (tt *typeTable) mentionsParam(t *ir.Type) bool {
	if t.Kind == ir.KindParam || tt.hasParam[t.Elem] || tt.hasParam[t.Key] {
		return true
	}
	for _, e := range t.Elems {
		if tt.hasParam[e] {
			return true
		}
	}
	for _, e := range t.Results {
		if tt.hasParam[e] {
			return true
		}
	}
	for _, f := range t.Fields {
		if tt.hasParam[f.Type] {
			return true
		}
	}
	for _, m := range t.Methods {
		if tt.hasParam[m.Sig] {
			return true
		}
	}
	return false
}

func b2u(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func appendString(k []byte, s string) []byte {
	k = binary.AppendUvarint(k, uint64(len(s)))
	return append(k, s...)
}

// mapType returns t with every type it mentions replaced by f's answer.
func mapType(t *ir.Type, f func(ir.TypeID) ir.TypeID) ir.Type {
	n := *t
	if t.Elem != 0 {
		n.Elem = f(t.Elem)
	}
	if t.Key != 0 {
		n.Key = f(t.Key)
	}
	n.Elems = mapIDs(t.Elems, f)
	n.Results = mapIDs(t.Results, f)
	if len(t.Fields) > 0 {
		n.Fields = make([]ir.Field, len(t.Fields))
		for i, fl := range t.Fields {
			fl.Type = f(fl.Type)
			n.Fields[i] = fl
		}
	}
	if len(t.Methods) > 0 {
		n.Methods = make([]ir.Method, len(t.Methods))
		for i, m := range t.Methods {
			n.Methods[i] = ir.Method{Name: m.Name, Sig: f(m.Sig)}
		}
	}
	return n
}

func mapIDs(ids []ir.TypeID, f func(ir.TypeID) ir.TypeID) []ir.TypeID {
	if len(ids) == 0 {
		return nil
	}
	out := make([]ir.TypeID, len(ids))
	for i, id := range ids {
		out[i] = f(id)
	}
	return out
}

// unitType returns the program's type for a unit's.
func (p *Program) unitType(unit UnitID, t ir.TypeID) TypeID {
	if t == 0 {
		return NoType
	}
	if id := p.unitTypes[unit][t]; id != NoType {
		return id
	}
	n := mapType(&p.Units[unit].Types[t], func(e ir.TypeID) ir.TypeID {
		return ir.TypeID(p.unitType(unit, e))
	})
	id := p.types.intern(n)
	p.unitTypes[unit][t] = id
	return id
}

// TypeOf returns the program's type for a type of function f's unit, with f's
// type arguments put in.
func (p *Program) TypeOf(f FuncID, t ir.TypeID) TypeID {
	fn := &p.funcs[f]
	id := p.unitType(fn.Unit, t)
	if fn.Env == 0 || !p.types.hasParam[id] {
		return id
	}
	return p.subst(id, fn.Env)
}

func (p *Program) env(args []TypeID) EnvID {
	var k []byte
	for _, a := range args {
		k = binary.AppendVarint(k, int64(a))
	}
	if id, ok := p.envIDs[string(k)]; ok {
		return id
	}
	id := EnvID(len(p.envs))
	p.envs = append(p.envs, append([]TypeID(nil), args...))
	p.envIDs[string(k)] = id
	return id
}

func (p *Program) subst(t TypeID, env EnvID) TypeID {
	if !p.types.hasParam[t] {
		return t
	}
	key := substKey{t, env}
	if id, ok := p.substMemo[key]; ok {
		return id
	}
	ty := &p.types.list[t]
	var id TypeID
	if ty.Kind == ir.KindParam {
		args := p.envs[env]
		if int(ty.Len) < len(args) {
			id = args[ty.Len]
		} else {
			id = t
		}
	} else {
		n := mapType(ty, func(e ir.TypeID) ir.TypeID { return ir.TypeID(p.subst(TypeID(e), env)) })
		id = p.types.intern(n)
	}
	p.substMemo[key] = id
	return id
}

// Type returns the structure of a type. The ir.TypeIDs in it are TypeIDs of
// the program.
func (p *Program) Type(t TypeID) *ir.Type { return &p.types.list[t] }

// NumTypes returns the size of the type table.
func (p *Program) NumTypes() int { return len(p.types.list) }

// Elem returns the element type of a pointer, slice, array, map or channel.
func (p *Program) Elem(t TypeID) TypeID {
	return TypeID(p.types.list[p.Underlying(t)].Elem)
}

// Underlying returns the structure behind a named type, NoType if no unit
// defines it, and any other type itself.
func (p *Program) Underlying(t TypeID) TypeID {
	if p.types.list[t].Kind != ir.KindNamed {
		return t
	}
	for int(t) >= len(p.underlying) {
		p.underlying = append(p.underlying, -1)
	}
	if u := p.underlying[t]; u >= 0 {
		return u
	}
	p.underlying[t] = NoType // cuts declarations that define themselves
	ty := &p.types.list[t]
	d, ok := p.typeDecls[ty.Name]
	if !ok {
		return NoType
	}
	u := p.unitType(d.unit, p.Units[d.unit].TypeDecls[d.decl].Underlying)
	if p.types.hasParam[u] {
		args := make([]TypeID, len(p.types.list[t].Elems))
		for i, a := range p.types.list[t].Elems {
			args[i] = TypeID(a)
		}
		u = p.subst(u, p.env(args))
	}
	u = p.Underlying(u)
	p.underlying[t] = u
	return u
}

// Decl returns the declaration of a named type, or nil.
func (p *Program) Decl(t TypeID) (*ir.TypeDecl, *ir.Unit) {
	ty := &p.types.list[t]
	if ty.Kind != ir.KindNamed {
		return nil, nil
	}
	d, ok := p.typeDecls[ty.Name]
	if !ok {
		return nil, nil
	}
	u := p.Units[d.unit]
	return &u.TypeDecls[d.decl], u
}

// Pointer returns the type of addresses of t.
func (p *Program) Pointer(t TypeID) TypeID {
	return p.types.intern(ir.Type{Kind: ir.KindPointer, Elem: ir.TypeID(t)})
}
