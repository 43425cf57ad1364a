package classfile

// Access holds the access flags of a class, field, method or inner class
// (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A). Some bits mean different things
// for different owners.
type Access uint16

const (
	AccPublic       Access = 0x0001
	AccPrivate      Access = 0x0002
	AccProtected    Access = 0x0004
	AccStatic       Access = 0x0008
	AccFinal        Access = 0x0010
	AccSuper        Access = 0x0020 // classes
	AccSynchronized Access = 0x0020 // methods
	AccVolatile     Access = 0x0040 // fields
	AccBridge       Access = 0x0040 // methods
	AccTransient    Access = 0x0080 // fields
	AccVarargs      Access = 0x0080 // methods
	AccNative       Access = 0x0100
	AccInterface    Access = 0x0200
	AccAbstract     Access = 0x0400
	AccStrict       Access = 0x0800
	AccSynthetic    Access = 0x1000
	AccAnnotation   Access = 0x2000
	AccEnum         Access = 0x4000
	AccModule       Access = 0x8000 // classes
	AccMandated     Access = 0x8000 // parameters
)

// Has reports whether all flags of f are set.
func (a Access) Has(f Access) bool { return a&f == f }
