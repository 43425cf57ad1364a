package classfile

// Class is what one class file declares: a class, interface, enum, record,
// annotation type or module.
type Class struct {
	Minor, Major        uint16
	Access              Access
	Name                string   // internal name
	Super               string   // "" for java/lang/Object and modules
	Interfaces          []string // as declared, in order
	Fields              []Field
	Methods             []Method
	SourceFile          string // "" if the file does not say
	SourceDebug         string // SourceDebugExtension: line maps of JSP, Kotlin and others
	Signature           string // generic signature, "" if none
	Annotations         []Annotation
	InnerClasses        []InnerClass
	EnclosingMethod     *EnclosingMethod // of local and anonymous classes, else nil
	NestHost            string           // "" if the class is its own host
	NestMembers         []string
	IsRecord            bool
	Components          []Component // of a record
	PermittedSubclasses []string    // of a sealed class
	Bootstraps          []Bootstrap
	Module              *Module // of module-info, else nil

	pool *pool
}

// Field is a declared field.
type Field struct {
	Access      Access
	Name, Desc  string
	Signature   string // generic signature, "" if none
	Const       *Const // ConstantValue, nil if none
	Annotations []Annotation
}

// Method is a declared method, constructor ("<init>") or class initialiser
// ("<clinit>").
type Method struct {
	Access      Access
	Name, Desc  string
	Signature   string   // generic signature, "" if none
	Exceptions  []string // declared, by internal name
	Annotations []Annotation
	// ParamAnnotations has an entry for each parameter that the compiler
	// counted, which may leave out synthetic and mandated ones (JVMS 4.7.18).
	ParamAnnotations [][]Annotation
	// Default is the value of an element of an annotation type, nil if none.
	Default *Value

	code span // contents of the Code attribute
}

// HasCode reports whether the method has a body.
func (m *Method) HasCode() bool { return m.code.off != 0 }

// Member is a field or method as an instruction names it: Owner is the class
// the search begins with, not necessarily the one that declares it. For methods
// of arrays Owner is a descriptor ("[I").
type Member struct {
	Owner, Name, Desc string
	Interface         bool // an InterfaceMethodref: Owner is an interface
}

// InnerClass is an entry of the InnerClasses attribute: a class that is
// mentioned in the file and is not a member of a package.
type InnerClass struct {
	Inner  string // internal name
	Outer  string // "" for local and anonymous classes
	Name   string // simple name, "" for anonymous classes
	Access Access // as written in the source
}

// EnclosingMethod says where a local or anonymous class was declared. Name is
// empty where that is an initialiser and not a method.
type EnclosingMethod struct {
	Class, Name, Desc string
}

// Component is a component of a record.
type Component struct {
	Name, Desc, Signature string
	Annotations           []Annotation
}

// Bootstrap is an entry of the BootstrapMethods attribute.
type Bootstrap struct {
	Method Handle
	Args   []Const
}

// HandleKind is the kind of a method handle (JVMS table 5.4.3.5-A).
type HandleKind uint8

const (
	HandleGetField HandleKind = iota + 1
	HandleGetStatic
	HandlePutField
	HandlePutStatic
	HandleInvokeVirtual
	HandleInvokeStatic
	HandleInvokeSpecial
	HandleNewInvokeSpecial
	HandleInvokeInterface
)

// Handle is a method handle: what calling it does, and to which member.
type Handle struct {
	Kind   HandleKind
	Member *Member
}

// Dynamic is a call site of invokedynamic or a dynamically computed constant.
type Dynamic struct {
	Name, Desc string
	Bootstrap  int // index in Class.Bootstraps
}

// ConstKind is the kind of a constant.
type ConstKind uint8

const (
	ConstNone ConstKind = iota
	ConstInt
	ConstLong
	ConstFloat
	ConstDouble
	ConstString
	ConstClass      // Text is an internal name or the descriptor of an array
	ConstMethodType // Text is a method descriptor
	ConstHandle
	ConstDynamic
)

// Const is a constant of the pool.
type Const struct {
	Kind    ConstKind
	Int     int64   // the integer, or the bits of a float (32) or double (64)
	Text    string  // of a string, class or method type
	Handle  *Handle // of ConstHandle
	Dynamic *Dynamic
}

// Module is what a module-info declares, as far as programs can be affected:
// services are looked up by it.
type Module struct {
	Name, Version string
	MainClass     string // "" if none
	Requires      []string
	Exports       []string // packages that all modules may use, with slashes
	Uses          []string // service interfaces, by internal name
	Provides      []Provide
}

// Provide names the classes by which a module provides a service.
type Provide struct {
	Service string
	With    []string
}
