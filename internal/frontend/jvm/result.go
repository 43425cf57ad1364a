package jvm

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

// Result is what was loaded. Apart from Stats and Class.Cached it is a function
// of the classes and the Config without its Workers and Store.
type Result struct {
	Classes []*Class // by name
	Missing []string // dotted names of classes that loaded ones mention and no place has; sorted
	Notes   []string // for the user: what was done in another way than asked for
	Stats   Stats
}

// Class is one class.
type Class struct {
	Name     string // dotted
	Place    string // the archive it was found in
	Target   bool   // of the targets
	Standard bool   // of the JDK
	Start    bool   // named by a manifest as the class to start

	Unit   *ir.Unit // nil if the class could not be read
	Digest store.Digest
	Cached bool
	Errors []error // of methods, if there is a unit
}

// Main returns the main method that the launcher calls, or None.
func (c *Class) Main() ir.FuncID {
	if c.Unit == nil {
		return ir.None
	}
	symbol := c.Name + ".main([Ljava/lang/String;)V"
	for i := range c.Unit.Funcs {
		if f := &c.Unit.Funcs[i]; f.Symbol == symbol && f.Flags&ir.FuncMethod == 0 && f.HasBody() {
			return ir.FuncID(i)
		}
	}
	return ir.None
}

// Stats says what was done.
type Stats struct {
	Classes int
	Hits    int // units found in the store
	Bytes   int64
}
