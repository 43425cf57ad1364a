// Package sharing finds the memory that several origins touch.
//
// # The question it answers
//
// Which cells are accessed by two origins, or by two instances of one, with a
// write among the accesses; and by whom?
//
// # Rule
//
// Origin sharing analysis (O2, section 3.3): one linear pass notes for every
// object the origins that read and write it; only objects that pass are looked at
// cell by cell.
//
// # Abstraction
//
// A cell is a slot of an object. A map is one cell, its shape; array elements
// are one cell. An object that an origin with many instances allocates, and that
// nothing outside of it leads to, belongs to one instance.
//
// # Soundness
//
// Memory that only code without a body touches is not seen.
//
// # Invariants
//
// Cells are in order of object and slot; accesses of a cell in order of instance
// and instruction.
package sharing
