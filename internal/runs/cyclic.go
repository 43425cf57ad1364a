package runs

import "github.com/deadheat/deadheat/internal/ir"

// Cyclic tells for each block of a body whether it lies on a cycle: whether its
// strongly connected component has an edge inside. Tarjan's algorithm, with an
// explicit stack.
func Cyclic(body *ir.Body) []bool {
	t := &tarjan{body: body, index: make([]int32, len(body.Blocks)), low: make([]int32, len(body.Blocks)),
		onStack: make([]bool, len(body.Blocks)), cyclic: make([]bool, len(body.Blocks)), next: 1}
	for b := range body.Blocks {
		if t.index[b] == 0 {
			t.visit(ir.BlockID(b))
		}
	}
	return t.cyclic
}

type tarjan struct {
	body       *ir.Body
	index, low []int32
	onStack    []bool
	cyclic     []bool
	stack      []ir.BlockID
	next       int32
}

func (t *tarjan) visit(root ir.BlockID) {
	type frame struct {
		block ir.BlockID
		succs []ir.BlockID
	}
	enter := func(b ir.BlockID) frame {
		t.index[b], t.low[b] = t.next, t.next
		t.next++
		t.stack = append(t.stack, b)
		t.onStack[b] = true
		return frame{b, append(t.body.Succs(b), t.body.Handlers(b)...)}
	}
	frames := []frame{enter(root)}
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		if len(f.succs) > 0 {
			s := f.succs[0]
			f.succs = f.succs[1:]
			switch {
			case s == f.block:
				t.cyclic[s] = true
			case t.index[s] == 0:
				frames = append(frames, enter(s))
			case t.onStack[s]:
				t.low[f.block] = min(t.low[f.block], t.index[s])
			}
			continue
		}
		b := f.block
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			parent := frames[len(frames)-1].block
			t.low[parent] = min(t.low[parent], t.low[b])
		}
		if t.low[b] == t.index[b] {
			t.pop(b)
		}
	}
}

// pop takes the component of b off the stack.
func (t *tarjan) pop(b ir.BlockID) {
	size := 0
	for i := len(t.stack) - 1; ; i-- {
		size++
		if t.stack[i] == b {
			break
		}
	}
	members := t.stack[len(t.stack)-size:]
	for _, m := range members {
		t.onStack[m] = false
		if size > 1 {
			t.cyclic[m] = true
		}
	}
	t.stack = t.stack[:len(t.stack)-size]
}
