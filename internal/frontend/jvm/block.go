package jvm

import (
	"fmt"
	"slices"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// block is a run of instructions entered at its first. Where a handler covers
// it, no local that the handler reads changes within it, and no lock but at its
// end: what the handler sees is the state at the start of the block, which is
// what an exceptional edge of the neutral language means.
type block struct {
	start, end int // of Code.Insns; equal for a block that only catches
	succs      []int32
	handlers   []int32
	preds      []int32 // along succs, by block
	throwers   []int32 // along handlers
	catch      string  // descriptor of what is caught, "" if control comes here normally
	entry      frame   // types at the start
	reached    bool
	live       []bool // locals that are read before they are assigned, here or later
}

// graph is the control flow of a method.
type graph struct {
	code   *classfile.Code
	blocks []block
	at     []int32 // block that begins at an instruction, or -1
	order  []int32 // reachable blocks, reverse postorder
}

// newGraph cuts code into blocks. Code that nothing reaches is left out.
func newGraph(code *classfile.Code) (*graph, error) {
	if len(code.Insns) == 0 {
		return nil, fmt.Errorf("no instructions")
	}
	leaders := make([]bool, len(code.Insns)+1)
	covered := make([]bool, len(code.Insns))
	leaders[0] = true
	for _, h := range code.Handlers {
		leaders[h.Start], leaders[h.End], leaders[h.Target] = true, true, true
		for i := h.Start; i < h.End; i++ {
			covered[i] = true
		}
	}
	for i := range code.Insns {
		in := &code.Insns[i]
		switch {
		case in.Switch != nil:
			leaders[in.Switch.Default], leaders[i+1] = true, true
			for _, t := range in.Switch.Targets {
				leaders[t] = true
			}
		case isJump(in.Op):
			leaders[in.Target], leaders[i+1] = true, true
		case in.Op.Ends():
			leaders[i+1] = true
		case covered[i] && (in.Op == classfile.OpMonitorEnter || in.Op == classfile.OpMonitorExit):
			// Locks change at the end of a block only; see canThrow for the exit.
			leaders[i+1] = true
			leaders[i] = leaders[i] || in.Op == classfile.OpMonitorExit
		}
	}
	g := &graph{code: code}
	if err := g.build(leaders); err != nil {
		return nil, err
	}
	g.liveness()
	if g.splitStores(leaders) {
		if err := g.build(leaders); err != nil {
			return nil, err
		}
		g.liveness()
	}
	return g, nil
}

func isJump(op classfile.Op) bool {
	return op >= classfile.OpIfEq && op <= classfile.OpGoto || op == classfile.OpIfNull || op == classfile.OpIfNonNull
}

// build makes the blocks that begin at leaders, with their edges.
func (g *graph) build(leaders []bool) error {
	code := g.code
	g.blocks = g.blocks[:0]
	g.at = make([]int32, len(code.Insns))
	for i := range code.Insns {
		g.at[i] = -1
		if leaders[i] {
			g.at[i] = int32(len(g.blocks))
			g.blocks = append(g.blocks, block{start: i})
		}
		g.blocks[len(g.blocks)-1].end = i + 1
	}
	for k := range g.blocks {
		if err := g.addSuccs(&g.blocks[k]); err != nil {
			return err
		}
	}
	g.thread()
	g.addHandlers()
	g.sort()
	g.connect()
	return nil
}

func (g *graph) addSuccs(b *block) error {
	i := b.end - 1
	in := &g.code.Insns[i]
	switch {
	case in.Switch != nil:
		for _, t := range in.Switch.Targets {
			b.succs = append(b.succs, g.at[t])
		}
		b.succs = append(b.succs, g.at[in.Switch.Default])
		return nil
	case isJump(in.Op):
		b.succs = append(b.succs, g.at[in.Target])
	}
	if in.Op.Ends() {
		return nil
	}
	if i+1 >= len(g.code.Insns) {
		return fmt.Errorf("control runs past the last instruction")
	}
	b.succs = append(b.succs, g.at[i+1])
	return nil
}

// thread lets edges to blocks that only go on lead where those go.
func (g *graph) thread() {
	for k := range g.blocks {
		for i, to := range g.blocks[k].succs {
			for range len(g.blocks) { // jumps may go round in a circle
				b := &g.blocks[to]
				if b.end-b.start != 1 || g.code.Insns[b.start].Op != classfile.OpGoto {
					break
				}
				to = b.succs[0]
			}
			g.blocks[k].succs[i] = to
		}
	}
}

// addHandlers adds the exceptional edges of blocks that can throw. A handler
// that control also reaches in another way gets a block of its own that only
// catches.
func (g *graph) addHandlers() {
	if len(g.code.Handlers) == 0 {
		return
	}
	entered := make([]bool, len(g.blocks))
	for k := range g.blocks {
		for _, s := range g.blocks[k].succs {
			entered[s] = true
		}
	}
	entered[0] = true
	landing := make(map[int]int32) // by target
	for _, h := range g.code.Handlers {
		desc := throwableDesc
		if h.Class != "" {
			desc = classfile.DescOf(h.Class)
		}
		k, known := landing[h.Target]
		if !known {
			k = g.at[h.Target]
			if entered[k] {
				g.blocks = append(g.blocks, block{start: h.Target, end: h.Target, succs: []int32{k}})
				k = int32(len(g.blocks) - 1)
			}
			landing[h.Target] = k
			g.blocks[k].catch = desc
		} else if g.blocks[k].catch != desc {
			g.blocks[k].catch = throwableDesc
		}
	}
	for k := range g.blocks {
		b := &g.blocks[k]
		if b.start == b.end || !slices.ContainsFunc(g.code.Insns[b.start:b.end], canThrow) {
			continue
		}
		for i := range g.code.Handlers {
			h := &g.code.Handlers[i]
			if h.Start > b.start || b.start >= h.End {
				continue
			}
			if to := landing[h.Target]; !slices.Contains(b.handlers, to) {
				b.handlers = append(b.handlers, to)
			}
			if h.Class == "" {
				break
			}
		}
	}
}

// canThrow tells whether an instruction can throw. A monitorexit cannot: it
// would have to release a monitor that is not held, which compilers do not let
// happen, and the handler they write for it would give the monitor back twice.
func canThrow(in classfile.Insn) bool {
	switch op := in.Op; {
	case op >= classfile.OpIALoad && op <= classfile.OpSALoad, op >= classfile.OpIAStore && op <= classfile.OpSAStore,
		op >= classfile.OpGetStatic && op <= classfile.OpMonitorEnter, op == classfile.OpMultiANewArray:
		return true
	case op == classfile.OpIDiv, op == classfile.OpLDiv, op == classfile.OpIRem, op == classfile.OpLRem:
		return true
	case op == classfile.OpLdc:
		return in.Const == classfile.ConstClass || in.Const == classfile.ConstDynamic
	}
	return false
}

// sort finds the reachable blocks and their order.
func (g *graph) sort() {
	type step struct {
		b    int32
		edge int
	}
	for k := range g.blocks {
		g.blocks[k].reached = false
	}
	g.order = g.order[:0]
	g.blocks[0].reached = true
	stack := []step{{0, 0}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		b := &g.blocks[top.b]
		if top.edge == len(b.succs)+len(b.handlers) {
			g.order = append(g.order, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		var to int32
		// Handlers first, so that the normal way comes first in the outcome.
		if top.edge < len(b.handlers) {
			to = b.handlers[top.edge]
		} else {
			to = b.succs[len(b.succs)-1-(top.edge-len(b.handlers))]
		}
		top.edge++
		if !g.blocks[to].reached {
			g.blocks[to].reached = true
			stack = append(stack, step{to, 0})
		}
	}
	slices.Reverse(g.order)
}

// connect notes predecessors in the order that the neutral language gives them.
func (g *graph) connect() {
	for k := range g.blocks {
		b := &g.blocks[k]
		if !b.reached {
			continue
		}
		for _, s := range b.succs {
			g.blocks[s].preds = append(g.blocks[s].preds, int32(k))
		}
		for _, h := range b.handlers {
			g.blocks[h].throwers = append(g.blocks[h].throwers, int32(k))
		}
	}
}

// localUse returns the local that an instruction reads or writes.
func localUse(in *classfile.Insn) (local int, reads, writes bool) {
	switch op := in.Op; {
	case op >= classfile.OpILoad && op <= classfile.OpALoad:
		return int(in.Local), true, false
	case op >= classfile.OpIStore && op <= classfile.OpAStore:
		return int(in.Local), false, true
	case op == classfile.OpIInc:
		return int(in.Local), true, true
	}
	return 0, false, false
}

// liveness finds the locals whose values matter at the start of each block.
func (g *graph) liveness() {
	for k := range g.blocks {
		g.blocks[k].live = make([]bool, g.code.MaxLocals)
	}
	after := make([]bool, g.code.MaxLocals)
	for changed := true; changed; {
		changed = false
		for k := len(g.order) - 1; k >= 0; k-- {
			b := &g.blocks[g.order[k]]
			clear(after)
			for _, s := range b.succs {
				addLive(after, g.blocks[s].live)
			}
			for i := b.end - 1; i >= b.start; i-- {
				l, reads, writes := localUse(&g.code.Insns[i])
				if l < len(after) && (reads || writes) {
					after[l] = reads
				}
			}
			for _, h := range b.handlers {
				addLive(after, g.blocks[h].live)
			}
			changed = addLive(b.live, after) || changed
		}
	}
}

func addLive(to, from []bool) bool {
	changed := false
	for i, l := range from {
		if l && !to[i] {
			to[i], changed = true, true
		}
	}
	return changed
}

// splitStores ends blocks after assignments to locals that a handler of theirs
// reads. It tells whether there are any.
func (g *graph) splitStores(leaders []bool) bool {
	split := false
	for _, k := range g.order {
		b := &g.blocks[k]
		if len(b.handlers) == 0 {
			continue
		}
		for i := b.start; i+1 < b.end; i++ {
			l, _, writes := localUse(&g.code.Insns[i])
			if !writes || leaders[i+1] {
				continue
			}
			for _, h := range b.handlers {
				if l < g.code.MaxLocals && g.blocks[h].live[l] {
					leaders[i+1], split = true, true
				}
			}
		}
	}
	return split
}

// infer computes the types at the start of each reachable block.
func (g *graph) infer(start frame) error {
	g.blocks[0].entry = start
	known := make([]bool, len(g.blocks))
	known[0] = true
	flow := func(to int32, f *frame) (bool, error) {
		b := &g.blocks[to]
		if !known[to] {
			known[to] = true
			b.entry = f.clone()
			return true, nil
		}
		return b.entry.merge(f)
	}
	for changed := true; changed; {
		changed = false
		for _, k := range g.order {
			b := &g.blocks[k]
			f := b.entry.clone()
			for i := b.start; i < b.end; i++ {
				if err := f.apply(&g.code.Insns[i]); err != nil {
					return fmt.Errorf("at %d: %w", g.code.Insns[i].PC, err)
				}
			}
			for _, s := range b.succs {
				c, err := flow(s, &f)
				if err != nil {
					return fmt.Errorf("at %d: %w", g.code.Insns[g.blocks[s].start].PC, err)
				}
				changed = changed || c
			}
			for _, h := range b.handlers {
				c, err := flow(h, &frame{b.entry.locals, []string{g.blocks[h].catch}})
				if err != nil {
					return err
				}
				changed = changed || c
			}
		}
	}
	return nil
}

// numbers gives the reachable blocks their numbers in the neutral language, in
// the order of the code, beginning with first.
func (g *graph) numbers(first ir.BlockID) []ir.BlockID {
	ids := make([]ir.BlockID, len(g.blocks))
	for k := range g.blocks {
		ids[k] = ir.None
		if g.blocks[k].reached {
			ids[k] = first
			first++
		}
	}
	return ids
}
