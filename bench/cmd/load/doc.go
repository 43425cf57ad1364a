// Command load measures what loading and checking real programs costs.
//
//	go run ./bench/cmd/load [--dir DIR] [--runs N] [--timeout D] [--steps LIST]
//	                        [--profile DIR] [CORPUS...]
//	go run ./bench/cmd/load --check [--dir DIR] [CORPUS...]
//
// For each corpus of corpus.txt it prints processor time, wall-clock time and
// peak memory of
//
//   - the reference: go/packages.Load of all syntax and building go/ssa for all
//     packages, which is what a whole-program tool for Go starts with; once with
//     Go's default setting of the garbage collector, and once (reference-gc) with
//     the one that deadheat chooses for itself, which saves processor time and
//     costs memory
//   - load: the front end of deadheat, from source to encoded units
//   - check: the whole of deadheat check on the main package
//
// the latter two with an empty cache (cold), with nothing changed (warm), and
// with one function body changed (edited). Each is a process of its own, which
// is this program again; all are run one after the other by one run, so that
// their ratios can be compared.
//
// With --check nothing is measured. Instead every function is put through
// ir.Check and through its textual form and back.
package main
