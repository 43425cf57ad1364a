// Package model says what library functions do, as data: text tables whose rows
// are turned into instructions in the place of calls.
//
// # The question it answers
//
// What does a call of a function do to memory, locks, channels and origins,
// when its own code cannot be analysed (assembly, the runtime, reflection), is
// too costly to analyse (most of a standard library), or says less than we know
// (a mutex is a mutex and not an atomic word with a semaphore)?
//
// # How
//
// [Read] reads a table; docs/models.md explains the language and [Vocabulary]
// lists it. A [Set] holds the rows in force: [Load] takes the embedded tables
// and puts the user's on top. A [Pass] applies a set to the units of a program,
// as a linker wants it: to a unit it adds the table entries and helper functions
// that its rows need; of a body it
//
//   - ends blocks after calls that never return (cut.go),
//   - puts deferred calls where they happen ([ExpandDefers]),
//   - replaces calls of modelled functions, and calls through modelled
//     interfaces, by the effects their rows state (rewrite.go).
//
// A modelled function also gets a body with the same effects (replace.go), for
// calls that cannot be replaced: by dispatch, through a function value, deferred
// ones that may not happen, spawned ones. So it does not matter how a function is
// reached. Each step is a function of unit and body alone.
//
// In Java rows are inherited: one for a class stands for the methods of those
// below it that have no code ([Hierarchy]); calls by dispatch are replaced where
// all classes agree (dispatch.go). Function values are objects of interfaces with
// one method (function.go). Classes that libraries keep to themselves are made up
// (madeup.go). What frameworks call is listed, for whoever plans a program
// ([Set.Entries]).
//
// The words of a table are those of the instructions; see emit.go for what each
// becomes. Three things have no instruction:
//
//   - Cells that models make up, such as "$done" of a context, are fields
//     without index ([ir.FieldRef]) of the type they belong to; the linker gives
//     each a slot that may hold anything. Values are put in and taken out by
//     relaxed atomic operations, so that the cell itself is never raced on. A
//     plain access to such a cell, as "write &recv.$state", stands for one to
//     the state the type keeps to itself, and is raced on.
//   - Function values of models ("return func() { close d }") become functions
//     of the unit that uses them, generic if the modelled function is.
//   - The results of a call go straight to the registers it is taken apart into:
//     there is no instruction that makes a tuple.
//
// What engines must know of the outcome, beyond the reference of instructions:
// an invoke with [ir.FlagMaybe] skips receivers without the method; the method
// "*" is every exported one; an access whose operand is an interface value means
// the address that it holds and, with [ir.FlagMaybe], skips values that have one
// of the methods which invokes right behind it call; a call of a value that is no
// function by its type calls whatever function it is; a close with [ir.FlagModel]
// may be done to a closed channel; the end of an origin with a group is a done of that group,
// and a join of the group waits for it; a write with [ir.FlagDeep] may also put
// memory of its own behind the pointers it reaches.
//
// # What it does not distinguish
//
// When a deferred call is made by a function that panics (see [ExpandDefers]);
// on which of several receivers a row for a pattern is used; values by their
// arithmetic: a semaphore of weight one is not seen to be a lock.
//
// # Soundness
//
// A row is believed. Known misses of the embedded tables are said at their rows:
// a sync.Locker is taken to exclude everybody, what sync.Pool.Get returns to be
// new, cleanups of a test to run at once. Data that decoding creates behind
// pointers is unknown. Code that opaque packages run in goroutines of their own
// is left out, except where a row starts an origin for it.
//
// # Invariants
//
// Sets do not change. A unit that a pass returns keeps the IDs of the one it was
// given. What the passes return passes [ir.Check]. A later row overrides an
// earlier one, whatever their patterns.
package model
