// Package order decides which instructions of different origins surely run one
// after the other.
//
// # The question it answers
//
// Is everything that happens at a finished before anything that happens at b
// begins?
//
// # Rule
//
// A cut is an instruction that starts an origin, signals or waits. For every
// point of an instance two sets are known: the cuts its origin may already have
// executed, and those it must have executed (DESIGN of the static
// happens-before of O2, section 3.4, and ECHO, section 4, with sets of cuts in
// place of integer clocks over inlined traces). What a call may execute is what the
// function may, save branches that are not for what the call passes (passed.go). A
// point that lies somewhere within a call may come after all that the call may
// execute. From these:
//
//   - R-ORDER-1 spawn: a is before all of an origin if the origin can only be
//     started by a's origin and none of the spawns that lead to it may have run.
//   - R-ORDER-2 start: what is before every spawn of an origin is before all of it;
//     origins that start each other count as one in this.
//   - R-ORDER-3 wait: a is before b if b must have waited for a signal and a is
//     before every signal that could have ended the wait. For groups every member
//     counts, for channels every sender, closer or poster; where a receive says
//     that the channel is closed, the closers only. A select that waits has waited
//     for one of its cases: each must qualify.
//   - R-ORDER-4 rendezvous: without a buffer the receiver's past is before the
//     sender's future too.
//   - R-ORDER-5 flag: a branch that a flag's first value cannot lead to comes after
//     the writes that can have set it (flag.go).
//   - R-ORDER-6 handed lock: who gets a lock that its holder never releases comes
//     after its release by others.
//   - R-ORDER-7 fork and join inside a call: what happens only during an activation
//     does not overlap with what its origin does outside of it (enclosed.go).
//   - R-ORDER-8 once: the run of a once is over when any use of it returns, and
//     there is one only (once.go).
//   - R-ORDER-9 counts: who has received as often as there are sends comes after all
//     of them; who has sent as often as there are receives and places in the buffer
//     comes after all receives (count.go).
//   - R-ORDER-10 turns: a loop that waits in every turn for what it has started does
//     not overlap with it on the ways behind the wait, nor do those it starts with
//     one another (turns.go).
//   - R-ORDER-11 drain: who has left a loop that waits in every turn for one of
//     several threads or futures comes after all of those that were started before
//     (drain.go).
//   - R-ORDER-12 scope: an activation that joins, on all ways to its end, what it
//     starts has nothing of it left when it returns; so who waits for the outermost
//     of such nested starts comes after all of them (scoped.go).
//   - R-ORDER-13 implied: where a local variable cannot have its first value any
//     more, what is done on every way to its other definitions has been done
//     (implied.go).
//   - R-ORDER-14 last: who counts a counter down to zero comes after what the others
//     did before they counted down, if all were counted before they started; and
//     there is only one who does, or who wins a compare-and-swap that nobody undoes
//     (last.go).
//   - R-ORDER-15 rounds: who has met the others (a wait for a group right after a
//     done) more often than one of them can have come comes after that one's past
//     (rounds.go).
//   - R-ORDER-16 other rounds: between two meetings that come in a fixed order all are
//     in the same part of the code.
//   - R-ORDER-17 told: a function made in place that does something only if a
//     variable is set does so in calls for which its maker has set it, or has seen
//     that it is (told.go).
//
// # What it does not distinguish
//
// Which of several signals ended a wait: all must qualify.
//
// # Soundness
//
// Only must-facts order. A channel, group or handle counts only if it is one
// unique object, save that a loop which waits in every turn is taken to come by
// all. Panics that end a function early are taken to end the origin.
//
// # Invariants
//
// Before(a, b) and Before(b, a) are never both true for points that can run.
package order
