package race

import (
	"context"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

// Config says what to analyse. The zero value analyses ./... of the current
// directory, tests included, without a cache.
type Config struct {
	Dir      string   // directory that patterns and files are relative to; empty means the current one
	Packages []string // patterns as for the go command; none means ./...
	Tags     []string // build tags
	NoTests  bool     // leave tests out
	Entries  []string // function symbols or package paths to enter besides main functions and tests
	Models   []string // model files, besides deadheat.models of the project
	Jobs     int      // how many things to do at once; 0 means one per processor
	CacheDir string   // where to keep results between calls; empty means nowhere
}

// Result is what an analysis found.
type Result struct {
	Findings    []Finding
	Entries     []string // symbols of the functions that programs and tests begin with
	Limits      []Limit
	NotAnalysed []Skipped
}

// Finding is one race.
type Finding struct {
	Rule        string // "race", "race-atomic", …
	Confidence  string // "high", "medium" or "low"
	Fingerprint string // stable across edits elsewhere
	What        string // the memory, in the program's own words
	Type        string // its type, where known
	First       Access // the side to look at first: a write if there is one
	Second      Access
	Reasons     []Reason
	Fix         string // what would mend it, where that is clear
}

// Access is one side of a race.
type Access struct {
	Kind     string // "read", "write", "atomic read" or "atomic write"
	Position Position
	Function string
	Locks    []Lock // surely held
	Origin   Origin
	Trace    []Frame // from the origin's entry to the access
}

// Lock is a lock held at an access.
type Lock struct {
	Name   string
	Shared bool // held for reading only
	Taken  Position
}

// Origin is what runs an access: a goroutine, a test, a timer, ….
type Origin struct {
	Kind  string
	Name  string // of the entry function
	Start Position
	Many  bool // several instances may run at once
}

// Frame is a call, or last the access itself.
type Frame struct {
	Function string
	Position Position
}

// Reason is one link of the argument for a finding.
type Reason struct {
	Kind     string
	Text     string
	Position Position
}

// Position is a place in a file. It is zero where there is none; lines and
// columns count from 1, columns in bytes. File is absolute.
type Position struct {
	File string
	Line int
	Col  int
}

// Limit is a kind of thing that was met and not modelled exactly.
type Limit struct {
	Kind     string
	Text     string // what it means for the result
	Count    int
	Symbol   string // one function concerned
	Position Position
}

// Skipped is a package that was not analysed.
type Skipped struct {
	Path     string
	Reason   string
	Position Position
}

// Analyze analyses the packages that cfg names. Packages that cannot be
// analysed are in the result; the error says why there is none.
func Analyze(ctx context.Context, cfg Config) (*Result, error) {
	var cache *store.Store
	if cfg.CacheDir != "" {
		s, err := store.Open(cfg.CacheDir)
		if err != nil {
			return nil, err
		}
		cache = s
	}
	res, err := driver.Check(ctx, driver.Config{
		Dir:     cfg.Dir,
		Targets: cfg.Packages,
		Tags:    cfg.Tags,
		NoTests: cfg.NoTests,
		Entries: cfg.Entries,
		Models:  cfg.Models,
		Jobs:    cfg.Jobs,
		Store:   cache,
	})
	if err != nil {
		return nil, err
	}
	return resultOf(res), nil
}
