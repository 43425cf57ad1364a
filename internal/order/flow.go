package order

import (
	"slices"
	"sort"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// world returns the world of an origin, solved: of most frames that of a few
// origins is asked for.
func (r *Result) world(o origin.ID) *world {
	w := r.worlds[o]
	if w != nil && !w.solved {
		w.solved = true
		r.solve(w)
	}
	return w
}

// solve computes the sets of one origin: what instances execute, callees first,
// then what has been executed when they begin, callers first.
func (r *Result) solve(w *world) {
	n := len(w.insts)
	w.sets.init(len(w.cuts))
	w.mayGen = make([]setID, n)
	w.mustGen = make([]setID, n)
	w.entryMay = make([]setID, n)
	w.entryMust = make([]setID, n)
	w.flows = make([]*instFlow, n)
	if len(w.cuts) == 0 {
		return
	}
	list := r.components(w)
	w.rounds = make([]int32, n)
	for i := range list {
		if r.pts.Stopped() {
			return
		}
		if list[i].cyclic {
			for _, m := range list[i].members {
				w.rounds[m] = int32(i) + 1
			}
		}
		r.solveMayGen(w, &list[i])
		r.solveMustGen(w, &list[i])
	}
	r.solveEntries(w, list)
}

// solveMayGen computes what the instances of a component may execute: all that
// any of them, and what they call, does.
func (r *Result) solveMayGen(w *world, c *component) {
	own := newSet(len(w.cuts))
	var may setID
	for _, i := range c.members {
		for k := w.first[i]; k < w.end[i]; k++ {
			if w.cuts[k].point.Inst >= 0 {
				w.execute(own, k)
			}
		}
		for _, e := range r.pts.Instances[w.insts[i]].Calls {
			if r.stays(w.insts[i], e) {
				may = w.sets.union(may, r.mayCall(w, w.insts[i], e))
			}
		}
	}
	may = w.sets.union(may, w.sets.intern(own))
	for _, i := range c.members {
		w.mayGen[i] = may
	}
}

// solveMustGen computes what the instances of a component surely execute. In
// recursion that is what the activations that call no further surely do, and
// what follows from it: the least solution.
func (r *Result) solveMustGen(w *world, c *component) {
	if w.mayGen[c.members[0]] == empty {
		return
	}
	if !c.cyclic {
		i := c.members[0]
		r.flowOf(w, i)
		w.mustGen[i] = r.mustReturn(w, i, w.flows[i])
		return
	}
	members := slices.Clone(c.members)
	shuffle.All(members)
	stale := make(map[int32]bool, len(members)) // what they call has changed
	for _, i := range members {
		stale[i] = true
	}
	for again := true; again; {
		again = false
		for _, i := range members {
			if !stale[i] && len(r.toldIn(w.insts[i])) == 0 { // which depends on more of what it calls
				continue
			}
			stale[i] = false
			r.flowOf(w, i)
			must := r.mustReturn(w, i, w.flows[i])
			if must == w.mustGen[i] {
				continue
			}
			w.mustGen[i] = must
			again = true
			for _, call := range r.runs.CallersOf(w.insts[i]) {
				if k := r.index(call.Inst); r.isMember(stale, w, call.Inst, k) {
					stale[k] = true
				}
			}
		}
	}
}

// isMember tells whether an instance is one of those that stale is about.
func (r *Result) isMember(stale map[int32]bool, w *world, id pointer.InstID, index int32) bool {
	if int(index) >= len(w.insts) || w.insts[index] != id {
		return false // not in view
	}
	_, ok := stale[index]
	return ok
}

// mustReturn is what has surely been executed when an instance returns.
func (r *Result) mustReturn(w *world, i int32, f *instFlow) setID {
	body := r.pts.Body(w.insts[i])
	must := all
	for b := range body.Blocks {
		end := body.Blocks[b].End - 1
		if f.must[b] != unreached && body.Instrs[end].Op == ir.OpReturn {
			_, at := f.walk(w, int32(b), body.Blocks[b].First, end)
			must = w.sets.meet(must, at)
		}
	}
	if must == all {
		return empty
	}
	return must
}

// event is an instruction after which more has been executed.
type event struct {
	instr     int32
	may, must setID
	anew      bool // the frame begins anew: what was before does not count
}

// instFlow is what has been executed within an activation before each block, on
// top of what had been when it began.
type instFlow struct {
	events    []event
	may, must []setID // by block; unreached if control never gets there
}

const unreached setID = -2

// flowOf computes the flow of an instance from what its callees execute.
func (r *Result) flowOf(w *world, i int32) {
	body := r.pts.Body(w.insts[i])
	n := len(body.Blocks)
	f := w.flows[i]
	if f == nil {
		f = &instFlow{may: make([]setID, n), must: make([]setID, n)}
		w.flows[i] = f
	}
	f.events = r.events(w, i, body, f.events[:0])
	r.spread(w, i, f, nil)
}

// spread computes the flow of an instance that does not take some branches.
func (r *Result) spread(w *world, i int32, f *instFlow, dead []edge) {
	body := r.pts.Body(w.insts[i])
	n := len(body.Blocks)
	for b := range n {
		f.may[b], f.must[b] = unreached, unreached
	}
	if n == 0 {
		return
	}
	f.may[0], f.must[0] = empty, empty
	work := []ir.BlockID{0}
	flow := func(to ir.BlockID, may, must setID) {
		if f.may[to] != unreached {
			may, must = w.sets.union(f.may[to], may), w.sets.meet(f.must[to], must)
			if may == f.may[to] && must == f.must[to] {
				return
			}
		}
		f.may[to], f.must[to] = may, must
		work = append(work, to)
	}
	own := w.first[i] < w.end[i]
	var implied []impliedBy
	if slices.ContainsFunc(f.events, func(e event) bool { return e.must != empty }) {
		implied = r.codeOf(w.insts[i]).implied
	}
	run := func() {
		for len(work) > 0 {
			shuffle.Front(work)
			b := work[0]
			work = work[1:]
			may, must := f.walk(w, int32(b), body.Blocks[b].First, body.Blocks[b].End)
			for k, s := range body.Succs(b) {
				if !r.values.Edge(w.insts[i], b, k) || slices.Contains(dead, edge{b, k}) {
					continue
				}
				on := must
				if own {
					on = r.onBranch(w, w.insts[i], body, b, k, must)
				}
				if on = r.impliedOn(w, i, implied, b, k, on); on != all {
					flow(s, may, on)
				}
			}
			for _, h := range body.Handlers(b) {
				flow(h, may, f.must[b])
			}
		}
	}
	run()
	// What a branch implies changes with blocks far from it.
	for changed := len(implied) > 0; changed; {
		changed = false
		for n := range implied {
			b := implied[n].block
			if f.may[b] == unreached {
				continue
			}
			was := slices.Clone(f.must)
			work = append(work, b)
			run()
			changed = changed || !slices.Equal(was, f.must)
		}
	}
}

// walk returns what has been executed in an activation when control, coming
// from the start of block b, gets to an instruction of it.
func (f *instFlow) walk(w *world, b, first, to int32) (may, must setID) {
	may, must = f.may[b], f.must[b]
	k := sort.Search(len(f.events), func(n int) bool { return f.events[n].instr >= first })
	for ; k < len(f.events) && f.events[k].instr < to; k++ {
		e := &f.events[k]
		if e.anew {
			may, must = empty, empty
		}
		may, must = w.sets.union(may, e.may), w.sets.union(must, e.must)
	}
	return may, must
}

// events lists the instructions of an instance that execute cuts, directly or
// by calling.
func (r *Result) events(w *world, i int32, body *ir.Body, list []event) []event {
	id := w.insts[i]
	calls := r.pts.Instances[id].Calls // sorted by instruction
	k, c := 0, w.first[i]
	made := r.runs.Beginning(id)
	next := func() int32 {
		at := int32(len(body.Instrs))
		if k < len(calls) {
			at = calls[k].Instr
		}
		for c < w.end[i] && w.cuts[c].point.Inst < 0 {
			c++ // a class
		}
		if c < w.end[i] {
			at = min(at, w.cuts[c].point.Instr)
		}
		if made >= 0 {
			at = min(at, made)
		}
		return at
	}
	for at := next(); int(at) < len(body.Instrs); at = next() {
		e := event{instr: at, anew: at == made}
		if at == made {
			made = -1
		}
		from := k
		for k < len(calls) && calls[k].Instr == at {
			k++
		}
		in := &body.Instrs[at]
		r.afterCall(w, id, in, calls[from:k], &e)
		if c == w.end[i] || w.cuts[c].point.Inst >= 0 && w.cuts[c].point.Instr != at {
			if e.anew || e.may != empty || e.must != empty {
				list = append(list, e)
			}
			continue
		}
		may, must := newSet(len(w.cuts)), newSet(len(w.cuts))
		for ; c < w.end[i] && (w.cuts[c].point.Inst < 0 || w.cuts[c].point.Instr == at); c++ {
			if w.cuts[c].point.Inst < 0 || in.Op == ir.OpIf {
				continue // a test tells on one branch only: see onBranch
			}
			if w.cuts[c].happens(in, false) {
				w.execute(may, c)
			}
			if w.cuts[c].happens(in, true) {
				w.execute(must, c)
			}
		}
		e.may, e.must = w.sets.union(e.may, w.sets.intern(may)), w.sets.union(e.must, w.sets.intern(must))
		if e.anew || e.may != empty || e.must != empty {
			list = append(list, e)
		}
	}
	return r.runDefers(w, id, body, list)
}

// afterCall adds what the targets of a call execute.
func (r *Result) afterCall(w *world, id pointer.InstID, in *ir.Instr, calls []pointer.Edge, e *event) {
	must := all
	for _, c := range calls {
		if c.How != ir.Now || r.skipped(id, c.Instr) {
			continue
		}
		t := r.index(c.Target)
		e.may = w.sets.union(e.may, r.mayCall(w, id, c))
		must = w.sets.meet(must, w.mustGen[t])
	}
	if must != all && in.Flags&(ir.FlagMany|ir.FlagMaybe) == 0 {
		e.must = must
		if in.Op == ir.OpCallPtr && len(calls) == 1 && w.mayGen[r.index(calls[0].Target)] != must {
			for _, t := range r.toldIn(id) {
				if t.instr == calls[0].Instr && t.callee == r.pts.Instances[calls[0].Target].Func {
					e.must = r.mustTold(w, r.index(calls[0].Target), t.dead)
				}
			}
		}
	}
}

// runDefers adds what deferred calls execute, where they run.
func (r *Result) runDefers(w *world, id pointer.InstID, body *ir.Body, list []event) []event {
	var may setID
	for _, c := range r.pts.Instances[id].Calls {
		if c.How == ir.Deferred && !r.skipped(id, c.Instr) {
			may = w.sets.union(may, w.mayGen[r.index(c.Target)])
		}
	}
	if may == empty {
		return list
	}
	for k := range body.Instrs {
		if body.Instrs[k].Op == ir.OpRunDefers {
			list = append(list, event{instr: int32(k), may: may})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].instr < list[j].instr })
	return list
}

