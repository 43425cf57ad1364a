package golang

import (
	"time"

	"github.com/deadheat/deadheat/internal/store"
)

// PackageID indexes Result.Packages.
type PackageID int32

// Result is what was loaded. Apart from Stats and Package.Cached it is a
// function of the source and the Config without its Workers and Store.
type Result struct {
	// Packages holds all packages, each after those it imports. The package
	// unsafe is not among them.
	Packages  []*Package
	Toolchain Toolchain
	// Notes are for the user: what was done in another way than asked for.
	Notes []string
	Stats Stats
}

// Package is one package, or one of its variants for a test.
type Package struct {
	ID      PackageID
	Path    string // import path as in symbols
	Variant string // test binary it was compiled anew for, as "p.test"; else empty
	Name    string
	Dir     string
	Kind    Kind

	Target   bool // matched by the patterns, or belonging to their tests
	Standard bool // of the standard library
	Module   Module
	Language string // language version it is checked with, such as "go1.22"

	Imports []PackageID // direct imports, ascending

	Status Status
	// Errors are the first problems found. A package with Status Analysed
	// may have some, such as unused variables.
	Errors []Error

	Cached bool         // came out of the store
	API    store.Digest // of what importers see; zero if it cannot be told
	Unit   store.Digest // of the encoded unit; zero if there is none

	unit []byte
}

// String returns what the go command calls the package.
func (p *Package) String() string {
	if p.Variant == "" {
		return p.Path
	}
	return p.Path + " [" + p.Variant + "]"
}

// Encoded returns the bytes of the unit, or nil if there is none. They must
// not be changed. Paths of files are relative to Dir.
func (p *Package) Encoded() []byte { return p.unit }

// Kind says what a package is for.
type Kind uint8

const (
	Library  Kind = iota
	Command       // has a main function that is an entry point
	TestMain      // the generated main package of a test binary
)

func (k Kind) String() string { return [...]string{"library", "command", "test main"}[k] }

// Status says what became of a package.
type Status uint8

const (
	Analysed Status = iota // there is a unit
	IllTyped               // does not parse or type-check: no unit
	Missing                // the go command has no source for it: no unit
	Failed                 // SSA building or lowering broke: no unit
)

func (s Status) String() string {
	return [...]string{"analysed", "does not type-check", "missing", "not analysed"}[s]
}

// Module is the module a package belongs to. It is zero for the standard
// library and for files given on the command line.
type Module struct {
	Path    string
	Version string // empty for the user's own modules
	Dir     string
	Main    bool // the user's own: the main module or one of the workspace
}

// Stats says what loading cost. Times of phases are summed over workers, so
// they are about CPU time unless there are more workers than processors.
type Stats struct {
	Packages int // all of Result.Packages
	Hits     int // units found in the store
	Misses   int // packages parsed and checked
	Files    int
	Bytes    int64 // of source read

	GoCommand time.Duration // CPU time of the go command
	Read      time.Duration // reading and hashing source, looking up units
	Parse     time.Duration
	Check     time.Duration
	Import    time.Duration // reading export data
	Export    time.Duration // writing export data
	SSA       time.Duration
	Lower     time.Duration
	Wall      time.Duration
}

func (s *Stats) add(t *Stats) {
	s.Hits += t.Hits
	s.Misses += t.Misses
	s.Files += t.Files
	s.Bytes += t.Bytes
	s.GoCommand += t.GoCommand
	s.Read += t.Read
	s.Parse += t.Parse
	s.Check += t.Check
	s.Import += t.Import
	s.Export += t.Export
	s.SSA += t.SSA
	s.Lower += t.Lower
}
