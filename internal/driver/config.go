package driver

import (
	"github.com/deadheat/deadheat/internal/store"
)

// Config says what to analyse. The zero value analyses ./... of the current
// directory with tests, without a cache.
type Config struct {
	Dir      string   // working directory; empty means the process's
	Targets  []string // package patterns, or places of Java classes; none means ./...
	Tags     []string // build tags
	NoTests  bool     // leave test files and test entry points out
	Mode     Mode
	Sound    bool         // turn off every step of the library verdict that may hide a race
	Depth    int          // how many spawns tell origins apart; 0 means 2 for programs of moderate size, else 1
	Entries  []string     // function symbols or package paths to enter besides main and tests
	Jobs     int          // how many things to do at once; 0 means one per processor
	Store    *store.Store // nil means no cache
	Models   []string     // model files, besides deadheat.models of the project
	Java     JavaConfig   // for targets that are Java classes
	Progress func(Event)  // may be nil; called from one goroutine at a time
}

// Mode says what a verdict is expected on.
type Mode uint8

const (
	ModeAuto    Mode = iota // every target: one that no entry point reaches is not analysed, and said so
	ModeProgram             // entry points and what they reach; the rest of the targets does not count
	ModeLibrary             // the exported functions of every target, without a program around them
)

// Event tells how far a run has come. Total is 0 where it is not known.
type Event struct {
	Stage       string
	Done, Total int
}

// A UsageError is a mistake in what was asked for rather than in the program
// analysed: a pattern that matches nothing, an unreadable model file.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }
func (e *UsageError) Unwrap() error { return e.Err }