// execute adds a cut and its class.
func (w *world) execute(s set, c int32) {
	s.add(c)
	if k := w.cuts[c].class; k >= 0 {
		s.add(k)
	}
}

// with returns a set with one more cut.
func (w *world) with(id setID, c int32) setID {
	s := newSet(len(w.cuts))
	w.execute(s, c)
	return w.sets.union(id, w.sets.intern(s))
}

// happens tells whether a cut at an instruction has surely, or possibly, been
// executed when the instruction has.
func (c *cut) happens(in *ir.Instr, must bool) bool {
	if in.Op == ir.OpSelect {
		return c.op == ir.OpSelect || c.sole || !must && !c.dead
	}
	return !must || in.Flags&(ir.FlagMaybe|ir.FlagTry) == 0
}

// solveEntries computes what has been executed when an instance begins.
func (r *Result) solveEntries(w *world, list []component) {
	dirty := make([]bool, len(w.insts))
	known := make([]bool, len(w.insts))
	for i, id := range w.insts {
		w.entryMust[i] = all
		if r.runs.Entry(id) {
			w.entryMust[i] = empty
			known[i], dirty[i] = true, true
		}
	}
	// Calls lead to components earlier in the list.
	for k := len(list) - 1; k >= 0; k-- {
		c := &list[k]
		for again := true; again && !r.pts.Stopped(); {
			again = false
			members := slices.Clone(c.members)
			shuffle.All(members)
			for _, i := range slices.Backward(members) {
				if dirty[i] {
					dirty[i] = false
					r.enter(w, i, known, dirty)
					again = c.cyclic
				}
			}
		}
	}
}

