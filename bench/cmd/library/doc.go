// Command library measures what the library verdict costs beside go vet.
//
//	go run ./bench/cmd/library [--dir DIR] [--runs N] [--timeout D] [CORPUS...]
//
// For each corpus of corpus.txt it prints processor time, wall-clock time and
// peak memory, for all packages of the program's module, of
//
//   - vet: go vet, first with nothing cached of its own (cold), then again (warm)
//   - library: deadheat check --mode=library with an empty cache (cold), with
//     nothing changed (warm), and with one function body changed (edited)
//
// The go command's cache of compiled packages is filled before, for both. Vet
// keeps its results in the same cache under its flags, one of which is another in
// each run. Each line is a process of its own; all are
// run one after the other by one run.
package main
