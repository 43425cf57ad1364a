// Package runs says how often things run: not at all, once, or any number of
// times.
//
// # The question it answers
//
// Can two instances of an origin run at the same time, and does an allocation
// site stand for one object or for many?
//
// # Rule
//
// An instance runs many times if it is called from a loop, from two places, from
// an instance that runs many times, or recursively. An origin has many instances
// if its spawn is executed many times, or if a framework starts it again and
// again (O2, section 3.1, without its cloned twins).
//
// Where a program begins with one of several things (alternatives.go), each is
// counted by itself, and what only one leads to never runs in one process with
// what only another does.
//
// # What it does not distinguish
//
// Loops that run once from loops that run often.
//
// # Invariants
//
// One means at most once; everything else is many.
package runs
