// Package jvm makes units of Java classes.
//
// # The question it answers
//
// What do the methods of a class do to memory, locks and origins, and where in
// the source?
//
// # How
//
// [Load] finds the classes of the targets and those they lead to (package
// archive), and lowers each by itself: a class is one unit, named by its dotted
// binary name, and depends on nothing but its own bytes. Code is cut into the
// blocks that control reaches (block.go); the types of locals and operand stack
// at the start of each are inferred word by word (frame.go); then each
// instruction is lowered, blocks in an order in which definitions come before
// uses (lower_*.go).
//
//	demo.Counter.inc()V      a method: class, name and descriptor
//	inc()V                   the same as a call by dispatch names it
//	$demo.Counter.stop       a static field
//	$demo.Counter.class      the object of the class, which static synchronized methods lock
//	*demo.Counter            a reference
//	[]int                    a reference to an array
//
// A lambda or method reference is an object of a class of its own, whose only
// method forwards to the target with what was captured. A class is initialised by
// trigger instructions wherever it may be needed first; the linker knows whether
// there is something to run. Static fields are waited for in the methods of the
// class itself, too. Whether a field is volatile or final is written where
// it is declared, and the linker puts it into the accesses.
//
// An exceptional edge carries the state before the instruction that threw:
// blocks are cut after assignments to locals that a handler reads, and after
// monitor instructions. A monitorexit is taken never to throw, so that the
// handlers that compilers write to release a monitor, which cover themselves,
// release it once.
//
// Of the classes of the JDK the declarations are read, and models say what
// their methods do. Without a JDK they come from package stubs.
//
// # What it does not distinguish
//
// Types of references that differ where control meets: they are Object. Strings
// that are put together, and boxes of numbers: they lead nowhere. Fields of one
// class with the same name and different types.
//
// # Soundness
//
// Bootstrap methods that are not known and native methods do nothing, and are
// Limits. Class loading by name is followed where the name is a constant, and so
// are services (services.go): which classes provide them is the one thing that
// depends on the class path, and has a unit of its own.
//
// # Invariants
//
// The unit of a class is a function of its bytes. Bytes are not trusted: what
// cannot be read costs a method or a class, and is said.
package jvm
