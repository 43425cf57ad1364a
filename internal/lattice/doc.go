// Package lattice defines what it takes to be the domain of a data-flow
// analysis.
//
// # The question it answers
//
// How are facts from different ways to a point joined, and when has an analysis
// reached its fixpoint?
//
// # Rule
//
// A join-semilattice with a least element: [Semilattice]. Facts only go up.
// Composite domains are made from [May], [Must] and [Product]; package
// latticetest checks the laws.
//
// # What it does not distinguish
//
// Ascending chains are not widened: domains must be finite or bounded.
//
// # Soundness
//
// A domain that breaks a law may give answers that depend on the order of work,
// or no answer at all.
//
// # Invariants
//
// Join does not change its operands.
package lattice
