package report

import (
	"cmp"
	"slices"

	"github.com/deadheat/deadheat/internal/detect"
)

// Document is everything one run has to say that does not depend on the clock.
type Document struct {
	Version     string // of the program
	Findings    []detect.Finding
	Hidden      int // findings below the confidence shown
	Excluded    int // findings that the configuration leaves out
	Comments    []Comment
	Base        *Base     // the revision compared with, if any
	Baseline    *Accepted // the baseline file in use, if any
	Entries     []string
	Limits      []Limit
	NotAnalysed []Skipped
	Stats       Stats
}

// Base is a revision that findings were compared with.
type Base struct {
	Revision string // as people name it
	Commit   string
}

// Accepted says what became of the entries of a baseline file.
type Accepted struct {
	File  string
	Found int // entries that are still found
	Stale int // entries that are not
}

// Count returns how many findings count: see [detect.Finding.Counts].
func (d *Document) Count() int {
	n := 0
	for i := range d.Findings {
		if d.Findings[i].Counts() {
			n++
		}
	}
	return n
}

// Limit is a kind of thing that was met and not modelled, or not exactly.
type Limit struct {
	Kind    string // a stable word
	Text    string // what it means for the result
	Count   int
	Symbol  string // one function concerned, the first by name
	Example detect.Place
}

// Skipped is a target, or a part of one, that was not analysed.
type Skipped struct {
	Path   string // of the package
	Reason string
	Place  detect.Place // of the first cause, where known
}

// Stats counts what was analysed.
type Stats struct {
	Packages  int // targets analysed
	Units     int // with everything they depend on
	Functions int // reached from an entry point
	Origins   int
	Accesses  int // to memory that several origins touch
}

// Sort puts findings into the canonical order: file as shown, line, column,
// fingerprint.
func Sort(findings []detect.Finding, paths Paths) {
	slices.SortStableFunc(findings, func(a, b detect.Finding) int {
		p, q := a.First.Place, b.First.Place
		return cmp.Or(
			cmp.Compare(paths.Show(p.File), paths.Show(q.File)),
			cmp.Compare(p.Line, q.Line),
			cmp.Compare(p.Col, q.Col),
			cmp.Compare(a.Fingerprint, b.Fingerprint),
		)
	})
}

// AtLeast returns the findings of at least the given confidence, and how many
// there are below it.
func AtLeast(findings []detect.Finding, least detect.Confidence) (shown []detect.Finding, hidden int) {
	for _, f := range findings {
		if f.Confidence >= least {
			shown = append(shown, f)
		} else {
			hidden++
		}
	}
	return shown, hidden
}
