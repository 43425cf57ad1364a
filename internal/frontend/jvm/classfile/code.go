package classfile

import "sort"

// Code is the body of a method.
type Code struct {
	MaxStack, MaxLocals int
	Bytes               []byte // the instructions as in the file
	Insns               []Insn
	Handlers            []Handler // in the order in which the machine looks for one
	Lines               []Line    // by PC; empty if the compiler was told to leave them out
	Locals              []LocalVar
}

// Handler is an entry of the exception table: a throw by the instructions from
// Start up to but without End (indexes of Insns; End may be their number) of an
// exception of the class goes to Target.
type Handler struct {
	Start, End, Target int
	Class              string // "" catches everything
}

// Line says that the instructions from PC on belong to a line of the source.
type Line struct{ PC, Line int }

// LocalVar is a variable of the source: between the bytes Start and End it is in
// the local Index. It is initialised by the store right before Start, or is a
// parameter if Start is 0.
type LocalVar struct {
	Start, End int
	Index      int
	Name, Desc string
	Signature  string // generic signature, "" if none
}

// LineAt returns the line of the source of the instruction at a byte offset, 0
// if it is not known.
func (c *Code) LineAt(pc int) int {
	i := sort.Search(len(c.Lines), func(i int) bool { return c.Lines[i].PC > pc })
	if i == 0 {
		return 0
	}
	return c.Lines[i-1].Line
}

// LocalAt returns the variable that is in a local at a byte offset, nil if it
// is not known.
func (c *Code) LocalAt(pc, index int) *LocalVar {
	for i := range c.Locals {
		if v := &c.Locals[i]; v.Index == index && v.Start <= pc && pc < v.End {
			return v
		}
	}
	return nil
}
