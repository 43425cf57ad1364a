package pointer

import "github.com/deadheat/deadheat/internal/ir"

// maxWrapper bounds the size of functions that are told apart by call.
const maxWrapper = 80

// isWrapper tells whether a function is one of those whose callers would have
// been better served by a macro: it makes an object and returns it, or starts a
// function that it is given. What it makes or starts is then told apart by the
// call (allocation wrappers by call site; O2 does so for thread creation).
func (b *templateBuilder) isWrapper() bool {
	body := b.t.body
	if len(body.Instrs) > maxWrapper {
		return false
	}
	takesFunc := false
	for i := int32(0); i < body.Params; i++ {
		switch b.p.Type(b.p.Underlying(b.typ(body.Regs[i].Type))).Kind {
		case ir.KindFunc, ir.KindInterface:
			takesFunc = true
		}
	}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
			if takesFunc && ir.How(in.Sub) == ir.Spawned {
				return true
			}
		case ir.OpReturn:
			for _, v := range body.Args(in) {
				if b.makes(v) {
					return true
				}
			}
		}
	}
	return false
}

// makes tells whether a value is the address of something the function has just
// made, or an interface that holds it.
func (b *templateBuilder) makes(v ir.Value) bool {
	for range 3 {
		d := b.p.Definition(b.f, v)
		if d == ir.None {
			return false
		}
		in := &b.t.body.Instrs[d]
		switch in.Op {
		case ir.OpAlloc, ir.OpMakeMap, ir.OpMakeChan, ir.OpMakeSlice:
			return true
		case ir.OpBox, ir.OpCast, ir.OpCopy:
			v = b.t.body.Args(in)[0]
		default:
			return false
		}
	}
	return false
}
