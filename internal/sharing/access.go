package sharing

import (
	"strconv"

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
	tail  bool
	// boxed: an interface value among the operands means the address it holds.
	boxed bool
	// except holds the methods that take care of the access if the value has one
	// of them, as a value that formats itself is not looked into by printing.
	except []string
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
		if x.selfStore(i, args) {
			return
		}
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
		if !x.clipped(args[0]) {
			x.ops = append(x.ops, operation{instr: i, kind: Write, addr: args[0], size: n, tail: true})
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
	case ir.OpSend, ir.OpLock, ir.OpUnlock, ir.OpClose, ir.OpGroup:
		x.primitive(i, in, args)
	}
}

// primitive lists what use of a primitive does to the memory it lies in. To use
// it reads it: closing or overwriting it at the same time is misuse. Where any
// object may be one, it is no part of the object's memory.
func (x *extractor) primitive(i int32, in *ir.Instr, args []ir.Value) {
	if x.prog.Unit(x.fn).Lang.Monitors() {
		return
	}
	switch in.Op {
	case ir.OpSend, ir.OpLock, ir.OpUnlock:
		x.add(i, Read, args[0], 0, 1)
	case ir.OpClose:
		// Models close what may be closed already.
		if in.Flags&ir.FlagModel == 0 {
			x.add(i, Write, args[0], 0, 1)
		}
	case ir.OpGroup:
		switch ir.GroupKind(in.Sub) {
		case ir.GroupAdd:
			x.add(i, Read, args[0], 0, 1)
		case ir.GroupWait:
			x.add(i, Write, args[0], 0, 1)
		}
	}
}

// clipped tells whether a slice was cut with an explicit capacity: people write
// that to make append copy.
func (x *extractor) clipped(v ir.Value) bool {
	d := x.prog.Definition(x.fn, v)
	return d >= 0 && x.body.Instrs[d].Op == ir.OpSlice && x.body.Args(&x.body.Instrs[d])[3] != ir.NoValue
}

// selfStore tells whether an instruction stores what it has just loaded from
// the same place, as "return x" does with a result named x. Compilers write
// nothing then.
func (x *extractor) selfStore(i int32, args []ir.Value) bool {
	d := x.prog.Definition(x.fn, args[1])
	if d < 0 || x.body.Instrs[d].Op != ir.OpLoad || x.body.Args(&x.body.Instrs[d])[0] != args[0] {
		return false
	}
	for k := d + 1; k < i; k++ {
		switch x.body.Instrs[k].Op {
		case ir.OpCopy, ir.OpLoad, ir.OpStore:
		default:
			return false
		}
	}
	return true
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
	op := operation{instr: i, kind: k, addr: v, deep: in.Flags&ir.FlagDeep != 0, boxed: true, except: x.alternatives(i, in, v)}
	switch u.Kind {
	case ir.KindPointer:
		op.size = x.size(link.TypeID(u.Elem))
	case ir.KindSlice:
		op.size = x.size(link.TypeID(u.Elem))
	case ir.KindMap:
		op.size = 1
	case ir.KindInterface:
	default:
		return
	}
	x.ops = append(x.ops, op)
}

// alternatives returns the methods that a model calls on a value if it has them,
// where it accesses the value itself otherwise.
func (x *extractor) alternatives(i int32, in *ir.Instr, v ir.Value) []string {
	if in.Flags&ir.FlagMaybe == 0 {
		return nil
	}
	var names []string
	for k := i + 1; int(k) < len(x.body.Instrs); k++ {
		next := &x.body.Instrs[k]
		if next.Op != ir.OpInvoke || next.Flags&ir.FlagMaybe == 0 || x.body.Args(next)[0] != v {
			break
		}
		names = append(names, x.prog.MethodName(x.fn, ir.MethodID(next.Aux)))
	}
	return names
}

// maxDeep bounds how many objects a deep access reaches from one address.
const maxDeep = 64

