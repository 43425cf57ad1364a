package ir

import (
	"encoding/binary"
	"strconv"
)

// Builder makes a Unit. It interns: equal types, references and constants get
// the same ID, so IDs may be compared. IDs it hands out are good until Finish,
// which renumbers tables; a pass that must keep the IDs of an existing unit
// starts from [EditUnit] and ends with [Builder.Unit].
//
// A Builder is for one goroutine.
type Builder struct {
	u *Unit

	types      map[string]TypeID // by typeKey
	pointers   []TypeID          // by element: the pointer type, or 0
	slices     []TypeID          // by element: the slice type, or 0
	fields     map[FieldRef]FieldID
	funcRefs   map[string]FuncRefID // those without type arguments
	genericRef map[string]FuncRefID // the others, by key
	globalRefs map[string]GlobalRef
	consts     map[Const]ConstID
	methods    map[Method]MethodID

	key []byte // scratch
}

// NewBuilder starts an empty unit.
func NewBuilder(path string, lang Lang) *Builder {
	b := &Builder{u: &Unit{Path: path, Lang: lang, Init: None, Types: make([]Type, 1, 16)}}
	b.index()
	return b
}

// EditUnit starts from a copy of a unit that shares its functions and keeps all
// IDs. The original stays as it is.
func EditUnit(u *Unit) *Builder {
	c := *u
	// A full slice expression makes the first append to a table copy it.
	c.Files = u.Files[:len(u.Files):len(u.Files)]
	c.Types = u.Types[:len(u.Types):len(u.Types)]
	c.Fields = u.Fields[:len(u.Fields):len(u.Fields)]
	c.FuncRefs = u.FuncRefs[:len(u.FuncRefs):len(u.FuncRefs)]
	c.GlobalRefs = u.GlobalRefs[:len(u.GlobalRefs):len(u.GlobalRefs)]
	c.Consts = u.Consts[:len(u.Consts):len(u.Consts)]
	c.Methods = u.Methods[:len(u.Methods):len(u.Methods)]
	c.Imports = u.Imports[:len(u.Imports):len(u.Imports)]
	c.Aliases = u.Aliases[:len(u.Aliases):len(u.Aliases)]
	c.Annotations = u.Annotations[:len(u.Annotations):len(u.Annotations)]
	c.Limits = u.Limits[:len(u.Limits):len(u.Limits)]
	// These three are changed in place.
	c.TypeDecls = append([]TypeDecl(nil), u.TypeDecls...)
	c.Globals = append([]Global(nil), u.Globals...)
	c.Funcs = append([]Func(nil), u.Funcs...)
	if len(c.Types) == 0 {
		c.Types = make([]Type, 1)
	}
	b := &Builder{u: &c}
	b.index()
	return b
}

// index fills the interning maps from the tables.
func (b *Builder) index() {
	u := b.u
	b.types = make(map[string]TypeID, len(u.Types))
	b.fields = make(map[FieldRef]FieldID, len(u.Fields))
	b.funcRefs = make(map[string]FuncRefID, len(u.FuncRefs))
	b.genericRef = make(map[string]FuncRefID)
	b.globalRefs = make(map[string]GlobalRef, len(u.GlobalRefs))
	b.consts = make(map[Const]ConstID, len(u.Consts))
	b.methods = make(map[Method]MethodID, len(u.Methods))
	for i := len(u.Types) - 1; i > 0; i-- { // so that the first of equals wins
		b.types[string(b.typeKey(&u.Types[i]))] = TypeID(i)
	}
	for i := len(u.Fields) - 1; i >= 0; i-- {
		b.fields[u.Fields[i]] = FieldID(i)
	}
	for i := len(u.FuncRefs) - 1; i >= 0; i-- {
		r := &u.FuncRefs[i]
		if len(r.Args) == 0 {
			b.funcRefs[r.Symbol] = FuncRefID(i)
		} else {
			b.genericRef[string(b.funcKey(r.Symbol, r.Args))] = FuncRefID(i)
		}
	}
	for i := len(u.GlobalRefs) - 1; i >= 0; i-- {
		b.globalRefs[u.GlobalRefs[i]] = GlobalRef(i)
	}
	for i := len(u.Consts) - 1; i >= 0; i-- {
		b.consts[u.Consts[i]] = ConstID(i)
	}
	for i := len(u.Methods) - 1; i >= 0; i-- {
		b.methods[u.Methods[i]] = MethodID(i)
	}
}

