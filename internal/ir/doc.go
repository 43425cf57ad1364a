// Package ir is the neutral language that every front end lowers to and every
// engine reads: a register machine in SSA form that keeps what race analysis
// needs and nothing else.
//
// # The question it answers
//
// What does a function do to memory, locks, channels and origins, and where in
// the source does it do so?
//
// # Shape
//
// A [Unit] is what is compiled alone: a Go package, a Java class, a C
// translation unit. It holds tables ([Type], [FieldRef], [FuncRef], [Const], …)
// and functions; a [Func] has a header, which is always present, and a [Body],
// which may still be in its encoded form (see [Unit.Body]). A body is flat:
// blocks are ranges of one instruction slice, operands are ranges of one value
// slice. Identity is always a typed integer; names are for people.
//
// A unit mentions other units by symbol only. It never holds another unit's
// layouts or bodies, so a change elsewhere can only reach it through its key.
//
// # What it does not distinguish
//
// Integer widths, evaluation order inside one instruction, register
// allocation, and anything a debugger would need beyond positions.
//
// # Invariants
//
// [Check] verifies them; docs/ir.md lists them. The textual form ([Print],
// [Parse]) and the binary form ([Encode], [Decode]) both round-trip: the latter
// exactly, the former for units in canonical form, which is what [Builder] and
// [Parse] make (see [Canonical]). Neither trusts its input.
//
// # Making and changing units
//
// Front ends fill a [Builder], which interns, and a [BodyBuilder] for each
// function. A pass over an existing unit starts from [EditUnit], which keeps
// all numbers, and uses [BodyBuilder.Rewrite]. A unit that has been handed out
// is never changed, so many goroutines may read it.
package ir

//go:generate go test -run ^TestReference$ -update
