package ir

// Names of flags in text, by bit. They are the words inside brackets.
var (
	flagNames       = []string{"ok", "volatile", "try", "reentrant", "blocking", "many", "group", "serial", "deep", "elems", "unsafe", "all", "maybe", "model"}
	fieldFlagNames  = []string{"embedded", "exported", "volatile", "final", "atomic"}
	typeFlagNames   = []string{"exported", "abstract", "final", "value"}
	globalFlagNames = []string{"exported", "threadlocal", "volatile", "final", "shared", "atomic"}
	funcFlagNames   = []string{"exported", "method", "synthetic", "shared", "external", "init", "reentrant", "concurrent", "test", "constructor", "public"}
	methodFlagNames = []string{"pointer", "static"}
	fileFlagNames   = []string{"generated", "test"}
	langNames       = []string{"ir", "go", "java", "c"}
)

// basicNames are the basic types that text writes bare; others are written
// basic(name). A named type of one of these names is written in quotes.
var basicNames = []string{
	"bool", "boolean", "byte", "char", "complex128", "complex64", "double", "float", "float32", "float64",
	"i1", "i128", "i16", "i32", "i64", "i8", "int", "int16", "int32", "int64", "int8", "long", "rune", "short",
	"string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr", "void",
}

// typeWords start other types, and so cannot be names of types without quotes.
var typeWords = []string{"_", "any", "basic", "chan", "func", "interface", "map", "struct"}

func (l Lang) String() string { return nameAt(langNames, int(l)) }

func (k OriginKind) String() string { return nameAt(originNames, int(k)) }

func (o Order) String() string { return nameAt(orderNames, int(o)) }

func nameAt(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return "invalid"
}

// flagList returns the names of the bits that are set, in order of bits.
func flagList(names []string, bits uint32) []string {
	var list []string
	for i, name := range names {
		if bits&(1<<i) != 0 {
			list = append(list, name)
		}
	}
	return list
}