// enter passes what has been executed on to what an instance calls.
func (r *Result) enter(w *world, i int32, known, dirty []bool) {
	body := r.pts.Body(w.insts[i])
	last, may, must := int32(-1), empty, empty
	for _, e := range r.pts.Instances[w.insts[i]].Calls {
		if !r.stays(w.insts[i], e) {
			continue
		}
		if e.Instr != last {
			last = e.Instr
			may, must = r.executed(w, i, body, e.Instr)
		}
		in := may
		if e.How == ir.Deferred {
			// It runs at the end, whatever happened in between.
			in = w.sets.union(in, w.mayGen[i])
		}
		t := r.index(e.Target)
		in, out := w.sets.union(w.entryMay[t], in), w.sets.meet(w.entryMust[t], must)
		if in != w.entryMay[t] || out != w.entryMust[t] || !known[t] {
			w.entryMay[t], w.entryMust[t] = in, out
			known[t], dirty[t] = true, true
		}
	}
}

// executed returns what may and what must have been executed before an
// instruction of an instance.
func (r *Result) executed(w *world, i int32, body *ir.Body, instr int32) (may, must setID) {
	may, must = r.executedIn(w, i, body, instr)
	return w.sets.union(w.entryMay[i], may), w.sets.union(w.entryMust[i], must)
}

// executedIn is executed for what the activation itself did.
func (r *Result) executedIn(w *world, i int32, body *ir.Body, instr int32) (may, must setID) {
	f := w.flows[i]
	if f == nil {
		return empty, empty
	}
	b := body.BlockOf(instr)
	if f.may[b] == unreached {
		return empty, empty
	}
	return f.walk(w, int32(b), body.Blocks[b].First, instr)
}
