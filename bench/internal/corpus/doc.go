// Package corpus fetches the programs that deadheat is measured on.
//
// It answers: where on this machine is the program that corpus.txt names, ready
// to be loaded, and how does it look after one function body was edited?
//
// Each corpus becomes a small module that requires the program, so that the go
// command resolves exactly the versions named. The module that is going to be
// edited is copied next to it and put in place by a replace directive; the
// others stay in the module cache, which is read-only.
//
// The go command checks what it fetches against the checksum database; this
// package adds nothing to that.
//
// Invariants:
//
//   - A directory with a stamp that fits is complete, and is not written to but
//     by Edited.
//   - After Edited has returned, the file has its old contents again.
package corpus
