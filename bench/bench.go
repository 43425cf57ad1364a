// Package bench holds the lists that the programs below cmd measure against.
//
// Nothing of what is measured lies in this repository: corpora are fetched by
// module and version, and the race detector's tests are read from GOROOT.
package bench

import _ "embed"

// Corpora returns the text of corpus.txt.
func Corpora() string { return corpora }

// RaceLabels returns the text of gorace/labels.txt.
func RaceLabels() string { return raceLabels }

//go:embed corpus.txt
var corpora string

//go:embed gorace/labels.txt
var raceLabels string
