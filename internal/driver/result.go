package driver

import (
	"time"

	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/store"
)

// Result is the outcome of a run. Document does not depend on the clock, the
// number of jobs or the state of the cache; the rest may.
type Result struct {
	report.Document

	Stages []StageTime
	Cache  store.Counters
}

// Complete tells whether everything asked for was analysed.
func (r *Result) Complete() bool { return len(r.NotAnalysed) == 0 }

// StageTime is how long a stage took.
type StageTime struct {
	Name string
	Took time.Duration
}
