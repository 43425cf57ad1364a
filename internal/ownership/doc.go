// Package ownership tells which accesses are to memory that no other origin can
// know of yet.
//
// # The question it answers
//
// Has the object that is accessed here been handed to anybody since it was
// made?
//
// # Rule
//
// Ownership by allocation (RacerD, section 5.2.3): what a function allocates is
// its own. Unlike RacerD's, it is flow-sensitive and ends at publication: the
// first instruction that may let the address out (a store of it, a send, a spawn,
// a call that may do one of these). What is stored in, or captured by, something
// else that the function made is let out together with that. A parameter is owned if the
// operand is, at every call (OwnedIf). A call by dispatch lets out what any of the functions
// that it runs does, and makes something new if all of them do.
//
// # Abstraction
//
// Three values by root of a path: owned, owned if the callers' operands are, not
// owned. An address that goes through a load is not owned.
//
// # Soundness
//
// An access counts as owned only on proof. What the proof overlooks: addresses
// that leave through memory the function does not name, which cannot happen
// before publication.
//
// # Invariants
//
// Answers do not depend on the order of questions.
package ownership