// targets calls f with each range of cells an operation touches in an
// instance; far ones lie behind pointers that a library may follow or not.
func targets(pts *pointer.Result, inst pointer.InstID, op *operation, f func(first pointer.Node, n int32, far bool)) {
	set := pts.PointsTo(inst, op.addr, 0)
	if !op.deep {
		set.Each(func(a pointer.Node) bool {
			id, slot := pts.Object(a)
			if id == pointer.NoObject {
				return true
			}
			o := &pts.Objects[id]
			if op.tail && !spare(pts, o) {
				return true
			}
			if op.boxed && o.Kind == pointer.ObjectBox {
				held(pts, op, o, f)
				return true
			}
			first := slot + op.off
			if n := min(op.size, o.Size-first); n > 0 {
				f(o.Base+pointer.Node(first), n, false)
			}
			return true
		})
		return
	}
	// What the address leads to, and what a box there holds, is near.
	seen := map[pointer.ObjectID]bool{}
	type reached struct {
		id    pointer.ObjectID
		depth int
	}
	var queue []reached
	reach := func(set *pointer.Set, depth int) {
		set.Each(func(a pointer.Node) bool {
			if id, _ := pts.Object(a); id != pointer.NoObject && !seen[id] && len(seen) < maxDeep {
				seen[id] = true
				queue = append(queue, reached{id, depth})
			}
			return true
		})
	}
	reach(set, 0)
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		o := &pts.Objects[at.id]
		next := at.depth + 1
		switch o.Kind {
		case pointer.ObjectFunc, pointer.ObjectChan:
			continue
		case pointer.ObjectBox:
			next = at.depth
		case pointer.ObjectMap:
			f(o.Base, 1, at.depth > 0)
		default:
			f(o.Base, o.Size, at.depth > 0)
		}
		for k := int32(0); k < o.Size; k++ {
			reach(pts.Content(o.Base+pointer.Node(k)), next)
		}
	}
}

// held calls f with the cells that an interface value holds the address of.
func held(pts *pointer.Result, op *operation, box *pointer.Object, f func(first pointer.Node, n int32, far bool)) {
	t := pts.Prog.Type(pts.Prog.Underlying(box.Type))
	size := int32(1)
	switch t.Kind {
	case ir.KindPointer, ir.KindSlice:
		size = pts.Prog.Layout(link.TypeID(t.Elem)).Size
	case ir.KindMap:
	default:
		return
	}
	for _, m := range op.except {
		if pts.Prog.Method(box.Type, m) != link.None {
			return
		}
	}
	pts.Content(box.Base).Each(func(a pointer.Node) bool {
		if id, slot := pts.Object(a); id != pointer.NoObject {
			if n := min(size, pts.Objects[id].Size-slot); n > 0 {
				f(a, n, false)
			}
		}
		return true
	})
}

// spare tells whether an array may have room behind the slices of it: append
// writes there.
func spare(pts *pointer.Result, o *pointer.Object) bool {
	if o.Inst < 0 {
		return false
	}
	body := pts.Body(o.Inst)
	in := &body.Instrs[o.Site.Instr]
	switch in.Op {
	case ir.OpMakeSlice:
		args := body.Args(in)
		return args[0] != args[1]
	case ir.OpAppend:
		return true
	case ir.OpAlloc:
		// An array of constant size that is sliced short of its end.
		for i := range body.Instrs {
			s := &body.Instrs[i]
			if s.Op == ir.OpSlice && body.Args(s)[0] == ir.RegValue(in.Dst) && body.Args(s)[2] != ir.NoValue {
				high := body.Args(s)[2].Const()
				t := pts.Prog.Type(pts.Prog.Underlying(o.Type))
				return high == ir.None || pts.Prog.Unit(o.Site.Func).Consts[high].Text != strconv.FormatInt(t.Len, 10)
			}
		}
	}
	return false
}
