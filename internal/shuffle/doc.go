// Package shuffle changes the order of work in builds with the tag check.
//
// # The question it answers
//
// Does a result depend on the order in which a worklist hands out what is on it?
// Every list whose order must not matter goes through this package. An ordinary
// build leaves it alone, at no cost. A build with the tag check permutes it as the
// environment variable DEADHEAT_SHUFFLE, a number, says: different numbers give
// different orders, the same number the same one, and none or 0 leaves lists alone.
// The section shuffled of .ci/run compares what the two builds print.
//
// # Rule
//
// What is solved is the least solution of monotone equations, which chaotic
// iteration reaches in any order (Cousot and Cousot, POPL 1977, section 4).
// Numbers given out on the way do depend on the order; pointer numbers anew
// before anybody else sees them.
//
// # What it does not distinguish
//
// The permutation depends on the seed and the length of the list alone.
//
// # Soundness
//
// Lists that are searched by distance, for the shortest of several witnesses, are
// no worklists: their order is part of the result and must follow from the
// program. They do not belong here.
//
// # Invariants
//
// A list keeps its elements.
package shuffle
