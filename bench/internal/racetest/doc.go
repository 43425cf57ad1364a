// Package racetest turns the tests of Go's race detector into programs with a
// known answer.
//
// It answers: which tests are there, what does each need to run alone, and how
// well does a list of findings agree with their names? TestRace* has a data race,
// TestNoRace* has none; that is how the Go project itself uses them.
//
// The tests are read from GOROOT/src/runtime/race/testdata. Each becomes a main
// package with the declarations it uses, directly or not, and a main function
// that calls it. Line directives keep the original file names and lines.
//
// Programs differ from the tests in this:
//
//   - Package testing is replaced by a small one, since the real one brings most
//     of the standard library with it. Tests of synctest get the real one, because
//     it is in the signature of testing/synctest, which takes the place of
//     internal/synctest.
//   - runtime.RaceDisable, which exists only in programs built for the race
//     detector, becomes runtime.Gosched.
//   - Methods of a type are there if the type is.
//
// Not scored are tests that skip themselves and those that import an internal
// package of the standard library, as the one that starts a cgo program does.
package racetest
