// Package path gives registers names that mean the same memory wherever they
// appear in one activation of a function.
//
// # The question it answers
//
// Do two registers of a function hold the same address, and how would a person
// spell it?
//
// # Rule
//
// A path is a root (a parameter, a capture, a global, or the instruction that
// made the value) followed by selectors: field, element, load (RELAY's lvalues,
// section 3.1). Equal paths in one activation mean equal values as long as
// nobody changes what a load went through; a function that itself stores to such
// a place, other than to give it its first value, gets a fresh root for each load
// of it.
//
// # What it does not distinguish
//
// Nothing: paths are exact or absent. A path longer than maxLen, a merge of
// different paths, and the result of a call start afresh at their own
// instruction.
//
// # Soundness
//
// Stores to a loaded place by other functions and other origins between two
// loads are overlooked: a lock that is replaced while it is in use is not seen.
//
// # Invariants
//
// IDs are dense, per function, and do not depend on who asks.
package path
