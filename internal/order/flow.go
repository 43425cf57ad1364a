package order

import (
	"encoding/binary"
	"sort"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// solve computes the sets of one origin.
func (r *Result) solve(w *world) {
	n := len(w.insts)
	w.mayGen = make([]set, n)
	w.mustGen = make([]set, n)
	w.entryMay = make([]set, n)
	w.entryMust = make([]set, n)
	w.blocks = make([]*blockSets, n)
	for i := range w.insts {
		w.mayGen[i] = newSet(len(w.cuts))
		w.entryMay[i] = newSet(len(w.cuts))
	}
	if len(w.cuts) == 0 {
		for i := range w.insts {
			w.mustGen[i], w.entryMust[i] = newSet(0), newSet(0)
		}
		return
	}
	r.solveMayGen(w)
	state := make([]uint8, n)
	for i := range w.insts {
		r.solveMustGen(w, i, state)
	}
	r.solveEntries(w)
}

func (r *Result) solveMayGen(w *world) {
	for k := range w.cuts {
		if p := w.cuts[k].point; p.Inst >= 0 {
			w.execute(w.mayGen[w.index[p.Inst]], int32(k))
		}
	}
	work := append([]pointer.InstID(nil), w.insts...)
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range r.runs.CallersOf(id) {
			if r.skipped(c.Inst, c.Instr) {
				continue
			}
			if w.mayGen[w.index[c.Inst]].union(w.mayGen[w.index[id]]) {
				work = append(work, c.Inst)
			}
		}
	}
}

// solveMustGen computes what an instance surely executes. Inside recursion
// nothing is sure.
func (r *Result) solveMustGen(w *world, i int, state []uint8) set {
	const busy, done = 1, 2
	switch state[i] {
	case done:
		return w.mustGen[i]
	case busy:
		return nil
	}
	state[i] = busy
	inst := &r.pts.Instances[w.insts[i]]
	for _, e := range inst.Calls {
		if e.How == ir.Now {
			r.solveMustGen(w, w.index[e.Target], state)
		}
	}
	bs := r.blockFlow(w, i)
	must := newSet(len(w.cuts))
	body := r.pts.Body(w.insts[i])
	if body != nil {
		first := true
		for b := range body.Blocks {
			blk := &body.Blocks[b]
			if !bs.reached[b] || body.Instrs[blk.End-1].Op != ir.OpReturn {
				continue
			}
			at := r.within(w, i, b, blk.End-1, bs.must[b].clone(), true)
			if first {
				must, first = at, false
			} else {
				must.intersect(at)
			}
		}
	}
	w.mustGen[i] = must
	w.blocks[i] = bs
	state[i] = done
	return must
}

// blockFlow computes may and must sets at the start of each block of an
// instance.
func (r *Result) blockFlow(w *world, i int) *blockSets {
	body := r.pts.Body(w.insts[i])
	bs := &blockSets{}
	if body == nil {
		return bs
	}
	n := len(body.Blocks)
	bs.may, bs.must, bs.reached = make([]set, n), make([]set, n), make([]bool, n)
	if n == 0 {
		return bs
	}
	bs.may[0], bs.must[0], bs.reached[0] = newSet(len(w.cuts)), newSet(len(w.cuts)), true
	work := []ir.BlockID{0}
	flow := func(to ir.BlockID, may, must set) {
		if !bs.reached[to] {
			bs.reached[to] = true
			bs.may[to], bs.must[to] = may.clone(), must.clone()
			work = append(work, to)
			return
		}
		a, b := bs.may[to].union(may), bs.must[to].intersect(must)
		if a || b {
			work = append(work, to)
		}
	}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		end := body.Blocks[b].End
		may := r.within(w, i, int(b), end, bs.may[b].clone(), false)
		must := r.within(w, i, int(b), end, bs.must[b].clone(), true)
		for k, s := range body.Succs(b) {
			if !r.values.Edge(w.insts[i], b, k) {
				continue
			}
			flow(s, may, r.onBranch(w, w.insts[i], body, b, k, must))
		}
		for _, h := range body.Handlers(b) {
			flow(h, may, bs.must[b])
		}
	}
	return bs
}

// within adds to the set at the start of block b what its instructions before
// end execute.
func (r *Result) within(w *world, i, b int, end int32, s set, must bool) set {
	id := w.insts[i]
	body := r.pts.Body(id)
	list := r.interesting(id, body)
	for _, k := range list[sort.Search(len(list), func(n int) bool { return list[n] >= body.Blocks[b].First }):] {
		if k >= end {
			break
		}
		in := &body.Instrs[k]
		if r.runs.Begins(id, k) {
			clear(s)
		}
		switch in.Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpOnce, ir.OpRunDefers:
			if ir.How(in.Sub) != ir.Spawned || in.Op == ir.OpRunDefers {
				r.afterCall(w, id, k, in, s, must)
			}
		}
		for _, c := range w.byPoint[runs.Point{Inst: id, Instr: k}] {
			if w.cuts[c].happens(in, must) {
				w.execute(s, c)
			}
		}
	}
	return s
}

// execute adds a cut and its class.
func (w *world) execute(s set, c int32) {
	s.add(c)
	if k := w.cuts[c].class; k >= 0 {
		s.add(k)
	}
}

