package driver

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

// part is a unit that was loaded, with what its front end knows of it: a Go
// package, or a Java class.
type part struct {
	path     string
	variant  string // test binary it was compiled anew for, else empty
	dir      string // that paths of its files are relative to
	kind     partKind
	target   bool
	standard bool
	imports  []int32 // parts that it needs; nil means all
	digest   store.Digest
	main     ir.FuncID // what a launcher calls, or None
	lazy     bool      // initialised when it is first used, not at the start
}

// partKind says what a part is for.
type partKind uint8

const (
	partLibrary  partKind = iota
	partCommand           // has a main function that is an entry point
	partTestMain          // the generated main package of a test binary
)
