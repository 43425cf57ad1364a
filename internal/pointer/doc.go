// Package pointer computes what every register and memory slot may point to,
// and with it the call graph and the origins.
//
// # The question it answers
//
// To which objects does an address lead, which function does an indirect call
// run, and in which origin?
//
// # Rule
//
// Inclusion-based, field-sensitive, with the call graph built on the fly;
// contexts are origins (O2, section 3.2, tables 2 and 3): a function is analysed
// once for each origin that runs it, and what it allocates is told apart by
// origin. A spawn switches the context of everything it hands over.
//
// # How
//
// The code of a function becomes a [template]: constraints over local slot
// numbers, made once. An instance (function, origin) is a block of nodes and the
// template relocated to it. Objects are blocks of nodes too, one per slot of the
// type's layout, so an address is a node and field selection is addition.
// Constraints are solved by difference propagation over a worklist; cycles of
// copies are collapsed now and then.
//
// # What it does not distinguish
//
// Flow within a function, elements of one array, instances of one origin,
// calls of one function within one origin save those of wrappers (wrapper.go),
// wrappers by more than [origin.MaxChain] calls, objects of types that models call
// values. In programs that are too large, origins that run most of the code are
// one (survey.go), and wrappers are told apart by the nearest call only.
//
// # Soundness
//
// Memory reinterpreted through unsafe keeps only targets whose type is the same
// on both sides. Functions without code do nothing. Calls through function
// values are bound only to functions of the very same signature.
//
// # Invariants
//
// The result does not depend on the order of the worklist, the numbers of
// functions, instances, objects, origins and nodes included: they are given out
// anew when all is solved (canonical.go). Counts of work (Stats.Edges, Pops,
// Collapsed) do depend on it.
package pointer
