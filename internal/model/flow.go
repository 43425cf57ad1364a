package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// flow answers questions about the control flow of a body. Exceptional edges
// count as edges.
type flow struct {
	body  *ir.Body
	order []ir.BlockID // reachable blocks in reverse postorder
	rank  []int32      // position in order, or None
	idom  []ir.BlockID // immediate dominator; the entry's is itself
}

func newFlow(body *ir.Body) *flow {
	n := len(body.Blocks)
	f := &flow{body: body, rank: make([]int32, n), idom: make([]ir.BlockID, n)}
	for i := range n {
		f.rank[i], f.idom[i] = ir.None, ir.None
	}
	f.sort()
	f.dominators()
	return f
}

// sort visits blocks depth first from the entry and from the recover block,
// which is entered from outside.
func (f *flow) sort() {
	type frame struct {
		block ir.BlockID
		next  int
	}
	var post []ir.BlockID
	seen := make([]bool, len(f.body.Blocks))
	visit := func(root ir.BlockID) {
		stack := []frame{{root, 0}}
		seen[root] = true
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			succs := f.succs(top.block)
			if top.next == len(succs) {
				post = append(post, top.block)
				stack = stack[:len(stack)-1]
				continue
			}
			s := succs[top.next]
			top.next++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, frame{s, 0})
			}
		}
	}
	if r := f.body.Recover; r != ir.None {
		visit(r)
	}
	if !seen[0] {
		visit(0)
	}
	for i := len(post) - 1; i >= 0; i-- {
		f.rank[post[i]] = int32(len(f.order))
		f.order = append(f.order, post[i])
	}
}

func (f *flow) succs(b ir.BlockID) []ir.BlockID {
	succs := f.body.Succs(b)
	if h := f.body.Handlers(b); len(h) > 0 {
		return append(succs, h...)
	}
	return succs
}

// dominators computes immediate dominators by the method of Cooper, Harvey and
// Kennedy: "A Simple, Fast Dominance Algorithm". Blocks entered from outside
// have no dominator but themselves.
func (f *flow) dominators() {
	if len(f.order) == 0 {
		return
	}
	f.idom[0] = 0
	if r := f.body.Recover; r != ir.None {
		f.idom[r] = r
	}
	for changed := true; changed; {
		changed = false
		for _, b := range f.order {
			if b == 0 || b == f.body.Recover {
				continue
			}
			dom := ir.BlockID(ir.None)
			for _, p := range f.body.Preds(b) {
				if f.rank[p] == ir.None || f.idom[p] == ir.None {
					continue
				}
				if dom == ir.None {
					dom = p
				} else {
					dom = f.common(dom, p)
				}
				if dom == ir.None {
					break
				}
			}
			if dom == ir.None {
				dom = b // several roots lead here
			}
			if f.idom[b] != dom {
				f.idom[b], changed = dom, true
			}
		}
	}
}

// common returns the nearest block that dominates both, or None.
func (f *flow) common(a, b ir.BlockID) ir.BlockID {
	for a != b {
		if f.rank[a] < f.rank[b] {
			a, b = b, a
		}
		if f.idom[a] == a {
			return ir.None
		}
		a = f.idom[a]
	}
	return a
}

// dominates tells whether every way to b passes a.
func (f *flow) dominates(a, b ir.BlockID) bool {
	for {
		if a == b {
			return true
		}
		if f.idom[b] == ir.None || f.idom[b] == b {
			return false
		}
		b = f.idom[b]
	}
}

// reach returns the blocks that control may enter after leaving a block, not
// going on from those that stop says.
func (f *flow) reach(from ir.BlockID, stop func(ir.BlockID) bool) []bool {
	seen := make([]bool, len(f.body.Blocks))
	work := append([]ir.BlockID(nil), f.succs(from)...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if stop == nil || !stop(b) {
			work = append(work, f.succs(b)...)
		}
	}
	return seen
}
