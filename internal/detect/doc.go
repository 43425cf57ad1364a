// Package detect pairs conflicting accesses into findings.
//
// # The question it answers
//
// Which two accesses to the same cell, one of them a write, can happen at the
// same time; and how would one explain that to a person?
//
// # Rule
//
// A race is a pair of accesses to one cell in two origins, or two instances of
// one, at least one a write and at least one not atomic, which no common lock
// excludes (package lockset) and no order separates (package order). O2, section
// 3.4, with RELAY's and ECHO's sources of false alarms kept as reasons that lower
// the confidence (RELAY, section 6; ECHO, section 6).
//
// Every check of a pair is in one place, verdict.go, and names what it found.
// Why, Share and Origins answer questions about a program from the same checks:
// why a pair is no race, what protects a cell, what runs on its own.
//
// States of a function (what may have run, what is held) are joined over its
// calls. A pair that races by joined states is looked at again by the calls that
// lead to its accesses (ways.go).
//
// Accesses conflict only if they are to the same object, so its own lock, once,
// group or channel is one thing for both, however many objects a place makes
// (own.go).
//
// Who has an object has come by it: after it was made (known.go), and after it was
// put where he takes it from, or what he has it from was handed to him (gate.go), with
// all that others had been started to do
// before that and were waited for (ended.go). What an object holds that its
// constructor was given is what the calls with that object pass (given.go). A lock that the starter of an origin holds until he has waited
// for it counts as held by it (lent.go). What lies on both sides of a condition
// does not happen in one run (exclusive.go), nor what needs a thing to be found
// that is put there on the other side (found.go). A way leads to an access only if
// its calls pass what the branches behind them ask for (feasible.go), and through
// recursion only from calls into it that do (recursion.go). What runs on
// objects that are made, or put where they are found, after an access of main begins
// after it, and so does what that starts (early.go); for an access reached through
// recursion the whole call into it counts as the access. Of many objects each is taken to be set up once, before what works with it gets to know
// it (setup.go).
//
// # What it does not distinguish
//
// Accesses of one instance under the same locks in the same order segment: one
// stands for all (O2's lock regions).
//
// # Invariants
//
// Findings are sorted by place and then fingerprint, have distinct fingerprints,
// and carry everything a report prints.
package detect
