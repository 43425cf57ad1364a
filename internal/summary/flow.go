package summary

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// run summarises the function, given the summaries of what it calls.
func (f *function) run() {
	f.evaluate()
	f.indexContents()
	f.findReturned()
	f.findSignals()
	f.solve()
	f.index = make(map[string]int)
	for i := range f.body.Instrs {
		if in := &f.body.Instrs[i]; isCall(in.Op) && ir.How(in.Sub) == ir.Spawned {
			f.startsOrigins = true
			f.spawnSites = append(f.spawnSites, int32(i))
		}
	}
	f.entryCopies()
	var exits []exit
	for b := range f.body.Blocks {
		s := &f.entry[b]
		if !s.reached {
			continue
		}
		now := s.clone()
		blk := &f.body.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			f.emit(&now, i)
			if f.body.Instrs[i].Op == ir.OpReturn {
				exits = append(exits, exit{i, now.clone()})
			}
			f.transfer(&now, i)
		}
	}
	f.finish(exits)
}

// exit is the state before a return.
type exit struct {
	instr int32
	state state
}

// solve is the forward data-flow problem over blocks.
func (f *function) solve() {
	f.entry = make([]state, len(f.body.Blocks))
	if len(f.entry) == 0 {
		return
	}
	f.entry[0].reached = true
	work := []ir.BlockID{0}
	queued := make([]bool, len(f.entry))
	queued[0] = true
	if b := f.body.Recover; b != ir.None && f.a.sound {
		f.entry[b].reached = true // after any of the code, with nothing held
		work = append(work, b)
		queued[b] = true
	}
	for len(work) > 0 {
		shuffle.Front(work)
		b := work[0]
		work = work[1:]
		queued[b] = false
		now := f.entry[b].clone()
		blk := &f.body.Blocks[b]
		for i := blk.First; i < blk.End; i++ {
			f.transfer(&now, i)
		}
		push := func(to ir.BlockID, s *state) {
			if f.entry[to].join(s) && !queued[to] {
				queued[to] = true
				work = append(work, to)
			}
		}
		for k, succ := range f.body.Succs(b) {
			if s := f.onBranch(&now, b, k); s != nil {
				push(succ, s)
			} else {
				push(succ, &now)
			}
		}
		for _, h := range f.body.Handlers(b) {
			push(h, &f.entry[b])
		}
	}
}

// transfer applies an instruction to the state.
func (f *function) transfer(s *state, i int32) {
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	s.observed = s.observed || f.sum.Waits && f.observes(i)
	switch in.Op {
	case ir.OpLock:
		if in.Flags&(ir.FlagTry|ir.FlagMaybe) == 0 {
			f.acquire(s, Held{Path: f.value(args[0]), Mode: ir.Mode(in.Sub), Pos: f.at(i)}, in.Flags&ir.FlagReentrant != 0)
		}
	case ir.OpUnlock:
		f.release(s, f.value(args[0]))
	case ir.OpStore, ir.OpMapSet, ir.OpAtomic:
		f.storeValue(s, in, args)
		if in.Op == ir.OpAtomic && ir.AtomicKind(in.Sub) != ir.AtomicStore {
			f.flag(s, f.value(args[0]))
		}
	case ir.OpSend:
		f.publish(s, f.value(args[1]), true)
		f.transferChannel(s, i)
	case ir.OpSelect:
		for k := 2; k < len(args); k += 3 {
			f.publish(s, f.value(args[k]), true)
		}
		s.waited = s.waited || f.waits(i, in)
		f.transferChannel(s, i)
	case ir.OpRecv:
		if f.chanLock(args[0]) != NoPath {
			f.transferChannel(s, i)
			break
		}
		s.waited = s.waited || f.waits(i, in)
	case ir.OpJoin, ir.OpAwait, ir.OpGroup:
		s.waited = s.waited || f.waits(i, in)
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		f.transferCall(s, i, in)
	case ir.OpOnce:
		f.transferOnce(s, i, in)
	case ir.OpRunDefers:
		f.transferDefers(s)
	}
}

// waits tells whether an instruction waits for another origin, once. What waits
// in a loop waits for work.
func (f *function) waits(i int32, in *ir.Instr) bool {
	switch in.Op {
	case ir.OpAwait:
		if in.Flags&ir.FlagMaybe != 0 {
			return false
		}
	case ir.OpGroup:
		if ir.GroupKind(in.Sub) != ir.GroupWait {
			return false
		}
	case ir.OpSelect:
		args := f.body.Args(in)
		for k := 2; k < len(args); k += 3 {
			if args[k] != ir.NoValue {
				return false
			}
		}
		if in.Flags&ir.FlagBlocking == 0 {
			return false
		}
	}
	return !f.inCycle(f.body.BlockOf(i))
}

