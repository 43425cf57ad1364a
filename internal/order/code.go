package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// code is what the code of a function has to do with order, whatever the
// instance: most instructions have nothing to do with it, and functions have many
// instances.
type code struct {
	body    *ir.Body
	cuts    []int32 // instructions that may be cuts
	unlocks []int32
	tests   []branchTest
	drains  []drain
	implied []impliedBy
	told    []told // see toldIn
	asked   bool   // whether told is known
}

// branchTest is a branch that waits for a flag if its register leads to one.
type branchTest struct {
	test
	instr     int32
	successor uint8
	addr      ir.Value
}

// codeOf returns the code of an instance, nil if it has none.
func (r *Result) codeOf(id pointer.InstID) *code {
	fn := r.pts.Instances[id].Func
	c, known := r.code[fn]
	if !known {
		if body := r.pts.Body(id); body != nil {
			c = r.scan(id, body)
		}
		r.code[fn] = c
	}
	return c
}

func (r *Result) scan(id pointer.InstID, body *ir.Body) *code {
	c := &code{body: body, drains: drains(body), implied: r.impliedTests(id, body)}
	for i := range body.Instrs {
		in := &body.Instrs[i]
		k := int32(i)
		switch in.Op {
		case ir.OpSend, ir.OpRecv, ir.OpClose, ir.OpPost, ir.OpAwait, ir.OpJoin, ir.OpGroup, ir.OpOnce,
			ir.OpLock, ir.OpSelect, ir.OpStore:
			c.cuts = append(c.cuts, k)
		case ir.OpUnlock:
			c.cuts = append(c.cuts, k)
			c.unlocks = append(c.unlocks, k)
		case ir.OpAtomic:
			if ir.AtomicKind(in.Sub).Writes() {
				c.cuts = append(c.cuts, k)
			}
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
			if ir.How(in.Sub) == ir.Spawned {
				c.cuts = append(c.cuts, k)
			}
		case ir.OpIf:
			n := len(c.tests)
			for s := uint8(0); s < 2; s++ {
				if t, ok := r.testOf(id, body, k, s); ok && (!t.allows(0) || t.wins(body)) {
					c.tests = append(c.tests, t)
				}
			}
			if _, _, closed := r.closedTest(id, body, k); closed || len(c.tests) > n || r.leavesLoop(id, k) || c.leavesDrain(k) {
				c.cuts = append(c.cuts, k)
			}
		}
	}
	return c
}
