package summary

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// Order between origins other than by locks. What an origin did before it
// signals is complete for whoever has waited for the signal. A summary does not
// know who waits for whom, but without a signal after an access, or without a wait
// before the other, no order from the one to the other can be meant. R-SUM-5.

// signals tells whether an instruction may let other origins know how far this
// one is.
func (f *function) signals(i int32) bool {
	in := &f.body.Instrs[i]
	switch in.Op {
	case ir.OpSend:
		// What a model sends comes from the library, not from here.
		return in.Flags&ir.FlagModel == 0 && f.chanLock(f.body.Args(in)[0]) == NoPath
	case ir.OpClose, ir.OpNotify, ir.OpPost:
		return true
	case ir.OpGroup:
		return ir.GroupKind(in.Sub) == ir.GroupDone
	case ir.OpAtomic:
		return ir.AtomicKind(in.Sub).Writes()
	case ir.OpStore:
		return ir.Order(in.Sub) != ir.Plain
	case ir.OpSelect:
		args := f.body.Args(in)
		for k := 2; k < len(args); k += 3 {
			if args[k] != ir.NoValue && f.chanLock(args[k-1]) == NoPath {
				return true
			}
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpOnce:
		bs := f.bindings(i, in)
		for k := range bs {
			if bs[k].sum.Signals {
				return true
			}
		}
	case ir.OpRunDefers:
		for k := range f.body.Instrs {
			if d := &f.body.Instrs[k]; isCall(d.Op) && ir.How(d.Sub) == ir.Deferred && f.signals(int32(k)) {
				return true
			}
		}
	}
	return false
}

// observes tells whether an instruction may learn how far other origins are.
func (f *function) observes(i int32) bool {
	in := &f.body.Instrs[i]
	switch in.Op {
	case ir.OpRecv:
		return f.chanLock(f.body.Args(in)[0]) == NoPath
	case ir.OpJoin, ir.OpAwait, ir.OpCondWait:
		return true
	case ir.OpGroup:
		return ir.GroupKind(in.Sub) == ir.GroupWait
	case ir.OpAtomic:
		return ir.AtomicKind(in.Sub) != ir.AtomicStore
	case ir.OpLoad:
		return ir.Order(in.Sub) != ir.Plain
	case ir.OpSelect:
		args := f.body.Args(in)
		for k := 2; k < len(args); k += 3 {
			if args[k] == ir.NoValue {
				return true
			}
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpOnce:
		if in.Op != ir.OpOnce && ir.How(in.Sub) != ir.Now {
			return false
		}
		bs := f.bindings(i, in)
		for k := range bs {
			if bs[k].sum.Waits {
				return true
			}
		}
	}
	return false
}

// findSignals computes which instructions signal, and from which blocks' ends
// one that does can be reached.
func (f *function) findSignals() {
	n := len(f.body.Blocks)
	f.signalling = make([]bool, len(f.body.Instrs))
	inside, after := make([]bool, n), make([]bool, n)
	for b := range f.body.Blocks {
		blk := &f.body.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			if f.signals(i) {
				f.signalling[i], inside[b], f.sum.Signals = true, true, true
			}
			f.sum.Waits = f.sum.Waits || f.observes(i)
		}
	}
	if !f.sum.Signals {
		f.signalsLater = after
		return
	}
	for changed := true; changed; {
		changed = false
		for b := n - 1; b >= 0; b-- {
			if after[b] {
				continue
			}
			for _, s := range f.body.Succs(ir.BlockID(b)) {
				if inside[s] || after[s] {
					after[b], changed = true, true
					break
				}
			}
		}
	}
	f.signalsLater = after
}

// around returns the circumstances of an instruction that follow from the order
// of signals and waits.
func (f *function) around(s *state, i int32) AccessFlags {
	var flags AccessFlags
	if s.observed {
		flags |= WaitsBefore
	}
	if i < 0 || !f.sum.Signals {
		return flags
	}
	b := f.body.BlockOf(i)
	if f.signalsLater[b] {
		return flags | SignalsAfter
	}
	for k := i + 1; k < f.body.Blocks[b].End; k++ {
		if f.signalling[k] {
			return flags | SignalsAfter
		}
	}
	return flags
}

// updates tells whether a store puts back what it made from the value that was
// there.
func (f *function) updates(in *ir.Instr) bool {
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpStore, ir.OpMapSet:
		addr := f.value(args[0])
		return addr != NoPath && f.madeFrom(args[len(args)-1], addr, 0)
	}
	return false
}

// madeFrom tells whether a value was computed from what is at an address.
func (f *function) madeFrom(v ir.Value, addr Path, depth int) bool {
	d := f.definition(v)
	if d < 0 || depth > 4 {
		return false
	}
	in := &f.body.Instrs[d]
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpLoad, ir.OpMapGet:
		return f.value(args[0]) == addr
	case ir.OpBinary, ir.OpUnary, ir.OpAppend, ir.OpConvert, ir.OpCopy, ir.OpCast, ir.OpExtract, ir.OpSlice, ir.OpPhi:
		for _, a := range args {
			if f.madeFrom(a, addr, depth+1) {
				return true
			}
		}
	}
	return false
}

// avoidable tells whether some way through the function does without a block.
func (f *function) avoidable(b ir.BlockID) bool {
	if b == 0 {
		return false
	}
	seen := make([]bool, len(f.body.Blocks))
	seen[0], seen[b] = true, true
	work := []ir.BlockID{0}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		if f.body.Instrs[f.body.Blocks[from].End-1].Op == ir.OpReturn {
			return true
		}
		for _, s := range f.body.Succs(from) {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// markLazy marks reads that follow a critical section in which this function
// makes the value if it is missing: every write of it here is made under a lock
// that the read has passed, on some ways only, and not from what was there.
func (f *function) markLazy() {
	for k := range f.sum.Accesses {
		a := &f.sum.Accesses[k]
		if len(a.passed) == 0 || a.Kind != Read || a.Chain.Next != nil {
			continue
		}
		made := false
		for j := range f.sum.Accesses {
			w := &f.sum.Accesses[j]
			if w.Kind != Write || w.Path != a.Path || w.Chain.Next != nil || w.Origin != nil {
				continue
			}
			if made = f.madeInSection(w, a.passed); !made {
				break
			}
		}
		if made {
			a.Flags |= Lazy
		}
	}
	for k := range f.sum.Accesses {
		f.sum.Accesses[k].passed = nil
	}
}

func (f *function) madeInSection(w *Access, passed []Path) bool {
	if w.Flags&Updates != 0 || w.Flags&Sometimes == 0 {
		return false
	}
	for _, h := range w.Locks {
		for _, p := range passed {
			for _, e := range f.expand(p) {
				if f.canon(e) == h.Path || f.canonOther(e) == h.Path {
					return true
				}
			}
		}
	}
	return false
}
