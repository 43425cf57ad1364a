package jvm

import (
	"runtime"

	"github.com/deadheat/deadheat/internal/store"
)

// Library says what is done with the classes of the JDK.
type Library uint8

const (
	LibraryHeaders Library = iota // declarations are read, models say what methods do
	LibraryBodies                 // their code is analysed too
	LibraryNone                   // no JDK is looked for: declarations that deadheat has stand in (package stubs)
)

// Config says what to load and how. The zero value of every field is the
// recommended setting.
type Config struct {
	// Targets are the places of the classes to analyse: directories, jars, wars,
	// class files.
	Targets []string

	// ClassPath has the places of the libraries they use. Of those, classes that
	// the targets lead to are loaded.
	ClassPath []string

	// Library says what is done with the classes of the JDK, and JDK is its
	// directory. Empty means that of JAVA_HOME or of the java command.
	Library Library
	JDK     string

	// JavaHome and PathList are the values of JAVA_HOME and PATH.
	JavaHome, PathList string

	// Workers bounds the classes in work at the same time. Zero means one for
	// each processor.
	Workers int

	// Store keeps units between runs. Nil means that nothing is kept.
	Store *store.Store

	// Progress, if not nil, is called now and then, from any goroutine but never
	// from two at once.
	Progress func(done, total int)
}

func (c *Config) workers() int {
	if c.Workers > 0 {
		return c.Workers
	}
	return runtime.GOMAXPROCS(0)
}