// typeKey returns a string of bytes that two types share iff they are equal.
// It is valid until the next call of a method that makes keys.
func (b *Builder) typeKey(t *Type) []byte {
	k := append(b.key[:0], byte(t.Kind), byte(t.Dir), boolByte(t.Variadic))
	k = binary.AppendVarint(k, int64(t.Elem))
	k = binary.AppendVarint(k, int64(t.Key))
	k = binary.AppendVarint(k, t.Len)
	k = appendKeyString(k, t.Name)
	k = appendKeyIDs(k, t.Elems)
	k = appendKeyIDs(k, t.Results)
	k = binary.AppendUvarint(k, uint64(len(t.Fields)))
	for i := range t.Fields {
		f := &t.Fields[i]
		k = appendKeyString(k, f.Name)
		k = binary.AppendVarint(k, int64(f.Type))
		k = binary.AppendVarint(k, f.Offset)
		k = append(k, byte(f.Flags))
	}
	for i := range t.Methods {
		k = appendKeyString(k, t.Methods[i].Name)
		k = binary.AppendVarint(k, int64(t.Methods[i].Sig))
	}
	b.key = k
	return k
}

func (b *Builder) funcKey(symbol string, args []TypeID) []byte {
	b.key = appendKeyIDs(appendKeyString(b.key[:0], symbol), args)
	return b.key
}

func appendKeyString(k []byte, s string) []byte {
	return append(binary.AppendUvarint(k, uint64(len(s))), s...)
}

