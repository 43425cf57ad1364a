package value

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// cells holds the memory whose value never changes.
type cells struct {
	pts   *pointer.Result
	runs  *runs.Result
	known map[pointer.Node]constant
	kept  map[pointer.Node]constant // given by a constructor that was passed it, and by nobody else
}

// constant is what is known of a cell or register.
type constant struct {
	state state
	n     int64
}

type state uint8

const (
	undefined state = iota
	one
	anything
)

// findCells looks at every write of the program.
func (r *Result) findCells(rs *runs.Result) {
	r.cells = &cells{pts: r.pts, runs: rs, known: make(map[pointer.Node]constant), kept: make(map[pointer.Node]constant)}
	for i := range r.pts.Instances {
		id := pointer.InstID(i)
		body := r.pts.Body(id)
		if body == nil {
			continue
		}
		constructor := r.pts.Prog.Def(r.pts.Instances[i].Func).Flags&ir.FuncConstructor != 0
		for k := range body.Instrs {
			if in := &body.Instrs[k]; constructor && in.Op == ir.OpStore && r.keep(id, body, in) {
				continue
			}
			r.cells.write(id, int32(k), body)
		}
	}
}

// keep notes what a constructor was passed and puts into a field of its object.
// It tells whether a store does that.
func (r *Result) keep(inst pointer.InstID, body *ir.Body, in *ir.Instr) bool {
	args := body.Args(in)
	given := args[1].Reg()
	if p, _, ok := r.fieldOf(inst, args[0]); !ok || p != 0 || given == ir.None || given == 0 || int32(given) >= body.Params {
		return false
	}
	size := r.pts.Prog.Layout(r.pts.Prog.TypeOf(r.pts.Instances[inst].Func, in.Type)).Size
	v := constant{state: anything}
	if size == 1 {
		v = r.param(inst, int32(given), maxPassed)
	}
	r.pts.PointsTo(inst, args[0], 0).Each(func(a pointer.Node) bool {
		if old, ok := r.cells.kept[a]; v.state != one || ok && old != v {
			r.cells.spoil(a, size)
			return true
		}
		r.cells.kept[a] = v
		// Before the constructor has come to it the cell is zero.
		r.cells.known[a] = constant{state: anything}
		return true
	})
	return true
}

func (c *cells) write(inst pointer.InstID, i int32, body *ir.Body) {
	in := &body.Instrs[i]
	args := body.Args(in)
	switch in.Op {
	case ir.OpStore:
		n, ok := Integer(c.pts, inst, args[1])
		size := c.pts.Prog.Layout(c.pts.Prog.TypeOf(c.pts.Instances[inst].Func, in.Type)).Size
		c.pts.PointsTo(inst, args[0], 0).Each(func(a pointer.Node) bool {
			if ok && size == 1 && c.makes(inst, i, body, a) {
				c.give(a, n)
				return true
			}
			c.spoil(a, size)
			return true
		})
	case ir.OpAtomic:
		if ir.AtomicKind(in.Sub).Writes() {
			c.spoilAll(inst, args[0], 1)
		}
	case ir.OpAccess:
		if ir.AccessKind(in.Sub) == ir.AccessWrite {
			c.spoilAll(inst, args[0], -1)
		}
	case ir.OpCopyRange, ir.OpSetRange:
		c.spoilAll(inst, args[0], -1)
	}
}

// makes tells whether a store is the first value of the cell: it stands in the
// block that makes the object, and writes through the very address made there.
func (c *cells) makes(inst pointer.InstID, i int32, body *ir.Body, a pointer.Node) bool {
	id, _ := c.pts.Object(a)
	o := &c.pts.Objects[id]
	if o.Kind == pointer.ObjectGlobal || o.Inst != inst || body.BlockOf(o.Site.Instr) != body.BlockOf(i) {
		return false
	}
	addr := body.Args(&body.Instrs[i])[0]
	if d := c.pts.Prog.Definition(c.pts.Instances[inst].Func, addr); d != o.Site.Instr {
		return false
	}
	for k := o.Site.Instr + 1; k < i; k++ {
		switch body.Instrs[k].Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpLoad:
			if usesReg(body, k, body.Instrs[o.Site.Instr].Dst) {
				return false
			}
		}
	}
	return true
}

func usesReg(body *ir.Body, k int32, r ir.Reg) bool {
	for _, a := range body.Args(&body.Instrs[k]) {
		if a.Reg() == r {
			return true
		}
	}
	return false
}

func (c *cells) give(a pointer.Node, n int64) {
	old, ok := c.known[a]
	switch {
	case !ok:
		c.known[a] = constant{one, n}
	case old.state == one && old.n != n:
		c.known[a] = constant{state: anything}
	}
}

func (c *cells) spoil(a pointer.Node, size int32) {
	id, slot := c.pts.Object(a)
	o := &c.pts.Objects[id]
	if size < 0 || size > o.Size-slot {
		size = o.Size - slot
	}
	for k := int32(0); k < size; k++ {
		c.known[a+pointer.Node(k)] = constant{state: anything}
		c.kept[a+pointer.Node(k)] = constant{state: anything}
	}
}

func (c *cells) spoilAll(inst pointer.InstID, addr ir.Value, size int32) {
	c.pts.PointsTo(inst, addr, 0).Each(func(a pointer.Node) bool {
		c.spoil(a, size)
		return true
	})
}

// load returns the value of the only cell an address leads to.
func (c *cells) load(inst pointer.InstID, addr ir.Value) constant {
	a, ok := c.pts.PointsTo(inst, addr, 0).Single()
	if !ok {
		return constant{state: anything}
	}
	id, _ := c.pts.Object(a)
	switch o := &c.pts.Objects[id]; o.Kind {
	case pointer.ObjectCell:
		// Every instance of the object is made and filled alike.
	case pointer.ObjectGlobal:
		if !c.runs.UniqueNode(a) {
			return constant{state: anything}
		}
	default:
		return constant{state: anything}
	}
	if v, ok := c.known[a]; ok {
		return v
	}
	return constant{state: one}
}

// Integer returns the value of a constant operand; nil and false are zero.
func Integer(pts *pointer.Result, inst pointer.InstID, v ir.Value) (int64, bool) {
	c := v.Const()
	if c == ir.None {
		return 0, false
	}
	switch text := pts.Prog.Unit(pts.Instances[inst].Func).Consts[c].Text; text {
	case "nil", "zero", "false":
		return 0, true
	case "true":
		return 1, true
	default:
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
}
