// Package link joins Units into a Program.
//
// # The question it answers
//
// Which function does a symbol, a dispatched call or an instantiation mean;
// what is the layout of a type; in which order are units initialised; and what
// is missing?
//
// # How
//
// Symbols are resolved once. Types of all units are interned into one table, so
// type identity in a Program is equality of [TypeID]. Generic functions are
// instantiated here: an instance is a [Func] with an environment of type
// arguments; its body is shared with every other instance, and [Program.TypeOf]
// substitutes when asked. Wrappers for promoted methods and for value methods
// called through pointers are written here too, as bodies of a synthetic unit:
// no front end emits them. Bodies are decoded and passed through the [Pass]es
// on first use, so code that nobody reaches costs nothing.
//
// Classes are named types with supertypes (class.go). Their objects begin with the
// parts of the superclass; methods, fields and static members that a class does
// not declare are those of its supertypes (JVMS, sections 5.4.3 and 5.4.6). What a
// unit cannot know of another is put into bodies here: the memory order that the
// declaration of a field or global asks for, and what a trigger runs.
//
// # What it does not distinguish
//
// Elements of one array (all share the slots of one element), and structs
// beyond maxSlots slots (one slot for everything).
//
// # Soundness
//
// A symbol without a definition becomes a Func without a body and a Limit
// "missing"; the engines treat calls of it as doing nothing.
//
// # Invariants
//
// A Program grows while engines ask (instances, wrappers, derived types), and is
// not safe for concurrent use while it does. IDs depend only on the units'
// contents and the order of questions, never on map iteration or time.
package link
