package sharing

import (
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Accesses lists what the code of a program accesses, instance by instance. It
// is for questions about single lines and cells: unlike a Result it leaves out
// neither memory that nobody shares nor code that never runs.
type Accesses struct {
	pts *pointer.Result
	ops map[link.FuncID][]operation
}

// NewAccesses prepares the listing.
func NewAccesses(pts *pointer.Result) *Accesses {
	return &Accesses{pts: pts, ops: make(map[link.FuncID][]operation)}
}

// Of calls f with each access of an instance, in order of instruction, and each
// range of n cells from first that it touches.
func (x *Accesses) Of(inst pointer.InstID, f func(a Access, first pointer.Node, n int32)) {
	fn := x.pts.Instances[inst].Func
	list, ok := x.ops[fn]
	if !ok {
		if body := x.pts.Body(inst); body != nil {
			list = operations(x.pts.Prog, fn, body)
		}
		x.ops[fn] = list
	}
	for k := range list {
		op := &list[k]
		targets(x.pts, inst, op, func(first pointer.Node, n int32, far bool) {
			f(Access{inst, op.instr, op.kind, op.addr, op.tail, far}, first, n)
		})
	}
}

// Names tells whether an instruction is an access at all, whatever memory it
// leads to.
func (x *Accesses) Names(inst pointer.InstID, instr int32) bool {
	x.Of(inst, func(Access, pointer.Node, int32) {})
	for _, op := range x.ops[x.pts.Instances[inst].Func] {
		if op.instr == instr {
			return true
		}
	}
	return false
}