// happens tells whether a cut at an instruction has surely, or possibly, been
// executed when the instruction has.
func (c *cut) happens(in *ir.Instr, must bool) bool {
	if in.Op == ir.OpSelect {
		return c.sole || !must && !c.dead
	}
	return !must || in.Flags&(ir.FlagMaybe|ir.FlagTry) == 0
}

// interesting lists the instructions of a function that may be cuts or lead to
// some.
func (r *Result) interesting(id pointer.InstID, body *ir.Body) []int32 {
	list, ok := r.syncs[id]
	if ok {
		return list
	}
	for i := range body.Instrs {
		if r.runs.Begins(id, int32(i)) {
			list = append(list, int32(i))
			continue
		}
		switch body.Instrs[i].Op {
		case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpOnce, ir.OpRunDefers, ir.OpSelect,
			ir.OpSend, ir.OpRecv, ir.OpClose, ir.OpPost, ir.OpAwait, ir.OpJoin, ir.OpGroup,
			ir.OpStore, ir.OpAtomic, ir.OpLock, ir.OpUnlock:
			list = append(list, int32(i))
		}
	}
	r.syncs[id] = list
	return list
}

// afterCall adds what the targets of a call execute.
func (r *Result) afterCall(w *world, id pointer.InstID, k int32, in *ir.Instr, s set, must bool) {
	var common set
	for _, e := range r.pts.Instances[id].Calls {
		deferred := in.Op == ir.OpRunDefers && e.How == ir.Deferred
		if !deferred && (e.Instr != k || e.How != ir.Now) || r.skipped(id, e.Instr) {
			continue
		}
		t := w.index[e.Target]
		if !must {
			s.union(w.mayGen[t])
			continue
		}
		if deferred || w.mustGen[t] == nil || in.Flags&(ir.FlagMany|ir.FlagMaybe) != 0 {
			return
		}
		if common == nil {
			common = w.mustGen[t].clone()
		} else {
			common.intersect(w.mustGen[t])
		}
	}
	if common != nil {
		s.union(common)
	}
}

func (r *Result) skipped(inst pointer.InstID, instr int32) bool {
	return r.skip != nil && r.skip(inst, instr)
}

// solveEntries computes what has been executed when an instance begins.
func (r *Result) solveEntries(w *world) {
	known := make([]bool, len(w.insts))
	var work []int
	for i, id := range w.insts {
		if r.runs.Entry(id) {
			w.entryMust[i] = newSet(len(w.cuts))
			known[i] = true
			work = append(work, i)
		} else {
			w.entryMust[i] = newSet(len(w.cuts))
			w.entryMust[i].fill()
		}
	}
	for len(work) > 0 {
		i := work[0]
		work = work[1:]
		for _, e := range r.pts.Instances[w.insts[i]].Calls {
			if e.How == ir.Spawned || r.skipped(w.insts[i], e.Instr) {
				continue
			}
			t := w.index[e.Target]
			p := runs.Point{Inst: w.insts[i], Instr: e.Instr}
			may := r.mayAt(w, i, p)
			if e.How == ir.Deferred {
				// It runs at the end, whatever happened in between.
				may.union(w.mayGen[i])
			}
			a := w.entryMay[t].union(may)
			b := w.entryMust[t].intersect(r.mustAt(w, i, p))
			if a || b || !known[t] {
				known[t] = true
				work = append(work, t)
			}
		}
	}
}

func (r *Result) mayAt(w *world, i int, p runs.Point) set {
	return r.mayFrom(w, i, p, w.entryMay[i])
}

// mayFrom is mayAt for an activation with the given set at entry.
func (r *Result) mayFrom(w *world, i int, p runs.Point, entry set) set {
	s := entry.clone()
	if len(w.cuts) == 0 {
		return s
	}
	bs := w.blocks[i]
	b := int(r.pts.Body(p.Inst).BlockOf(p.Instr))
	if bs.reached[b] {
		s.union(r.within(w, i, b, p.Instr, bs.may[b].clone(), false))
	}
	return s
}

func (r *Result) mustAt(w *world, i int, p runs.Point) set {
	return r.mustFrom(w, i, p, w.entryMust[i])
}

// mustFrom is mustAt for an activation with the given set at entry.
func (r *Result) mustFrom(w *world, i int, p runs.Point, entry set) set {
	s := entry.clone()
	if len(w.cuts) == 0 {
		return s
	}
	bs := w.blocks[i]
	b := int(r.pts.Body(p.Inst).BlockOf(p.Instr))
	if bs.reached[b] {
		s.union(r.within(w, i, b, p.Instr, bs.must[b].clone(), true))
	}
	return s
}

// segmentOf numbers the stretches between cuts.
func (r *Result) segmentOf(inst pointer.InstID, s *sets) int32 {
	key := make([]byte, 0, 16*len(s.may)+4)
	key = binary.LittleEndian.AppendUint32(key, uint32(inst))
	for i := range s.may {
		key = binary.LittleEndian.AppendUint64(key, s.may[i])
		key = binary.LittleEndian.AppendUint64(key, s.must[i])
	}
	id, ok := r.segments[string(key)]
	if !ok {
		id = int32(len(r.segments))
		r.segments[string(key)] = id
	}
	return id
}