// inCycle tells whether control can come back to a block.
func (f *function) inCycle(b ir.BlockID) bool {
	seen := make([]bool, len(f.body.Blocks))
	work := []ir.BlockID{b}
	for len(work) > 0 {
		from := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range f.body.Succs(from) {
			if s == b {
				return true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// flag notes that something of an object was loaded atomically: a flag that may
// say that the rest of it is complete.
func (f *function) flag(s *state, p Path) {
	if p == NoPath {
		return
	}
	for _, e := range f.expand(p) {
		s.flagged = addPath(s.flagged, f.t.Base(e))
		if owner := f.t.Parent(e); owner != NoPath {
			s.flagged = addPath(s.flagged, owner)
		}
	}
}

// storeValue publishes a stored value unless it went into memory that is still
// our own.
func (f *function) storeValue(s *state, in *ir.Instr, args []ir.Value) {
	if in.Op == ir.OpAtomic && !ir.AtomicKind(in.Sub).Writes() {
		return
	}
	v := f.value(args[len(args)-1])
	if v == NoPath {
		return
	}
	addr := f.value(args[0])
	if addr == NoPath {
		return
	}
	f.publishAt(s, addr, v)
}

func (f *function) publishAt(s *state, addr, v Path) {
	for _, a := range f.expand(addr) {
		base := f.t.Base(a)
		if f.ownMemory(a) && !s.has(base) || !f.a.keep.mayBeShared(f.t, a) {
			continue
		}
		f.publish(s, v, f.t.Last(base).Kind == Global || s.has(base) && f.t.Last(base).Kind == fresh)
	}
}

// transferCall composes the callee's effects (RELAY, figures 3 and 4).
func (f *function) transferCall(s *state, i int32, in *ir.Instr) {
	switch ir.How(in.Sub) {
	case ir.Spawned:
		s.spawned = true
		if !slices.Contains(s.spawns, i) {
			s.spawns = append(s.spawns[:len(s.spawns):len(s.spawns)], i)
		}
		for _, v := range f.body.Args(in) {
			f.publish(s, f.value(v), true)
		}
		return
	case ir.Deferred:
		return
	}
	bs := f.bindings(i, in)
	if len(bs) == 0 && f.a.sound {
		for _, v := range f.body.Args(in) {
			f.publish(s, f.value(v), true)
		}
	}
	f.apply(s, bs)
}

// apply joins the outcomes of all targets of a call.
func (f *function) apply(s *state, bs []binding) {
	if len(bs) == 0 {
		return
	}
	var out state
	for k := range bs {
		one := s.clone()
		f.applyOne(&one, &bs[k])
		one.reached = true
		out.join(&one)
	}
	*s = out
}

func (f *function) applyOne(s *state, b *binding) {
	for _, p := range b.sum.Releases {
		for _, q := range f.rebase(b, p) {
			f.release(s, q)
		}
	}
	for _, h := range b.sum.Acquires {
		h.Path = f.single(b, h.Path)
		f.acquire(s, h, false)
	}
	for _, k := range b.sum.Publishes {
		if k < len(b.args) {
			f.publish(s, b.args[k], true)
		}
	}
	for _, st := range b.sum.Stores {
		for _, place := range f.rebase(b, st.Place) {
			for _, v := range f.rebase(b, st.Value) {
				f.publishAt(s, place, v)
			}
		}
	}
	locks := false
	for i := range b.sum.Accesses {
		a := &b.sum.Accesses[i]
		if a.Kind == AtomicRead && a.Origin == nil {
			for _, p := range f.rebase(b, a.Path) {
				f.flag(s, p)
			}
		}
		s.spawned = s.spawned || a.Origin != nil
		locks = locks || a.Kind.Writes() && a.Origin == nil && len(a.Locks) > 0
	}
	if locks {
		s.after = mergeNames(s.after, []string{b.sum.Symbol})
	}
	for k := range b.sum.Returns {
		if p := f.resultRoot(b.instr, k); f.known[p] {
			s.published = addPath(s.published, p)
		}
	}
	for i := range b.sum.Callbacks {
		cb := &b.sum.Callbacks[i]
		if cb.Spawned {
			for _, p := range f.rebase(b, cb.Path) {
				f.publish(s, p, true)
			}
		}
	}
}

// transferOnce runs the body of a once, after which the once counts as held for
// reading: whatever its body wrote is complete.
func (f *function) transferOnce(s *state, i int32, in *ir.Instr) {
	if f.a.prog.separately(f.code, in) {
		// Nothing the body does concerns its caller but that origins may have begun.
		if t := f.a.touched[f.funcs[f.body.Args(in)[1]]]; t != nil && t.spawns {
			s.spawned = true
		}
	} else {
		before := s.clone()
		f.apply(s, f.bindings(i, in))
		s.join(&before) // the body runs at most once
	}
	if once := f.value(f.body.Args(in)[0]); once == NoPath || f.a.onceMatters(once, NoPath) {
		f.acquire(s, Held{Path: once, Mode: ir.Shared, Once: true, Pos: f.at(i)}, false)
	}
}

// transferDefers lets go of every lock that a deferred call which is still in
// the list may release.
func (f *function) transferDefers(s *state) {
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		if !isCall(in.Op) || ir.How(in.Sub) != ir.Deferred {
			continue
		}
		bs := f.bindings(int32(i), in)
		for k := range bs {
			for _, p := range bs[k].sum.Releases {
				for _, q := range f.rebase(&bs[k], p) {
					f.release(s, q)
				}
			}
		}
	}
}

func isCall(op ir.Op) bool { return op == ir.OpCall || op == ir.OpInvoke || op == ir.OpCallPtr }

func (f *function) at(i int32) Pos {
	if i < 0 {
		return f.pos
	}
	return place(f.unit, f.body.Pos[i])
}

// onBranch returns the state on the edge to successor k, where a test tells
// whether a lock was taken; nil if the test says nothing.
func (f *function) onBranch(s *state, b ir.BlockID, k int) *state {
	term := &f.body.Instrs[f.body.Blocks[b].End-1]
	if term.Op != ir.OpIf {
		return nil
	}
	outcome := [...]Outcome{True, False}[k]
	locks := f.locksIf(f.body.Args(term)[0], outcome, 0)
	if len(locks) == 0 {
		return nil
	}
	out := s.clone()
	for _, h := range locks {
		f.acquire(&out, h, false)
	}
	return &out
}

// locksIf returns the locks that are held if a value has an outcome.
func (f *function) locksIf(v ir.Value, o Outcome, depth int) []Held {
	r := v.Reg()
	if r == ir.None || f.defs[r] == ir.None || depth > 8 {
		return nil
	}
	i := f.defs[r]
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpUnary:
		if ir.UnaryKind(in.Sub) == ir.UnNot && (o == True || o == False) {
			return f.locksIf(args[0], True+False-o, depth+1)
		}
	case ir.OpLock:
		if in.Flags&ir.FlagTry != 0 && o == True {
			return []Held{{Path: f.value(args[0]), Mode: ir.Mode(in.Sub), Pos: f.at(i)}}
		}
	case ir.OpBinary:
		return f.locksIfCompared(in, args, o, depth)
	case ir.OpCopy, ir.OpBox:
		return f.locksIf(args[0], o, depth+1)
	case ir.OpExtract:
		if t := args[0].Reg(); t != ir.None && f.defs[t] != ir.None && isCall(f.body.Instrs[f.defs[t]].Op) {
			return f.conditional(f.defs[t], int(in.Aux), o)
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		return f.conditional(i, 0, o)
	}
	return nil
}

func (f *function) locksIfCompared(in *ir.Instr, args []ir.Value, o Outcome, depth int) []Held {
	kind := ir.BinaryKind(in.Sub)
	if kind != ir.BinEq && kind != ir.BinNe || o != True && o != False {
		return nil
	}
	x, c := args[0], f.outcome(args[1])
	if c == Unknown {
		x, c = args[1], f.outcome(args[0])
	}
	if c == Unknown && (kind == ir.BinEq) == (o == True) {
		return f.lockIfChosen(args[0], args[1])
	}
	if c == Unknown || c == NonNil {
		return nil
	}
	if (kind == ir.BinEq) != (o == True) {
		c = opposite(c)
	}
	return f.locksIf(x, c, depth+1)
}

// outcome classifies an operand by itself.
func (f *function) outcome(v ir.Value) Outcome {
	if c := v.Const(); c != ir.None {
		switch f.unit.Consts[c].Text {
		case "true":
			return True
		case "false":
			return False
		case "nil", "zero":
			return Nil
		}
		return Unknown
	}
	r := v.Reg()
	if r == ir.None {
		return Unknown
	}
	if d := f.defs[r]; d != ir.None {
		switch in := &f.body.Instrs[d]; in.Op {
		case ir.OpLoad, ir.OpCall:
			if f.a.sound {
				return Unknown
			}
		}
		switch in := &f.body.Instrs[d]; in.Op {
		case ir.OpAlloc, ir.OpMakeMap, ir.OpMakeChan, ir.OpMakeSlice, ir.OpClosure, ir.OpField, ir.OpIndex, ir.OpBox:
			return NonNil
		case ir.OpLoad:
			// Sentinels: a global that is returned is taken not to be nil.
			if f.body.Args(in)[0].Kind() == ir.ValueGlobal && f.isInterface(in.Type) {
				return NonNil
			}
		case ir.OpCall:
			// What makes an error from nothing is taken to make one.
			if len(f.calls[d]) == 0 && f.isInterface(in.Type) {
				return NonNil
			}
		}
	}
	return Unknown
}

func (f *function) isInterface(t ir.TypeID) bool {
	ty := &f.unit.Types[t]
	return ty.Kind == ir.KindInterface || ty.Kind == ir.KindNamed && ty.Name == "error"
}

// conditional returns the locks that a call took if result k has an outcome:
// those that every target takes then.
func (f *function) conditional(i int32, k int, o Outcome) []Held {
	bs := f.bindings(i, &f.body.Instrs[i])
	var out []Held
	for j := range bs {
		var mine []Held
		for _, c := range bs[j].sum.Conditional {
			if c.Result == k && c.When == o {
				for _, h := range c.Acquires {
					if h.Path = f.single(&bs[j], h.Path); h.Path != NoPath {
						mine = append(mine, h)
					}
				}
			}
		}
		if j == 0 {
			out = mine
		} else {
			out, _ = joinHeld(out, mine)
		}
	}
	return out
}
