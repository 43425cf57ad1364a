// Package value finds conditions that always come out the same, and with them
// code that never runs.
//
// # The question it answers
//
// Can control get to this block of this instance?
//
// # Rule
//
// Sparse conditional constant propagation, with memory: a cell that is only
// ever given one value, right where it is made, has that value; a cell that
// nobody writes is zero. A parameter that every call gives the same constant has
// that value. Of an activation more is known: what its call passes, and what the
// constructor of an object that is passed has kept of its own parameters (passed.go).
//
// # Abstraction
//
// A register is undefined (not yet reached), one integer, or anything. Booleans
// are 0 and 1, nil is 0. Join: equal stays, different is anything.
//
// # Soundness
//
// A cell counts as constant only if it is unique and every write to it in the
// program is known; writes through unsafe are overlooked. What a constructor keeps
// is not looked at before it does.
//
// # Invariants
//
// Unreachable blocks are those that no execution enters; everything else is
// reachable.
package value