func appendKeyIDs(k []byte, ids []TypeID) []byte {
	k = binary.AppendUvarint(k, uint64(len(ids)))
	for _, id := range ids {
		k = binary.AppendVarint(k, int64(id))
	}
	return k
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// Type interns a type, whose parts must have been interned before. The builder
// keeps the slices of t if it is new: the caller must not change them later.
func (b *Builder) Type(t Type) TypeID {
	key := b.typeKey(&t)
	if id, ok := b.types[string(key)]; ok {
		return id
	}
	id := TypeID(len(b.u.Types))
	b.types[string(key)] = id
	b.u.Types = append(b.u.Types, t)
	return id
}

// TypeAt returns the entry of a type. It is not to be changed.
func (b *Builder) TypeAt(id TypeID) *Type { return &b.u.Types[id] }

// Basic interns a basic type.
func (b *Builder) Basic(name string) TypeID { return b.Type(Type{Kind: KindBasic, Name: name}) }

// Pointer interns a pointer type; element 0 makes an untyped address.
func (b *Builder) Pointer(elem TypeID) TypeID {
	return b.unaryType(KindPointer, &b.pointers, elem)
}

// Slice interns a slice type.
func (b *Builder) Slice(elem TypeID) TypeID {
	return b.unaryType(KindSlice, &b.slices, elem)
}

// unaryType looks an often used type up by its element, without a key.
func (b *Builder) unaryType(kind TypeKind, known *[]TypeID, elem TypeID) TypeID {
	if int(elem) >= len(*known) {
		*known = append(*known, make([]TypeID, max(len(b.u.Types), int(elem)+1)-len(*known))...)
	}
	id := (*known)[elem]
	if id == 0 {
		id = b.Type(Type{Kind: kind, Elem: elem})
		(*known)[elem] = id
	}
	return id
}

// Array interns an array type; a negative length means that it is unknown.
func (b *Builder) Array(length int64, elem TypeID) TypeID {
	return b.Type(Type{Kind: KindArray, Len: max(length, -1), Elem: elem})
}

// Map interns a map type.
func (b *Builder) Map(key, elem TypeID) TypeID {
	return b.Type(Type{Kind: KindMap, Key: key, Elem: elem})
}

// Chan interns a channel type.
func (b *Builder) Chan(dir ChanDir, elem TypeID) TypeID {
	return b.Type(Type{Kind: KindChan, Dir: dir, Elem: elem})
}

// FuncType interns a function type.
func (b *Builder) FuncType(params, results []TypeID, variadic bool) TypeID {
	return b.Type(Type{Kind: KindFunc, Elems: orNil(params), Results: orNil(results), Variadic: variadic})
}

// Tuple interns a tuple type; without elements it is the type of calls that
// yield nothing.
func (b *Builder) Tuple(elems ...TypeID) TypeID {
	return b.Type(Type{Kind: KindTuple, Elems: orNil(elems)})
}

// Struct interns a struct type.
func (b *Builder) Struct(fields []Field) TypeID {
	return b.Type(Type{Kind: KindStruct, Fields: orNil(fields)})
}

// Interface interns an interface type. The methods must be sorted by name.
func (b *Builder) Interface(methods []Method) TypeID {
	return b.Type(Type{Kind: KindInterface, Methods: orNil(methods)})
}

// Named interns a mention of a named type.
func (b *Builder) Named(symbol string, args ...TypeID) TypeID {
	return b.Type(Type{Kind: KindNamed, Name: symbol, Elems: orNil(args)})
}

// TypeParam interns a type parameter.
func (b *Builder) TypeParam(name string, index int) TypeID {
	return b.Type(Type{Kind: KindParam, Name: name, Len: int64(index)})
}

// orNil keeps empty slices out of tables, where they would differ from nil.
func orNil[T any](s []T) []T {
	if len(s) == 0 {
		return nil
	}
	return s
}

// Field interns a field reference.
func (b *Builder) Field(strct TypeID, name string, index int32) FieldID {
	r := FieldRef{Struct: strct, Name: name, Index: index}
	id, ok := b.fields[r]
	if !ok {
		id = FieldID(len(b.u.Fields))
		b.fields[r] = id
		b.u.Fields = append(b.u.Fields, r)
	}
	return id
}

// FuncRef interns a mention of a function. The builder keeps args.
func (b *Builder) FuncRef(symbol string, args ...TypeID) FuncRefID {
	id := FuncRefID(len(b.u.FuncRefs))
	if len(args) == 0 {
		if old, ok := b.funcRefs[symbol]; ok {
			return old
		}
		b.funcRefs[symbol] = id
		args = nil
	} else {
		key := b.funcKey(symbol, args)
		if old, ok := b.genericRef[string(key)]; ok {
			return old
		}
		b.genericRef[string(key)] = id
	}
	b.u.FuncRefs = append(b.u.FuncRefs, FuncRef{Symbol: symbol, Args: args})
	return id
}

// GlobalRef interns a mention of a global.
func (b *Builder) GlobalRef(symbol string) GlobalRef {
	id, ok := b.globalRefs[symbol]
	if !ok {
		id = GlobalRef(len(b.u.GlobalRefs))
		b.globalRefs[symbol] = id
		b.u.GlobalRefs = append(b.u.GlobalRefs, symbol)
	}
	return id
}

// Const interns a constant; see [Const] for the spelling.
func (b *Builder) Const(typ TypeID, text string) ConstID {
	c := Const{Type: typ, Text: text}
	id, ok := b.consts[c]
	if !ok {
		id = ConstID(len(b.u.Consts))
		b.consts[c] = id
		b.u.Consts = append(b.u.Consts, c)
	}
	return id
}

// Method interns a method called by dispatch.
func (b *Builder) Method(name string, sig TypeID) MethodID {
	m := Method{Name: name, Sig: sig}
	id, ok := b.methods[m]
	if !ok {
		id = MethodID(len(b.u.Methods))
		b.methods[m] = id
		b.u.Methods = append(b.u.Methods, m)
	}
	return id
}

// StringConst interns a constant of the basic type string.
func (b *Builder) StringConst(s string) ConstID {
	return b.Const(b.Basic("string"), strconv.Quote(s))
}

// IntConst interns an integer constant.
func (b *Builder) IntConst(typ TypeID, n int64) ConstID {
	return b.Const(typ, strconv.FormatInt(n, 10))
}

// AddFile appends a source file.
func (b *Builder) AddFile(f File) FileID {
	b.u.Files = append(b.u.Files, f)
	return FileID(len(b.u.Files) - 1)
}

// AddTypeDecl defines a named type and returns its index in Unit.TypeDecls.
func (b *Builder) AddTypeDecl(d TypeDecl) int {
	b.u.TypeDecls = append(b.u.TypeDecls, d)
	return len(b.u.TypeDecls) - 1
}

// TypeDeclAt returns a definition for further changes.
func (b *Builder) TypeDeclAt(i int) *TypeDecl { return &b.u.TypeDecls[i] }

// AddGlobal defines a global.
func (b *Builder) AddGlobal(g Global) GlobalID {
	b.u.Globals = append(b.u.Globals, g)
	return GlobalID(len(b.u.Globals) - 1)
}

// AddFunc defines a function. Its Parent must be set, to None if it has none.
func (b *Builder) AddFunc(f Func) FuncID {
	b.u.Funcs = append(b.u.Funcs, f)
	return FuncID(len(b.u.Funcs) - 1)
}

// FuncAt returns a header for further changes. The pointer is good until the
// next AddFunc.
func (b *Builder) FuncAt(id FuncID) *Func { return &b.u.Funcs[id] }

// SetBody gives a function its code, which then belongs to the builder.
func (b *Builder) SetBody(id FuncID, body *Body) { b.u.Funcs[id].SetBody(body) }

// AddImport says that another unit's initialisation comes first.
func (b *Builder) AddImport(path string) { b.u.Imports = append(b.u.Imports, path) }

// SetInit names the function that runs the unit's initialisers.
func (b *Builder) SetInit(id FuncID) { b.u.Init = id }

// AddAlias says that calls of one symbol run the body of another.
func (b *Builder) AddAlias(a Alias) { b.u.Aliases = append(b.u.Aliases, a) }

// AddAnnotation keeps a structured comment.
func (b *Builder) AddAnnotation(a Annotation) { b.u.Annotations = append(b.u.Annotations, a) }

// AddLimit says what could not be expressed.
func (b *Builder) AddLimit(l Limit) { b.u.Limits = append(b.u.Limits, l) }

// Unit returns the unit with all IDs as they are. The builder may be used
// further; the unit grows with it.
func (b *Builder) Unit() *Unit { return b.u }
