// Package driver runs the whole analysis: it plans, loads, links, calls the
// engines and collects what they find.
//
// # The question it answers
//
// Given package patterns and settings, which races do the programs among those
// packages have, and what was left out of the verdict?
//
// # How
//
// A run is a table of stages (see stages.go). The front end turns packages into
// Units. Each command and each test binary among the targets, and each function
// named as an entry, is a program of its own: the units it depends on plus an
// entry unit that stands for the runtime (see entry.go). Programs are analysed
// independently, several at a time, each through a second table of stages; their
// findings are joined by fingerprint. Large ones of the same units are analysed as
// one that begins with one of them (see gather.go).
//
// # What it does not distinguish
//
// Ways to start a program: every test of a test binary runs, in the order of the
// source, and so does every benchmark, fuzz target and example.
//
// # Soundness
//
// A package that cannot be loaded is left out of the programs that depend on
// it and is listed in Result.NotAnalysed. Nothing else is dropped silently:
// limits of front end, linker and models are counted in Result.Limits.
//
// # Invariants
//
//   - Result.Document is a function of the source, the Config without Jobs,
//     Store and Progress, and the program's version.
//   - A panic of an engine is caught: its program is listed as not analysed and
//     the panic in Result.Crashes.
package driver
