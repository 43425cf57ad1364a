package ir

// TypeKind says which fields of a Type are meaningful.
type TypeKind uint8

const (
	KindInvalid   TypeKind = iota
	KindBasic              // Name: a scalar without pointers, or an immutable string
	KindPointer            // Elem; Elem 0 is an untyped address (unsafe.Pointer, void *)
	KindStruct             // Fields; C unions are structs whose offsets overlap
	KindArray              // Elem, Len; Len < 0 is unknown
	KindSlice              // Elem
	KindMap                // Key, Elem
	KindChan               // Elem, Dir
	KindFunc               // Elems (parameters), Results, Variadic
	KindTuple              // Elems
	KindInterface          // Methods, sorted by name, embedded interfaces flattened
	KindNamed              // Name (symbol of its TypeDecl), Elems (type arguments)
	KindParam              // Name, Len (index): a parameter of the enclosing generic function or TypeDecl
)

// ChanDir restricts the use of a channel type.
type ChanDir uint8

const (
	ChanBoth ChanDir = iota
	ChanSend
	ChanRecv
)

// Type is one entry of a type table. An entry mentions only entries before it:
// recursion always passes through a Named type, whose definition is a TypeDecl
// of some unit and is found by its symbol. A table holds no two equal entries.
type Type struct {
	Kind     TypeKind
	Dir      ChanDir
	Variadic bool
	Elem     TypeID
	Key      TypeID
	Len      int64
	Name     string
	Elems    []TypeID
	Results  []TypeID
	Fields   []Field
	Methods  []Method
}

// Field is a member of a struct type.
type Field struct {
	Name   string
	Type   TypeID
	Offset int64 // in bytes, or -1 where the language fixes no layout
	Flags  FieldFlags
}

// FieldFlags describe a Field.
type FieldFlags uint8

const (
	FieldEmbedded FieldFlags = 1 << iota // promotes its members
	FieldExported
	FieldVolatile
	FieldFinal
	FieldAtomic // every access is atomic: Java volatile, C _Atomic
)

// Method is a method as an interface or an invoke names it. Name is the bare
// name for exported methods and is qualified by its unit's path otherwise, so
// that equal names mean the same method. Java adds the descriptor.
type Method struct {
	Name string
	Sig  TypeID // a Func type without the receiver
}

// TypeDecl defines a named type.
type TypeDecl struct {
	Symbol     string
	Params     []string // names of type parameters
	Underlying TypeID
	Supers     []TypeID // superclass first, then interfaces; none in Go and C
	Methods    []MethodDecl
	Flags      TypeFlags
	Pos        Pos
}

// TypeFlags describe a TypeDecl.
type TypeFlags uint8

const (
	TypeExported TypeFlags = 1 << iota
	TypeAbstract           // has no instances of its own
	TypeFinal              // has no subtypes
	TypeValue              // instances never change once made; which one it is does not matter
)

// MethodDecl binds a method name of a named type to its function, whose first
// parameter is the receiver.
type MethodDecl struct {
	Name    string
	Func    string // symbol
	Pointer bool   // the receiver is a pointer to the type, not the type
	Static  bool   // has no receiver and does not take part in dispatch
}
