// Package stubs holds the declarations of the Java class library, for machines
// that have no JDK.
//
// # The question it answers
//
// Which classes does the platform give to programs, what are they below, and
// which fields and methods do programs see of them? [Open] reads the table
// that is part of the binary; [Table.Class] gives a class as its file would
// declare it, without code.
//
// # Rule
//
// The table is made from the run-time image of a JDK ([Collect]): the public
// classes of packages that a module exports to all, and what is above those,
// whatever its access. Of each class it has the public and protected members:
// programs can neither call nor override others. Fields whose value is a
// constant are left out, since compilers put the value in their place.
//
// # What it does not distinguish
//
// Versions: what a program uses of a newer JDK than the one the table was made
// from is missing, as it is with an older JDK at hand.
//
// # Invariants
//
// The table is a function of the image. Classes are sorted by name. All classes
// above one that is in the table are in it too. Whatever bytes are read, the
// result is a table or an error.
package stubs

//go:generate go run ./gen
