// Package bug reports broken invariants: states that the code holds to be
// impossible, whatever the input. It answers the question "did this run meet a
// bug of ours, and where?".
//
// Wrong input is not a bug: it is an error value for the caller. Input that is
// right but not modelled is not a bug either: it is a Limit of the result. What
// remains is reported with [Reportf]. Under go test it panics, so that no bug
// passes a test unseen. Otherwise it notes the bug and returns; the caller must
// go on in a way that is sound, for instance skip the function in hand, and
// whoever drives the analysis shows [Reports] at the end.
//
// # What it does not distinguish
//
// Reports are told apart by the place of the call of Reportf. Of the reports of
// one place the first message and stack are kept, and all are counted, so that
// the memory used is bounded by the size of the program text.
//
// # Invariants
//
// Reportf and Reports may be called from any goroutine.
//
// # The exception
//
// This package holds the only package-level variable that changes. A bug can
// be met anywhere, below functions that know of no Config and no result; to hand
// a collector to each of them would put a parameter nobody wants to think about
// into every signature, and a call too tedious to write is a check not made. The
// variable never influences a result: it is written by Reportf and read for
// display.
package bug
