package pointer

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// maxWrapper bounds the size of functions that are told apart by call.
const maxWrapper = 80

// maxChained is how many functions a program may declare if wrappers are told apart
// by more than the nearest call. In larger ones that makes more of everything, and
// tells little: etcd has a sixth more instances, and the same findings.
const maxChained = 30000

// isWrapper tells whether a function is one of those whose callers would have
// been better served by a macro: it makes an object and returns it, or returns what
// such a function has made, starts a
// function that it is given or that a model says, only takes a field out of what it is given, or was
// written by a model or front end to stand for an instruction or two. What it
// makes, starts or touches is then told apart by the call (allocation wrappers by
// call site; O2 does so for thread creation), and by the calls of the wrappers that
// this stands in.
func (b *templateBuilder) isWrapper() bool {
	body := b.t.body
	if len(body.Instrs) > maxWrapper {
		return false
	}
	if def := b.p.Def(b.f); def != nil && def.Flags&(ir.FuncShared|ir.FuncExternal) != 0 || b.isGetter() || b.t.keeps {
		return true
	}
	takesFunc := false
	for i := int32(0); i < body.Params; i++ {
		switch b.p.Type(b.p.Underlying(b.typ(body.Regs[i].Type))).Kind {
		case ir.KindFunc, ir.KindInterface:
			takesFunc = true
		}
	}
	levels := origin.MaxChain - 1
	if b.s.flat {
		levels = 0
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
			if ir.How(in.Sub) == ir.Spawned && (takesFunc || in.Flags&ir.FlagModel != 0) {
				return true
			}
		case ir.OpReturn:
			for _, v := range body.Args(in) {
				if b.makes(v, levels) {
					return true
				}
			}
		}
	}
	return false
}

// makes tells whether a value is the address of something the function has just
// made, or an interface that holds it. That may have been done by functions that it
// calls, in so many levels.
func (b *templateBuilder) makes(v ir.Value, levels int) bool {
	for range 4 {
		d := b.p.Definition(b.f, v)
		if d == ir.None {
			return false
		}
		in := &b.t.body.Instrs[d]
		switch in.Op {
		case ir.OpAlloc:
			return !b.p.IsValue(b.typ(in.Type))
		case ir.OpMakeMap, ir.OpMakeChan, ir.OpMakeSlice:
			return true
		case ir.OpBox, ir.OpCast, ir.OpCopy:
			v = b.t.body.Args(in)[0]
		case ir.OpLoad:
			// A variable that a closure captures.
			v = b.onlyValue(b.t.body.Args(in)[0])
		case ir.OpCall, ir.OpInvoke:
			return levels > 0 && b.isMaker(in, levels-1)
		default:
			return false
		}
	}
	return false
}

// isMaker tells whether a call runs a function that returns what it makes. For one
// by dispatch the method of the receiver's type stands for all.
func (b *templateBuilder) isMaker(in *ir.Instr, levels int) bool {
	f := link.FuncID(link.None)
	if in.Op == ir.OpCall {
		f = b.p.Callee(b.f, ir.FuncRefID(in.Aux))
	} else if recv := b.t.body.Args(in)[0].Reg(); recv != ir.None {
		f = b.p.Method(b.typ(b.t.body.Regs[recv].Type), b.p.MethodName(b.f, ir.MethodID(in.Aux)))
	}
	if f == link.None || f == b.f {
		return false
	}
	body := b.p.Body(f)
	if body == nil || len(body.Instrs) > maxWrapper {
		return false
	}
	callee := &templateBuilder{s: b.s, p: b.p, f: f, t: &template{fn: f, body: body}}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpReturn {
			continue
		}
		for _, v := range body.Args(in) {
			if callee.makes(v, levels) {
				return true
			}
		}
	}
	return false
}

// onlyValue returns what is stored to a cell of the function, if that is done in
// one place.
func (b *templateBuilder) onlyValue(cell ir.Value) ir.Value {
	d := b.p.Definition(b.f, cell)
	if d == ir.None || b.t.body.Instrs[d].Op != ir.OpAlloc {
		return ir.NoValue
	}
	value := ir.NoValue
	for i := range b.t.body.Instrs {
		in := &b.t.body.Instrs[i]
		if args := b.t.body.Args(in); in.Op == ir.OpStore && args[0] == cell {
			if value != ir.NoValue {
				return ir.NoValue
			}
			value = args[1]
		}
	}
	return value
}

// maxKeeper bounds the size of functions that keep what they are given.
const maxKeeper = 60

// isKeeper tells whether a constructor keeps what it is given in fields of its
// receiver: what objects of one class hold is told apart by where they are made.
// (O2, section 3.2: the context of an origin begins at its allocation.)
func (b *templateBuilder) isKeeper() bool {
	body := b.t.body
	if b.p.Def(b.f).Flags&ir.FuncConstructor == 0 || body.Params < 2 || len(body.Instrs) > maxKeeper {
		return false
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpStore:
			args := body.Args(in)
			if b.param(args[1]) > 0 && b.ofReceiver(args[0]) {
				return true
			}
		case ir.OpCall:
			// A constructor of the superclass may.
			args := body.Args(in)
			if ir.How(in.Sub) == ir.Now && in.Dst == ir.None && len(args) > 1 && b.param(args[0]) == 0 && b.param(args[1]) > 0 {
				return true
			}
		}
	}
	return false
}

// ofReceiver tells whether an address is that of a field of the receiver.
func (b *templateBuilder) ofReceiver(addr ir.Value) bool {
	d := b.p.Definition(b.f, addr)
	return d >= 0 && b.t.body.Instrs[d].Op == ir.OpField && b.param(b.t.body.Args(&b.t.body.Instrs[d])[0]) == 0
}

// param returns which parameter a value is, or -1.
func (b *templateBuilder) param(v ir.Value) int {
	for range 4 {
		r := v.Reg()
		if r == ir.None {
			return -1
		}
		if int32(r) < b.t.body.Params {
			return int(r)
		}
		d := b.p.Definition(b.f, v)
		if d < 0 {
			return -1
		}
		in := &b.t.body.Instrs[d]
		if in.Op != ir.OpCast && in.Op != ir.OpCopy {
			return -1
		}
		v = b.t.body.Args(in)[0]
	}
	return -1
}

// maxGetter bounds the size of functions that only take a field out.
const maxGetter = 8

// isGetter tells whether a function does nothing but return what it loads from
// memory that its parameters lead to.
func (b *templateBuilder) isGetter() bool {
	body := b.t.body
	if len(body.Blocks) != 1 || len(body.Instrs) > maxGetter || body.Params == 0 {
		return false
	}
	loads := false
	for i := range body.Instrs {
		switch body.Instrs[i].Op {
		case ir.OpLoad:
			loads = true
		case ir.OpField, ir.OpCopy, ir.OpCast, ir.OpReturn:
		default:
			return false
		}
	}
	return loads
}
