package sharing

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Kind is what an access does.
type Kind uint8

const (
	Read Kind = iota
	Write
	AtomicRead
	AtomicWrite
)

// Writes tells whether the access may change memory.
func (k Kind) Writes() bool { return k == Write || k == AtomicWrite }

// Atomic tells whether the access is indivisible.
func (k Kind) Atomic() bool { return k >= AtomicRead }

// operation is an access as its function's code says it: slots off to
// off+size-1 from where addr points.
type operation struct {
	instr int32
	kind  Kind
	addr  ir.Value
	off   int32
	size  int32
	deep  bool
}

// operations lists the accesses in a function's code.
func operations(prog *link.Program, fn link.FuncID, body *ir.Body) []operation {
	x := &extractor{prog: prog, fn: fn, body: body}
	for i := range body.Instrs {
		x.instr(int32(i), &body.Instrs[i])
	}
	return x.ops
}

type extractor struct {
	prog *link.Program
	fn   link.FuncID
	body *ir.Body
	ops  []operation
}

func (x *extractor) typeOf(v ir.Value) link.TypeID {
	switch v.Kind() {
	case ir.ValueReg:
		return x.prog.TypeOf(x.fn, x.body.Regs[v.Reg()].Type)
	case ir.ValueConst:
		return x.prog.TypeOf(x.fn, x.prog.Unit(x.fn).Consts[v.Const()].Type)
	case ir.ValueGlobal:
		return x.prog.Pointer(x.prog.Global(x.prog.GlobalOf(x.fn, v.Global())).Type)
	}
	return link.NoType
}

func (x *extractor) kindOf(v ir.Value) ir.TypeKind {
	return x.prog.Type(x.prog.Underlying(x.typeOf(v))).Kind
}

func (x *extractor) add(i int32, k Kind, addr ir.Value, off, size int32) {
	x.ops = append(x.ops, operation{instr: i, kind: k, addr: addr, off: off, size: size})
}

func (x *extractor) size(t link.TypeID) int32 { return x.prog.Layout(t).Size }

func (x *extractor) instr(i int32, in *ir.Instr) {
	args := x.body.Args(in)
	t := x.prog.TypeOf(x.fn, in.Type)
	switch in.Op {
	case ir.OpLoad:
		x.add(i, atomicIf(in, Read, AtomicRead), args[0], 0, x.size(t))
	case ir.OpStore:
		x.add(i, atomicIf(in, Write, AtomicWrite), args[0], 0, x.size(t))
	case ir.OpAtomic:
		k := AtomicRead
		if ir.AtomicKind(in.Sub).Writes() {
			k = AtomicWrite
		}
		x.add(i, k, args[0], 0, x.size(t))
	case ir.OpCopyRange:
		x.add(i, Write, args[0], 0, x.size(t))
		x.add(i, Read, args[1], 0, x.size(t))
	case ir.OpSetRange:
		x.add(i, Write, args[0], 0, x.size(t))
	case ir.OpAppend:
		n := x.size(x.prog.Elem(t))
		x.add(i, Read, args[0], 0, n)
		if x.kindOf(args[1]) == ir.KindSlice {
			x.add(i, Read, args[1], 0, n)
		}
	case ir.OpConvert:
		if x.kindOf(args[0]) == ir.KindSlice {
			x.add(i, Read, args[0], 0, x.size(x.prog.Elem(x.typeOf(args[0]))))
		}
	case ir.OpLen, ir.OpRange, ir.OpNext, ir.OpMapGet:
		if x.kindOf(args[0]) == ir.KindMap {
			x.add(i, Read, args[0], 0, 1)
		}
	case ir.OpMapSet, ir.OpMapDelete, ir.OpMapClear:
		x.add(i, Write, args[0], 0, 1)
	case ir.OpAccess:
		x.access(i, in, args[0])
	}
}

func atomicIf(in *ir.Instr, plain, atomic Kind) Kind {
	if ir.Order(in.Sub) != ir.Plain {
		return atomic
	}
	return plain
}

// access is what a model says of code that is not analysed.
func (x *extractor) access(i int32, in *ir.Instr, v ir.Value) {
	k := Read
	if ir.AccessKind(in.Sub) == ir.AccessWrite {
		k = Write
	}
	t := x.typeOf(v)
	u := x.prog.Type(x.prog.Underlying(t))
	op := operation{instr: i, kind: k, addr: v, deep: in.Flags&ir.FlagDeep != 0}
	switch u.Kind {
	case ir.KindPointer:
		op.size = x.size(link.TypeID(u.Elem))
	case ir.KindSlice:
		op.size = x.size(link.TypeID(u.Elem))
	case ir.KindMap:
		op.size = 1
	case ir.KindInterface:
		// The box itself is immutable; what it holds is reached by deep.
		if !op.deep {
			return
		}
	default:
		return
	}
	x.ops = append(x.ops, op)
}

// maxDeep bounds how many objects a deep access reaches from one address.
const maxDeep = 64

// targets calls f with each range of cells an operation touches in an
// instance.
func targets(pts *pointer.Result, inst pointer.InstID, op *operation, f func(first pointer.Node, n int32)) {
	set := pts.PointsTo(inst, op.addr, 0)
	if !op.deep {
		set.Each(func(a pointer.Node) bool {
			id, slot := pts.Object(a)
			if id == pointer.NoObject {
				return true
			}
			o := &pts.Objects[id]
			first := slot + op.off
			if n := min(op.size, o.Size-first); n > 0 {
				f(o.Base+pointer.Node(first), n)
			}
			return true
		})
		return
	}
	seen := map[pointer.ObjectID]bool{}
	var queue []pointer.ObjectID
	reach := func(a pointer.Node) bool {
		if id, _ := pts.Object(a); id != pointer.NoObject && !seen[id] && len(seen) < maxDeep {
			seen[id] = true
			queue = append(queue, id)
		}
		return true
	}
	set.Each(reach)
	for len(queue) > 0 {
		o := &pts.Objects[queue[0]]
		queue = queue[1:]
		switch o.Kind {
		case pointer.ObjectFunc, pointer.ObjectChan:
			continue
		case pointer.ObjectBox:
		case pointer.ObjectMap:
			f(o.Base, 1)
		default:
			f(o.Base, o.Size)
		}
		for k := int32(0); k < o.Size; k++ {
			pts.Content(o.Base + pointer.Node(k)).Each(reach)
		}
	}
}
