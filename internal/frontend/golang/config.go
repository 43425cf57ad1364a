package golang

import (
	"runtime"

	"github.com/deadheat/deadheat/internal/store"
)

// Config says what to load and how. The zero value of every field is the
// recommended setting.
type Config struct {
	// Dir is the directory the go command runs in; patterns are relative to
	// it. Empty means the current directory.
	Dir string

	// Patterns are package patterns as for go build. None means ".".
	Patterns []string

	// Tags are build tags beside those the environment sets.
	Tags []string

	// Tests adds the test packages of what Patterns match.
	Tests bool

	// Env is the environment of the go command as KEY=VALUE strings. Nil means
	// that of this process.
	Env []string

	// Workers bounds the packages in work at the same time, and with it the
	// memory in use. Zero means one for each processor.
	Workers int

	// Store keeps units between runs. Nil means that nothing is kept.
	Store *store.Store

	// Progress, if not nil, is called after each package, from any goroutine
	// but never from two at once.
	Progress func(done, total int)

	// lower replaces lowering in tests.
	lower lowerFunc
}

// A lowerFunc turns a package in SSA form into the bytes of its unit.
type lowerFunc func(*Built) ([]byte, error)

func (c *Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (c *Config) patterns() []string {
	if len(c.Patterns) == 0 {
		return []string{"."}
	}
	return c.Patterns
}
