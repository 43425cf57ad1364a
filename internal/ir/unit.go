package ir

// Typed indices. Each indexes the table of the same name in a Unit or Body.
// Index 0 of Types is the invalid type, so the zero TypeID means "none".
type (
	TypeID    int32 // Unit.Types
	FieldID   int32 // Unit.Fields
	FuncID    int32 // Unit.Funcs: functions defined here
	FuncRefID int32 // Unit.FuncRefs: functions named here, wherever defined
	GlobalID  int32 // Unit.Globals: globals defined here
	GlobalRef int32 // Unit.GlobalRefs: globals named here, wherever defined
	ConstID   int32 // Unit.Consts
	MethodID  int32 // Unit.Methods: methods called by dispatch
	FileID    int32 // Unit.Files
	BlockID   int32 // Body.Blocks
	Reg       int32 // Body.Regs
)

// None marks an absent Reg, BlockID, FuncID or similar index.
const None = -1

// Lang is the language a unit was lowered from. Engines may not branch on it;
// it selects models, symbol syntax in reports and rule texts.
type Lang uint8

const (
	LangIR   Lang = iota // written by hand, as in engine tests
	LangGo               // a Go package
	LangJava             // a Java class
	LangC                // a C translation unit
)

// Monitors tells whether every object can be locked and waited for, by a
// primitive that is no part of its fields.
func (l Lang) Monitors() bool { return l == LangJava }

// Unit is the result of lowering one separately compiled piece of source.
type Unit struct {
	Path  string // import path, class name or source path: unique in a Program
	Lang  Lang
	Files []File

	Types      []Type // Types[0] is the invalid type
	Fields     []FieldRef
	FuncRefs   []FuncRef
	GlobalRefs []string // symbols
	Consts     []Const
	Methods    []Method

	TypeDecls []TypeDecl
	Globals   []Global
	Funcs     []Func

	Imports     []string // paths of units whose initialisation comes first
	Init        FuncID   // runs the unit's initialisers, or None
	Aliases     []Alias
	Annotations []Annotation
	Limits      []Limit

	strings []string // what encoded bodies refer to
}

// declIndex returns the definitions of types by symbol, the first of each.
func (u *Unit) declIndex() map[string]int {
	index := make(map[string]int, len(u.TypeDecls))
	for i := len(u.TypeDecls) - 1; i >= 0; i-- {
		index[u.TypeDecls[i].Symbol] = i
	}
	return index
}

// structOf returns the struct type that an ID stands for, by itself or through
// a definition of this unit, or nil.
func (u *Unit) structOf(decls map[string]int, id TypeID) *Type {
	t := &u.Types[id]
	if t.Kind == KindNamed {
		i, ok := decls[t.Name]
		if !ok {
			return nil
		}
		t = &u.Types[u.TypeDecls[i].Underlying]
	}
	if t.Kind != KindStruct {
		return nil
	}
	return t
}

// fieldIndex finds a field by name where the struct is known in this unit, and
// returns None elsewhere.
func (u *Unit) fieldIndex(decls map[string]int, id TypeID, name string) int32 {
	if t := u.structOf(decls, id); t != nil {
		for i := range t.Fields {
			if t.Fields[i].Name == name {
				return int32(i)
			}
		}
	}
	return None
}

// File is a source file of a unit. Path is as the front end was given it,
// slash-separated; reports make it relative to the working directory.
type File struct {
	Path      string
	Generated bool // by the language's own convention for generated code
	Test      bool // holds tests only
}

// FieldRef names a field of a struct type. Struct is the type as the program
// text has it (often a Named type of another unit); Index is the position in
// its declaration, or None where the language finds fields by name through the
// class hierarchy.
type FieldRef struct {
	Struct TypeID
	Name   string
	Index  int32
}

// FuncRef names a function, with type arguments where it is generic. The
// arguments may mention the type parameters of the function that holds the
// reference.
type FuncRef struct {
	Symbol string
	Args   []TypeID
}

// Alias says that calls of Symbol run the body of Target: a linkname, a weak
// alias, a forwarding declaration.
type Alias struct {
	Symbol string
	Target string
}

// Annotation is a structured comment or language annotation. Target is the
// symbol it is attached to (a function, "Type.field", a type or a global), or
// empty when it governs a line only.
type Annotation struct {
	Target string
	Text   string // without comment marks, e.g. "deadheat:ignore race reason"
	Pos    Pos
}

// Limit is something the front end could not express: never an error, always
// said. Kind is a short stable word such as "assembly" or "cgo".
type Limit struct {
	Kind   string
	Symbol string // the function concerned, or empty
	Text   string // what it means for the analysis
	Pos    Pos
}

// Global is a variable with static lifetime.
type Global struct {
	Symbol string
	Type   TypeID // of the variable itself, not of its address
	Flags  GlobalFlags
	Pos    Pos
}

// GlobalFlags describe a Global.
type GlobalFlags uint8

const (
	GlobalExported    GlobalFlags = 1 << iota // reachable by name from other units
	GlobalThreadLocal                         // one instance per origin instance
	GlobalVolatile                            // Java volatile; C volatile
	GlobalFinal                               // written by initialisation only
	GlobalShared                              // may be defined by several units alike (C common, weak, linkonce)
	GlobalAtomic                              // every access is atomic: Java volatile, C _Atomic
)

// Const is a literal. Text is its canonical spelling: nil, zero (the zero value
// of any type), undef (any value of the type), true, false, a decimal integer,
// a quoted string, or any other spelling the front end chooses without spaces.
type Const struct {
	Type TypeID
	Text string
}
