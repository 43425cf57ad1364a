package driver

import (
	"time"

	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/store"
)

// Result is the outcome of a run. Document, Packages, Programs, Unmodelled,
// Notes and Functions do not depend on the clock, the number of jobs or the state of the
// cache; the rest may.
type Result struct {
	report.Document

	Unit       string // what a target is called: a package, a class
	Packages   []Package
	Programs   []Program
	Unmodelled []Callee // called, without code and without a model; most often called first
	Notes      []string // what was done in another way than asked for
	Functions  report.Functions
	Reach      Reach

	// Sources reads a source file by the path that findings give; nil if all of
	// them are files.
	Sources func(file string) ([]byte, error)

	Stages    []StageTime
	Loaded    Loaded
	Summaries Summaries
	Cache     store.Counters
	Crashes   []Crash
}

// Reach says how many of the targets' functions programs reach.
type Reach struct{ Functions, Of int }

// Complete tells whether everything asked for was analysed.
func (r *Result) Complete() bool { return len(r.NotAnalysed) == 0 }

// Package is a package that was looked at.
type Package struct {
	Path      string // with its variant, where it was compiled anew for a test
	Target    bool
	Standard  bool
	Status    string
	Functions int // with code
	Problem   string
}

// Program is one closed world that was analysed.
type Program struct {
	Name      string   // the main package
	Of        []string // the programs that are analysed as this one; itself if there is but one
	Entries   []string
	Units     int
	Functions int // reached
	Origins   int
	Depth     int // how many spawns tell the origins apart
	Instances int // functions, once for each origin that runs them
	Objects   int
	Points    PointsTo
	Cells     int // of memory that several origins touch
	Accesses  int // to them
	Findings  int
}

// PointsTo says how much the points-to analysis of a program had to do.
type PointsTo struct {
	Nodes   int // registers and slots of memory
	Edges   int // copies among them
	Pops    int // how often something new was passed on
	Filled  int // nodes that may point somewhere
	Targets int // of all of them together
	Largest int // of one of them
}

// Mean is how many targets a node has that has any.
func (p *PointsTo) Mean() float64 {
	if p.Filled == 0 {
		return 0
	}
	return float64(p.Targets) / float64(p.Filled)
}

// Callee is a function that is called and of which nothing is known.
type Callee struct {
	Symbol string
	Calls  int // call instructions
}

// Loaded says where units came from.
type Loaded struct {
	Units  int
	Cached int // taken from the store
}

// Summaries says where the summaries of the library verdict came from.
type Summaries struct {
	Functions int
	Computed  int // not taken from the store
}

// StageTime is how long a stage took, summed over programs.
type StageTime struct {
	Name string
	Took time.Duration
}

// Crash is a panic that was caught.
type Crash struct {
	Program string
	What    string
	Stack   string
}
