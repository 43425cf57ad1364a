// Package origin names the abstract threads of a program.
//
// # The question it answers
//
// What runs on its own: which function, started where, by whom, how many at a
// time?
//
// # Rule
//
// An origin is an entry point together with the data it is started with (O2,
// section 3.1): threads and event handlers are one notion. The table is filled
// while points-to analysis discovers spawns; how many instances an origin has is
// decided afterwards (see package order), from loops, recursion and the origin's
// parents.
//
// # What it does not distinguish
//
// Instances started by the same spawn instruction, by origins that the nearest
// spawns of their ancestry, the calls of wrappers that these stand in (chain.go) and
// the entry point, such as a test, do not tell apart: they are one origin with Many
// set. In large programs those that run most of the code are one
// origin, too ([Table.Unite]). No twin origins are made (O2 clones them); engines ask Many instead.
//
// # Invariants
//
// Origin 0 is the program's initialisation and main function, the root of the
// tree. IDs are given in order of discovery, which is deterministic.
package origin
