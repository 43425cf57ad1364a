package detect

import (
	"math"
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/value"
)

// elements is a range of constant indices, [from, to); the zero value means that
// it is not known.
type elements struct{ from, to int64 }

func (e elements) String() string {
	switch {
	case e.to == e.from+1:
		return strconv.FormatInt(e.from, 10)
	case e.to == math.MaxInt64:
		return strconv.FormatInt(e.from, 10) + " and up"
	}
	return strconv.FormatInt(e.from, 10) + " to " + strconv.FormatInt(e.to-1, 10)
}

// disjoint tells whether two accesses are to different elements for sure.
func disjoint(a, b *side) bool {
	x, y := a.elems, b.elems
	return x.to > 0 && y.to > 0 && (x.to <= y.from || y.to <= x.from)
}

// elementsOf returns the elements an access touches: the constant index in the
// last stretch of its address that goes through no memory, or the constant
// bounds of the slice it is given.
func (d *detector) elementsOf(s *side) elements {
	body := d.Points.Body(s.Inst)
	fn := d.Points.Instances[s.Inst].Func
	if k := d.Points.Prog.Definition(fn, s.Addr); k >= 0 && body.Instrs[k].Op == ir.OpSlice {
		return d.boundsOf(s.Inst, body.Args(&body.Instrs[k]))
	}
	t := d.Locks.Paths(s.Inst)
	for id := s.locks.Path; id != path.None; id = t.Get(id).Parent {
		switch p := t.Get(id); p.Kind {
		case path.Index:
			return elements{int64(p.N), int64(p.N) + 1}
		case path.Deref, path.Elem:
			return elements{}
		}
	}
	return elements{}
}

// boundsOf returns the bounds of a slice expression with constant ones.
func (d *detector) boundsOf(inst pointer.InstID, args []ir.Value) elements {
	low, okLow := int64(0), true
	if args[1] != ir.NoValue {
		low, okLow = value.Integer(d.Points, inst, args[1])
	}
	high, okHigh := value.Integer(d.Points, inst, args[2])
	if args[2] == ir.NoValue {
		high, okHigh = math.MaxInt64, low > 0
	}
	if !okLow || !okHigh || d.sliced(inst, args[0]) {
		return elements{}
	}
	return elements{low, high}
}

// sliced tells whether a slice is itself part of another, so that its indices
// do not count from the array's start.
func (d *detector) sliced(inst pointer.InstID, v ir.Value) bool {
	body := d.Points.Body(inst)
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	if k < 0 || body.Instrs[k].Op != ir.OpSlice {
		return false
	}
	low := body.Args(&body.Instrs[k])[1]
	if low == ir.NoValue {
		return d.sliced(inst, body.Args(&body.Instrs[k])[0])
	}
	n, ok := value.Integer(d.Points, inst, low)
	return !ok || n != 0
}

// isEmpty tells whether an object is an array that is made without elements, and
// without room for any.
func (d *detector) isEmpty(obj pointer.ObjectID) bool {
	o := &d.Points.Objects[obj]
	if o.Kind != pointer.ObjectArray || o.Inst < 0 {
		return false
	}
	body := d.Points.Body(o.Inst)
	in := &body.Instrs[o.Site.Instr]
	if in.Op != ir.OpMakeSlice {
		return false
	}
	for _, v := range body.Args(in) {
		if n, ok := value.Integer(d.Points, o.Inst, v); !ok || n != 0 {
			return false
		}
	}
	return true
}
