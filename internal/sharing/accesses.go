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
// range of n cells from first that it touches. An access that leads nowhere is
// given with n = 0.
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
		found := false
		targets(x.pts, inst, op, func(first pointer.Node, n int32, far bool) {
			found = true
			f(Access{NoAccess, inst, op.instr, op.kind, op.addr, op.tail, far}, first, n)
		})
		if !found {
			f(Access{NoAccess, inst, op.instr, op.kind, op.addr, op.tail, false}, 0, 0)
		}
	}
}
