package ir

import "encoding/binary"

// EncodingVersion is part of the binary form. It changes whenever the form or
// the meaning of an operation code does, so that what an older program wrote
// is read by no newer one.
const EncodingVersion = 2

const encodingMagic = "dhir"

// The binary form is, in order: the magic, the version, the string table, the
// tables, the definitions, the headers of functions with the lengths of their
// bodies, and the bodies. Numbers are varints; counts come before what they
// count, and where many small slices follow, the sum of their lengths does too,
// so that a reader allocates once. A body has its code first and its positions
// last (see encode_body.go).

// Encode returns the binary form of a unit. Equal units give equal bytes.
// Bodies that have not been decoded are copied as they are.
func Encode(u *Unit) []byte {
	e := &encoder{ids: make(map[string]uint64, 64)}
	for _, s := range u.strings {
		e.stringID(s)
	}
	e.unit(u)
	var bodies []byte
	e.uint(uint64(len(u.Funcs)))
	for i := range u.Funcs {
		f := &u.Funcs[i]
		e.function(f)
		start := len(bodies)
		switch {
		case f.encoded != nil:
			bodies = append(bodies, f.encoded...)
		case f.body != nil:
			bodies = e.appendBody(bodies, f.body)
		}
		e.uint(uint64(len(bodies) - start))
	}
	size := 0
	for _, s := range e.strings {
		size += len(s)
	}
	out := make([]byte, 0, len(encodingMagic)+3*binary.MaxVarintLen64+2*len(e.strings)+size+len(e.buf)+len(bodies))
	out = append(out, encodingMagic...)
	out = binary.AppendUvarint(out, EncodingVersion)
	out = binary.AppendUvarint(out, uint64(len(e.strings)))
	out = binary.AppendUvarint(out, uint64(size))
	for _, s := range e.strings {
		out = binary.AppendUvarint(out, uint64(len(s)))
	}
	for _, s := range e.strings {
		out = append(out, s...)
	}
	out = append(out, e.buf...)
	return append(out, bodies...)
}

type encoder struct {
	buf     []byte
	strings []string
	ids     map[string]uint64
	pos     posCoder
	code    []byte // scratch of appendBody
}

func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) int(n int64)   { e.buf = binary.AppendVarint(e.buf, n) }
func (e *encoder) str(s string)  { e.uint(e.stringID(s)) }

// index writes an index that may be None.
func (e *encoder) index(n int32) { e.uint(uint64(uint32(n + 1))) }

func (e *encoder) stringID(s string) uint64 {
	id, ok := e.ids[s]
	if !ok {
		id = uint64(len(e.strings))
		e.ids[s] = id
		e.strings = append(e.strings, s)
	}
	return id
}

func (e *encoder) strList(list []string) {
	e.uint(uint64(len(list)))
	for _, s := range list {
		e.str(s)
	}
}

func (e *encoder) typeIDs(ids []TypeID) {
	e.uint(uint64(len(ids)))
	for _, id := range ids {
		e.uint(uint64(uint32(id)))
	}
}

func (e *encoder) place(p Pos) { e.buf = e.pos.append(e.buf, p) }

