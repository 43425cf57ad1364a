// Package lockset computes which locks are surely held at an instruction.
//
// # The question it answers
//
// Whatever path control took, which locks does the running origin hold here?
//
// # Rule
//
// Relative locksets (RELAY, section 3.2): for each function, the locks surely
// acquired (L+) and possibly released (L-) since entry, as paths over its own
// parameters, composed at calls by substitution. The lockset in an instance is
// its relative lockset plus what every call path of its origin holds at entry.
//
// What has been waited for, and the onces that have been passed, are kept the same
// way: nothing releases them (past.go).
//
// A goroutine that takes a lock, says so on a channel that only its starter
// receives from, and ends without giving the lock back has taken it for the starter
// (deputy.go).
//
// Other things serve as locks: a channel with room for one element (channel.go), the
// one token of a channel (token.go), an atomic that is changed from free (swap.go).
// Whether they do is decided for the whole program. A lock may be given back by
// another name than it was taken by (stray.go).
//
// # Abstraction
//
// A lock is the path of its address, with a mode. State: a set of held locks;
// order: more locks are smaller; join is intersection, weakening exclusive to
// shared; top is the empty set.
//
// # Soundness
//
// A lock is matched with another by path (see package path) or by points-to to a
// unique object. Locks taken by callees reached through dispatch are not seen,
// which can only cause false alarms; locks released by them are not seen either,
// which can hide a race.
//
// # Invariants
//
// Answers do not depend on the order of questions.
package lockset
