package classfile

import (
	"cmp"
	"slices"
)

// The tables of this file are for people: a compiler may leave them out, and
// tools that rewrite code leave entries that are off. What is outside the code
// is dropped; only a table that is not one is an error.

func (d *Decoder) lines(a *cursor) {
	n := a.count(4)
	for range n {
		pc, line := a.u2(), a.u2()
		if pc < len(d.code.Bytes) {
			d.code.Lines = append(d.code.Lines, Line{pc, line})
		}
	}
	a.done("LineNumberTable")
}

// sortLines orders by PC; of entries for one PC the last in the file comes last
// and holds. Tables of one method may come in several attributes, in any order.
func sortLines(lines []Line) {
	byPC := func(a, b Line) int { return cmp.Compare(a.PC, b.PC) }
	if !slices.IsSortedFunc(lines, byPC) {
		slices.SortStableFunc(lines, byPC)
	}
}

func (d *Decoder) locals(a *cursor) {
	n := a.count(10)
	for range n {
		start, length := a.u2(), a.u2()
		v := LocalVar{Start: start, End: start + length, Name: d.pool.utf8(a.ref()), Desc: d.pool.utf8(a.ref()), Index: a.u2()}
		if v.Start < v.End && v.End <= len(d.code.Bytes) && v.Index < d.code.MaxLocals {
			d.code.Locals = append(d.code.Locals, v)
		}
	}
	a.done("LocalVariableTable")
}

// signatures adds the generic types to the variables.
func (d *Decoder) signatures(a *cursor) {
	type place struct{ start, end, index int }
	n := a.count(10)
	sigs := make(map[place]string, n)
	for range n {
		start, length := a.u2(), a.u2()
		a.u2() // name
		sig, index := d.pool.utf8(a.ref()), a.u2()
		sigs[place{start, start + length, index}] = sig
	}
	a.done("LocalVariableTypeTable")
	for i := range d.code.Locals {
		v := &d.code.Locals[i]
		v.Signature = sigs[place{v.Start, v.End, v.Index}]
	}
}