func (e *encoder) unit(u *Unit) {
	e.str(u.Path)
	e.uint(uint64(u.Lang))
	e.uint(uint64(len(u.Files)))
	for _, f := range u.Files {
		e.str(f.Path)
		e.uint(uint64(boolByte(f.Generated) | boolByte(f.Test)<<1))
	}
	e.types(u)
	e.uint(uint64(len(u.Fields)))
	for i := range u.Fields {
		f := &u.Fields[i]
		e.uint(uint64(uint32(f.Struct)))
		e.str(f.Name)
		e.index(f.Index)
	}
	e.uint(uint64(len(u.FuncRefs)))
	for i := range u.FuncRefs {
		e.str(u.FuncRefs[i].Symbol)
		e.typeIDs(u.FuncRefs[i].Args)
	}
	e.strList(u.GlobalRefs)
	e.uint(uint64(len(u.Consts)))
	for i := range u.Consts {
		e.uint(uint64(uint32(u.Consts[i].Type)))
		e.str(u.Consts[i].Text)
	}
	e.methods(u.Methods)
	e.typeDecls(u.TypeDecls)
	e.uint(uint64(len(u.Globals)))
	for i := range u.Globals {
		g := &u.Globals[i]
		e.str(g.Symbol)
		e.uint(uint64(uint32(g.Type)))
		e.uint(uint64(g.Flags))
		e.place(g.Pos)
	}
	e.strList(u.Imports)
	e.uint(uint64(len(u.Aliases)))
	for _, a := range u.Aliases {
		e.str(a.Symbol)
		e.str(a.Target)
	}
	e.uint(uint64(len(u.Annotations)))
	for _, a := range u.Annotations {
		e.str(a.Target)
		e.str(a.Text)
		e.place(a.Pos)
	}
	e.uint(uint64(len(u.Limits)))
	for _, l := range u.Limits {
		e.str(l.Kind)
		e.str(l.Symbol)
		e.str(l.Text)
		e.place(l.Pos)
	}
	e.index(int32(u.Init))
}

// types writes the type table, without the invalid type at its start.
func (e *encoder) types(u *Unit) {
	var ids, fields, methods int
	for i := range u.Types {
		t := &u.Types[i]
		ids += len(t.Elems) + len(t.Results)
		fields += len(t.Fields)
		methods += len(t.Methods)
	}
	e.uint(uint64(max(len(u.Types), 1) - 1))
	e.uint(uint64(ids))
	e.uint(uint64(fields))
	e.uint(uint64(methods))
	for i := 1; i < len(u.Types); i++ {
		e.typ(&u.Types[i])
	}
}

// The head of a type says which of its fields follow.
const (
	typeKindMask = 1<<4 - 1
	typeVariadic = 1 << 4
	typeDirShift = 5
	typeLists    = 1 << 7
)

func (e *encoder) typ(t *Type) {
	head := uint64(t.Kind) | uint64(t.Dir)<<typeDirShift | uint64(boolByte(t.Variadic))*typeVariadic
	lists := len(t.Elems)+len(t.Results)+len(t.Fields)+len(t.Methods) > 0
	if lists {
		head |= typeLists
	}
	e.uint(head)
	e.uint(uint64(uint32(t.Elem)))
	e.uint(uint64(uint32(t.Key)))
	e.int(t.Len)
	e.str(t.Name)
	if !lists {
		return
	}
	e.typeIDs(t.Elems)
	e.typeIDs(t.Results)
	e.uint(uint64(len(t.Fields)))
	for i := range t.Fields {
		f := &t.Fields[i]
		e.str(f.Name)
		e.uint(uint64(uint32(f.Type)))
		e.int(f.Offset)
		e.uint(uint64(f.Flags))
	}
	e.methods(t.Methods)
}

func (e *encoder) methods(list []Method) {
	e.uint(uint64(len(list)))
	for i := range list {
		e.str(list[i].Name)
		e.uint(uint64(uint32(list[i].Sig)))
	}
}

func (e *encoder) typeDecls(decls []TypeDecl) {
	e.uint(uint64(len(decls)))
	for i := range decls {
		d := &decls[i]
		e.str(d.Symbol)
		e.strList(d.Params)
		e.uint(uint64(uint32(d.Underlying)))
		e.typeIDs(d.Supers)
		e.uint(uint64(len(d.Methods)))
		for _, m := range d.Methods {
			e.str(m.Name)
			e.str(m.Func)
			e.uint(uint64(boolByte(m.Pointer) | boolByte(m.Static)<<1))
		}
		e.uint(uint64(d.Flags))
		e.place(d.Pos)
	}
}

func (e *encoder) function(f *Func) {
	e.str(f.Symbol)
	e.str(f.Name)
	e.uint(uint64(uint32(f.Sig)))
	e.strList(f.TypeParams)
	e.index(int32(f.Parent))
	e.uint(uint64(f.Flags))
	e.place(f.Pos)
	e.place(f.End)
}
