// Package summary says what a function does, for any caller.
//
// # The question it answers
//
// Which memory that its callers can name does a function access, under which
// locks; which locks does it hold or give back when it returns; what does it
// return, store, publish, start and call back?
//
// # Rule
//
// R-SUM-1 values are named by symbolic paths (RELAY, section 3.1). R-SUM-2
// relative locksets L+ and L- (RELAY, section 3.2) with lock identity, modes,
// depth and effects that depend on a result. R-SUM-3 guarded accesses, rebound at
// calls (RELAY, section 3.3; RacerD, sections 5.2.4 to 5.2.6). R-SUM-4 ownership
// (RacerD, section 5.2.3), flow-sensitive and ended by publication: an access of
// a parameter's memory is owned if the caller owns it, unless it was published
// before. R-SUM-5 order between origins without locks is possible only from an
// access that a signal may follow to one that a wait may precede (signal.go).
// R-SUM-6 a channel with room for one that only its senders receive from is a lock
// (channel.go). R-SUM-7 the body of a once that is a global, and takes nothing from
// its caller, is summarised for itself (once.go). Functions are summarised bottom-up over the strongly connected
// components of the call graph, each to its fixpoint.
//
// # Abstraction and what it does not distinguish
//
// A value is a path of bounded length from a parameter, capture, global, result
// or allocation, or one of a few such paths. Elements of a container are told
// apart inside one function only, by index register. What is stored in memory
// that the function made is known regardless of order. Activations of recursive
// functions are not told apart.
//
// # Soundness
//
// Known misses (Config.Sound turns off what is marked *): memory reached through more than maxSteps steps or through more
// pointers than relevance allows; calls that are dispatched to more than
// maxTargets implementations or to none in scope; callees without code or model
// (counted in Stats); what a callee stored into memory that the caller owns
// counts as owned too; * a global that is returned as an error is taken not to be
// nil; * code after a panic was recovered is not looked at; * what is put into a
// caller's memory of a type without evidence belongs to whoever owns that; *
// channels of which R-SUM-6 is guessed by field, not by object.
//
// # Invariants
//
// A Summary does not depend on the number of jobs, nor on what a Cache holds:
// entries are found by a digest of all that they were computed from. Equal summaries have equal
// encodings. Paths of a Summary begin with a root that callers know.
package summary
