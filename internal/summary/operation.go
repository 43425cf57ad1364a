package summary

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// extractor lists the accesses in a function's code.
type extractor struct {
	p *program
	c *code
}

func (x *extractor) typeOf(v ir.Value) link.TypeID {
	switch v.Kind() {
	case ir.ValueReg:
		return x.p.prog.TypeOf(x.c.fn, x.c.body.Regs[v.Reg()].Type)
	case ir.ValueConst:
		return x.p.prog.TypeOf(x.c.fn, x.c.unit.Consts[v.Const()].Type)
	}
	return link.NoType
}

func (x *extractor) kindOf(v ir.Value) ir.TypeKind {
	return x.p.prog.Type(x.p.prog.Underlying(x.typeOf(v))).Kind
}

func (x *extractor) add(i int32, k AccessKind, addr ir.Value, flags AccessFlags, tail ...Step) {
	x.c.ops = append(x.c.ops, operation{instr: i, kind: k, addr: addr, flags: flags, tail: tail})
}

var anyElement = Step{Kind: Elem, N: anyElem}

func (x *extractor) instr(i int32, in *ir.Instr) {
	args := x.c.body.Args(in)
	var flags AccessFlags
	if in.Flags&ir.FlagModel != 0 {
		if in.Op == ir.OpLoad || in.Op == ir.OpStore {
			return // how a model passes values on; what it reads and writes is said by access
		}
		flags = Modelled
	}
	switch in.Op {
	case ir.OpLoad:
		x.cells(i, atomicIf(in, Read, AtomicRead), args[0], flags, x.p.prog.TypeOf(x.c.fn, in.Type))
	case ir.OpStore:
		x.cells(i, atomicIf(in, Write, AtomicWrite), args[0], flags, x.p.prog.TypeOf(x.c.fn, in.Type))
	case ir.OpAtomic:
		k := AtomicRead
		if ir.AtomicKind(in.Sub).Writes() {
			k = AtomicWrite
		}
		x.add(i, k, args[0], 0)
	case ir.OpCopyRange:
		x.add(i, Write, args[0], flags, anyElement)
		if x.kindOf(args[1]) == ir.KindSlice {
			x.add(i, Read, args[1], flags, anyElement)
		}
	case ir.OpSetRange:
		x.add(i, Write, args[0], flags, anyElement)
	case ir.OpAppend:
		x.add(i, Read, args[0], flags, anyElement)
		if x.kindOf(args[1]) == ir.KindSlice {
			x.add(i, Read, args[1], flags, anyElement)
		}
	case ir.OpConvert:
		if x.kindOf(args[0]) == ir.KindSlice {
			x.add(i, Read, args[0], flags, anyElement)
		}
	case ir.OpLen, ir.OpRange, ir.OpNext, ir.OpMapGet:
		if x.kindOf(args[0]) == ir.KindMap {
			x.add(i, Read, args[0], flags)
		}
	case ir.OpMapSet, ir.OpMapDelete, ir.OpMapClear:
		x.add(i, Write, args[0], flags)
	case ir.OpAccess:
		x.access(i, in, args[0])
	}
}

func atomicIf(in *ir.Instr, plain, atomic AccessKind) AccessKind {
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
	switch x.kindOf(v) {
	case ir.KindSlice:
		x.add(i, k, v, Modelled, anyElement)
	case ir.KindMap:
		x.add(i, k, v, Modelled)
	case ir.KindPointer:
		t := x.p.pointee(x.typeOf(v))
		if in.Flags&ir.FlagElems != 0 {
			x.add(i, k, v, Modelled, anyElement)
			return
		}
		x.cells(i, k, v, Modelled, t)
	}
}

// cells adds an access of a value of type t: of each field, for a struct of
// ours.
func (x *extractor) cells(i int32, k AccessKind, addr ir.Value, flags AccessFlags, t link.TypeID) {
	if x.p.prog.Type(x.p.prog.Underlying(t)).Kind != ir.KindStruct {
		x.add(i, k, addr, flags)
		return
	}
	for _, tail := range x.leaves(t) {
		x.add(i, k, addr, flags|Copied, tail...)
	}
}

// leaves returns the ways to the scalar fields of a struct. Fields of structs
// that are not ours are one.
func (x *extractor) leaves(t link.TypeID) [][]Step {
	var out [][]Step
	var walk func(t link.TypeID, at []Step)
	walk = func(t link.TypeID, at []Step) {
		u := x.p.prog.Type(x.p.prog.Underlying(t))
		owner := x.p.typeName(t)
		for _, f := range u.Fields {
			if len(out) >= maxLeaves {
				return
			}
			ft := link.TypeID(f.Type)
			step := x.p.paths.FieldStep(owner, f.Name)
			here := append(append([]Step(nil), at...), step)
			switch x.p.prog.Type(x.p.prog.Underlying(ft)).Kind {
			case ir.KindStruct:
				if x.ours(ft) {
					walk(ft, here)
				}
			case ir.KindArray:
			default:
				out = append(out, here)
			}
		}
	}
	walk(t, nil)
	return out
}

// ours tells whether a struct is written in code that is summarised. What the
// others keep to themselves, such as the state of a mutex, is not looked into.
func (x *extractor) ours(t link.TypeID) bool {
	if x.p.prog.Type(t).Kind != ir.KindNamed {
		return true
	}
	d, u := x.p.prog.Decl(t)
	return d != nil && x.p.cfg.Summarise(u.Path)
}

// copiedReceiver adds what the caller of a method with a value receiver does:
// it copies the receiver, locks and all.
func (x *extractor) copiedReceiver(def *ir.Func) {
	if def.Flags&ir.FuncMethod == 0 || def.Flags&ir.FuncSynthetic != 0 || x.c.body.Params == 0 {
		return
	}
	t := x.p.prog.TypeOf(x.c.fn, x.c.body.Regs[0].Type)
	if x.p.prog.Type(x.p.prog.Underlying(t)).Kind != ir.KindStruct {
		return
	}
	x.cells(-1, Read, ir.RegValue(0), 0, t)
}
