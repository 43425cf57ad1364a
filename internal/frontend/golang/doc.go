// Package golang is the Go front end: it finds packages with the go command,
// parses, type-checks and builds their SSA form, and lowers each to a unit of
// the neutral IR.
//
// # The question it answers
//
// What does each function of a Go package do to memory, channels and
// goroutines, and at which place of the text?
//
// # Loading
//
// [Load] processes packages in the order of imports. A package sees others
// through their export data alone, so that its unit depends on its own source
// and on the types of what it imports, which is what its key in the store is
// made of. Export data has no positions: an edit that leaves alone what a
// package exports changes no other unit.
//
// A package compiled anew for a test is a [Package] of its own with a Variant;
// which one an importer means is told by Imports. A package that does not parse
// or type-check has no unit and is never kept; others go on with what can be
// known of it. With cgo, the Go files that cgo writes are loaded; headers
// outside the package directory are, as for go build, not looked at for changes.
//
// # Symbols
//
//	p/q.F            function F of the package with import path p/q
//	(p/q.T).M        method with a value receiver
//	(*p/q.T).M       method with a pointer receiver
//	p/q.F$1          first closure in F, in the order of go/ssa; $1$2 for the
//	                 second in that one; bodies of ranges over functions count too
//	p/q.init         the package initialiser; variables' closures are init$1, …
//	p/q.init#1       first source function called init
//	p/q.T            named type; error has no path and is defined by the linker
//	p/q.F.T·1        first type called T declared in F; F is init for variables
//	p/q.v            variable
//	(*p/q.T).M$bound method value: a closure over the receiver
//	(p/q.T).M$thunk  method expression: the receiver is the first parameter
//	p/q.F$close·1    what a deferred or spawned builtin does; F$M$bound·1 is a
//	                 method value of a type without a name
//
// Type parameters are no part of a symbol: generic functions and methods are
// lowered once, and mentions carry type arguments. The type parameters of a
// method are its receiver's; those of a closure, and of a type declared in a
// function, are the function's. Packages compiled anew for a test have the
// symbols of the plain package, and external test packages end in _test. The
// main function of a command counts as exported.
//
// # Lowering
//
// One instruction of go/ssa becomes one of ours, with these exceptions:
//
//   - Loads that the program does not do are left out: the nil check in &*p, and
//     the array in a range statement that asks for indices only.
//   - The values of min, max, complex and non-constant unsafe.Sizeof are undef:
//     what their operands read has its own instructions, and no analysis asks
//     for the result. real and imag are convert; print does nothing.
//   - unsafe.Slice is a slice of an array of unknown length at the address;
//     unsafe.SliceData is the address of element 0; unsafe.String and
//     StringData are casts.
//   - A builtin that go or defer calls is put in a function of its own, so that
//     it happens when it should.
//   - Bound methods and thunks are written here, generic in the receiver's
//     parameters and without positions, so that every unit writes them alike.
//     Wrappers of promoted methods, and of value methods called through
//     pointers in interfaces, are made by the linker from [ir.TypeDecl].
//   - Calls of closures made on the spot are callptr; which function that is can
//     be read off the closure instruction.
//
// Structs and arrays are loaded and stored as a whole where the program copies
// them. A slice or map variable is a cell of its own, apart from the elements.
//
// # Positions
//
// An access is at the token the compiler takes it to be at, so that the line is
// the one the race detector would name: for x.f the line of the dot, for an
// assignment that of the operator, for an element of a range the range
// statement. An identifier is at its own place, where the compiler has the
// enclosing expression's. A test compares the lines with the compiler's.
//
// # What it does not distinguish
//
// Offsets of fields; integer conversions; strings and their bytes; the effect of
// type sets beyond methods.
//
// # Soundness
//
// Functions in assembly or C have no body and say so in a Limit, as does
// everything lowering does not understand. A variable that go:linkname ties to
// another is a different one to us. A call deferred in the body of a range over
// a function is taken to run at the end of the iteration.
//
// # Invariants
//
// Every unit passes [ir.Check]. The same input gives the same bytes. In
// functions written by people every load and store has a position.
package golang
