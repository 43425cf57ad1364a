package lockset

import (
	"cmp"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// Held is a lock surely held, as its function names it.
type Held struct {
	Path  path.ID
	Value ir.Value // an operand with that path; NoValue if a callee took it
	Mode  ir.Mode
	Instr int32 // where it was taken
	Maybe bool  // held on some ways here only: protects nothing, but says something
	Kind  Kind
	Nests bool // the holder may take it again
	Again int8 // how often he has
	Cell  bool // comes out of a cell that a model makes up, which may hold none
}

func (h *Held) is(p path.ID, k Kind) bool { return h.Path == p && h.Kind == k }

// Function is the relative lockset analysis of one function.
type Function struct {
	Paths *path.Table

	a        *analysis
	fn       link.FuncID
	body     *ir.Body
	in       [][]Held // at the start of each block; nil for unreached ones
	reached  []bool
	acquired []Held           // L+ at exit
	released []release        // L- at exit, one of each path and kind
	releases []release        // where, in order
	strays   []release        // of mutexes that are not held by that name (see stray.go)
	answers  [2][]Held        // held at exit if the result is false, and if it is true (see try.go)
	memo     map[int32][]Held // answers of At, once the function is done

	deputised []deputy
}

// release is an instruction that may release a lock held at entry.
type release struct {
	path  path.ID
	kind  Kind
	instr int32
}

// analysis computes functions on demand.
type analysis struct {
	prog    *link.Program
	funcs   []*Function // by number; nil if it has no code or has not been asked for
	pending map[link.FuncID]bool
	calls   map[call][]link.FuncID // targets of dispatched calls
}

// call is a call instruction of a function, in whatever instance.
type call struct {
	fn    link.FuncID
	instr int32
}

func (a *analysis) function(fn link.FuncID) *Function {
	if int(fn) < len(a.funcs) && a.funcs[fn] != nil {
		return a.funcs[fn]
	}
	body := a.prog.Body(fn)
	if body == nil {
		return nil
	}
	f := &Function{a: a, fn: fn, body: body, Paths: path.Of(a.prog, fn, body)}
	a.pending[fn] = true
	f.deputised = f.deputies()
	f.run()
	f.memo = make(map[int32][]Held)
	delete(a.pending, fn)
	if more := int(fn) + 1 - len(a.funcs); more > 0 {
		a.funcs = append(a.funcs, make([]*Function, more)...)
	}
	a.funcs[fn] = f
	return f
}

// callee returns the finished analysis of a called function, nil while it is
// being computed: within recursion a call is taken to leave locks as they are.
func (a *analysis) callee(fn link.FuncID) *Function {
	if a.pending[fn] {
		return nil
	}
	return a.function(fn)
}

// run solves the forward data-flow problem over blocks.
func (f *Function) run() {
	n := len(f.body.Blocks)
	f.in = make([][]Held, n)
	f.reached = make([]bool, n)
	if n == 0 {
		return
	}
	f.reached[0] = true
	work := []ir.BlockID{0}
	for len(work) > 0 {
		shuffle.Front(work)
		b := work[0]
		work = work[1:]
		held := f.through(b, nil)
		for k, succ := range f.body.Succs(b) {
			if f.flow(succ, f.onBranch(held, b, k)) {
				work = append(work, succ)
			}
		}
		for _, h := range f.body.Handlers(b) {
			if f.flow(h, f.in[b]) {
				work = append(work, h)
			}
		}
	}
	// What is released follows from what is held in the end, not on the way there.
	released := map[release]bool{}
	for b := range f.body.Blocks {
		if f.reached[b] {
			f.through(ir.BlockID(b), released)
		}
	}
	f.summarise(released)
}

// through applies a block to what is held at its start.
func (f *Function) through(b ir.BlockID, released map[release]bool) []Held {
	held := append([]Held(nil), f.in[b]...)
	for i := f.body.Blocks[b].First; i < f.body.Blocks[b].End; i++ {
		held = f.transfer(held, i, released)
	}
	return held
}

// flow joins a state into the start of a block.
func (f *Function) flow(b ir.BlockID, held []Held) bool {
	if !f.reached[b] {
		f.reached[b] = true
		f.in[b] = append([]Held{}, held...)
		return true
	}
	joined := join(f.in[b], held)
	if equal(joined, f.in[b]) {
		return false
	}
	f.in[b] = joined
	return true
}

// join keeps what both hold, in the weaker mode; what one holds is held maybe
// (RELAY, section 6.6: conditional locking).
func join(a, b []Held) []Held {
	out := make([]Held, 0, len(a)+len(b))
	for _, x := range a {
		if y, ok := find(b, x.Path, x.Kind); ok {
			if y.Mode == ir.Shared {
				x.Mode = ir.Shared
			}
			x.Maybe = x.Maybe || y.Maybe
			x.Again = min(x.Again, y.Again)
			x.Nests, x.Cell = x.Nests || y.Nests, x.Cell || y.Cell
			if y.Instr < x.Instr {
				x.Instr, x.Value = y.Instr, y.Value
			}
		} else if x.Kind.past() {
			continue
		} else {
			x.Maybe = true
		}
		out = append(out, x)
	}
	for _, y := range b {
		if _, ok := find(a, y.Path, y.Kind); !ok && !y.Kind.past() {
			y.Maybe = true
			out = append(out, y)
		}
	}
	slices.SortStableFunc(out, func(a, b Held) int {
		return cmp.Or(cmp.Compare(a.Instr, b.Instr), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

func find(held []Held, p path.ID, kind Kind) (Held, bool) {
	for k := range held {
		if held[k].is(p, kind) {
			return held[k], true
		}
	}
	return Held{}, false
}

func equal(a, b []Held) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// transfer applies one instruction to the locks held.
func (f *Function) transfer(held []Held, i int32, released map[release]bool) []Held {
	in := &f.body.Instrs[i]
	switch in.Op {
	case ir.OpLock:
		if in.Flags&(ir.FlagTry|ir.FlagMaybe) != 0 {
			return held
		}
		return f.take(held, i, in)
	case ir.OpSend:
		return f.acquire(f.release(held, i, Token, released), f.body.Args(in)[0], ir.Exclusive, i, Buffer)
	case ir.OpUnlock:
		return f.release(held, i, Mutex, released)
	case ir.OpRecv:
		held = f.received(f.pass(f.release(held, i, Buffer, released), i), f.body.Args(in)[0])
		return f.acquire(held, f.body.Args(in)[0], ir.Exclusive, i, Token)
	case ir.OpAtomic, ir.OpStore:
		if changesAtomic(in) {
			held = f.release(held, i, Swap, released)
		}
	case ir.OpOnce, ir.OpJoin, ir.OpGroup:
		return f.pass(held, i)
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		if ir.How(in.Sub) == ir.Now {
			return f.applyCall(held, i, in, released)
		}
	}
	if in.Dst != ir.None && len(held) > 0 {
		// A root made by this instruction names another value from here on.
		held = f.forget(held, i)
	}
	return held
}

func (f *Function) acquire(held []Held, lock ir.Value, mode ir.Mode, i int32, kind Kind) []Held {
	p := f.Paths.Value(lock)
	if p == path.None {
		return held
	}
	for k := range held {
		if held[k].is(p, kind) {
			if held[k].Maybe {
				held[k] = Held{Path: p, Value: lock, Mode: mode, Instr: i, Kind: kind}
			} else if mode == ir.Exclusive {
				held[k].Mode = mode
			}
			return held
		}
	}
	return append(held, Held{Path: p, Value: lock, Mode: mode, Instr: i, Cell: f.fromCell(lock), Kind: kind})
}

// take acquires the lock of an instruction. Who holds a lock already that nests
// has to give it back once more.
func (f *Function) take(held []Held, i int32, in *ir.Instr) []Held {
	lock := f.body.Args(in)[0]
	p := f.Paths.Value(lock)
	if in.Flags&ir.FlagReentrant == 0 || p == path.None {
		return f.acquire(held, lock, ir.Mode(in.Sub), i, Mutex)
	}
	if again(held, p, 1) {
		return held
	}
	held = f.acquire(held, lock, ir.Mode(in.Sub), i, Mutex)
	for k := range held {
		held[k].Nests = held[k].Nests || held[k].is(p, Mutex)
	}
	return held
}

// fromCell tells whether a value comes out of a cell that a model makes up.
func (f *Function) fromCell(v ir.Value) bool {
	d := f.a.prog.Definition(f.fn, v)
	if d < 0 {
		return false
	}
	in := &f.body.Instrs[d]
	return in.Op == ir.OpLoad && in.Flags&ir.FlagModel != 0 && ir.Order(in.Sub) == ir.Relaxed
}

// again counts that a lock is taken n times more, and tells whether it was held.
func again(held []Held, p path.ID, n int8) bool {
	for k := range held {
		if h := &held[k]; h.is(p, Mutex) && h.Nests && !h.Maybe {
			h.Again = min(h.Again+n, maxAgain)
			return true
		}
	}
	return false
}

// maxAgain bounds how often a lock is counted: loops take it without end.
const maxAgain = 8

// giveBack releases a lock once.
func giveBack(held []Held, p path.ID, kind Kind) []Held {
	for k := range held {
		if held[k].is(p, kind) && held[k].Again > 0 {
			held = append([]Held(nil), held...)
			held[k].Again--
			return held
		}
	}
	return drop(held, p, kind)
}

// release applies an instruction that gives its operand back.
func (f *Function) release(held []Held, i int32, kind Kind, released map[release]bool) []Held {
	p := f.Paths.Value(f.body.Args(&f.body.Instrs[i])[0])
	if p == path.None {
		return held
	}
	if _, ok := find(held, p, kind); !ok && released != nil {
		released[release{p, kind, i}] = true
	}
	return giveBack(held, p, kind)
}

func drop(held []Held, p path.ID, kind Kind) []Held {
	for k := range held {
		if held[k].is(p, kind) {
			return append(held[:k:k], held[k+1:]...)
		}
	}
	return held
}

func (f *Function) forget(held []Held, i int32) []Held {
	out := held[:0:len(held)]
	for _, h := range held {
		if r := f.Paths.Get(f.Paths.Root(h.Path)); r.Kind == path.Value && r.N == i && h.Instr != i {
			continue
		}
		out = append(out, h)
	}
	return out
}

// applyCall composes the callee's relative lockset (RELAY, rule for calls):
// what it may have released is gone, what it surely acquired is held.
func (f *Function) applyCall(held []Held, i int32, in *ir.Instr, released map[release]bool) []Held {
	if in.Dst != ir.None && len(held) > 0 {
		held = f.forget(held, i)
	}
	targets, args, captures := f.targets(i, in)
	if len(targets) == 0 {
		return held
	}
	for _, q := range f.releasedByAny(targets, args, captures) {
		if _, ok := find(held, q.path, q.kind); !ok && released != nil {
			released[release{q.path, q.kind, i}] = true
		}
		held = giveBack(held, q.path, q.kind)
	}
	for _, h := range f.acquiredByAll(targets, args, captures, i) {
		if old, ok := find(held, h.Path, h.Kind); !ok {
			held = append(held, h)
		} else if !h.Maybe && h.Kind == Mutex && again(held, h.Path, h.Again+1) {
			continue
		} else if old.Maybe && !h.Maybe {
			held = append(drop(held, h.Path, h.Kind), h)
		}
	}
	return held
}

// releasedByAny returns what some target of a call may release, in the caller's
// terms.
func (f *Function) releasedByAny(targets []*Function, args, captures []ir.Value) []release {
	var all []release
	for _, callee := range targets {
		for _, r := range callee.released {
			q, ok := f.rebase(callee, r.path, args, captures)
			if r := (release{path: q, kind: r.kind}); ok && !slices.Contains(all, r) {
				all = append(all, r)
			}
		}
	}
	return all
}

// acquiredByAll returns what every target of a call surely acquires, and maybe
// what some do, in the caller's terms.
func (f *Function) acquiredByAll(targets []*Function, args, captures []ir.Value, i int32) []Held {
	var all []Held
	for k, callee := range targets {
		var got []Held
		for _, h := range callee.acquired {
			if q, ok := f.rebase(callee, h.Path, args, captures); ok {
				got = append(got, Held{Path: q, Value: ir.NoValue, Mode: h.Mode, Instr: i, Maybe: h.Maybe, Kind: h.Kind, Nests: h.Nests, Again: h.Again, Cell: h.Cell})
			}
		}
		if k == 0 {
			all = got
		} else {
			all = join(all, got)
		}
	}
	return all
}

// targets returns the functions a call may run, with its operands and, if it
// is a closure made here, its captures; none if one of them is not known.
func (f *Function) targets(i int32, in *ir.Instr) (callees []*Function, args, captures []ir.Value) {
	args = f.body.Args(in)
	if in.Flags&ir.FlagGroup != 0 {
		return nil, nil, nil
	}
	var ids []link.FuncID
	switch in.Op {
	case ir.OpCall:
		ids = []link.FuncID{f.a.prog.Callee(f.fn, ir.FuncRefID(in.Aux))}
	case ir.OpCallPtr:
		d := f.a.prog.Definition(f.fn, args[0])
		args = args[1:]
		if d < 0 || f.body.Instrs[d].Op != ir.OpClosure {
			return nil, nil, nil
		}
		made := &f.body.Instrs[d]
		captures = f.body.Args(made)
		ids = []link.FuncID{f.a.prog.Callee(f.fn, ir.FuncRefID(made.Aux))}
	default:
		ids = f.a.calls[call{f.fn, i}]
		if len(ids) > maxTargetFuncs {
			return nil, nil, nil
		}
	}
	for _, id := range ids {
		callee := f.a.callee(id)
		if callee == nil {
			return nil, nil, nil
		}
		callees = append(callees, callee)
	}
	return callees, args, captures
}

// maxTargetFuncs bounds the targets of a dispatched call whose effects are
// composed.
const maxTargetFuncs = 8

// rebase expresses a callee's path in the caller, given the operands of the
// call (RELAY, section 3.2: substitution of actuals for formals).
func (f *Function) rebase(callee *Function, p path.ID, args, captures []ir.Value) (path.ID, bool) {
	steps := callee.Paths.Steps(p)
	var at path.ID
	switch steps[0].Kind {
	case path.Param:
		if int(steps[0].N) >= len(args) {
			return path.None, false
		}
		at = f.Paths.Value(args[steps[0].N])
	case path.Capture:
		if int(steps[0].N) >= len(captures) {
			return path.None, false
		}
		at = f.Paths.Value(captures[steps[0].N])
	case path.Global:
		at = f.Paths.GlobalRoot(steps[0].N)
	default:
		return path.None, false
	}
	for _, s := range steps[1:] {
		var ok bool
		if at, ok = f.Paths.Extend(at, s); !ok {
			return path.None, false
		}
	}
	return at, at != path.None
}

// onBranch adds the lock of a try that succeeded on the edge to successor k.
func (f *Function) onBranch(held []Held, b ir.BlockID, k int) []Held {
	blk := &f.body.Blocks[b]
	term := &f.body.Instrs[blk.End-1]
	if term.Op != ir.OpIf {
		return held
	}
	if c := f.chosen(b, k); c != ir.NoValue {
		return f.received(held, c)
	}
	if d := f.swapped(b, k); d >= 0 {
		return f.acquire(append([]Held(nil), held...), f.body.Args(&f.body.Instrs[d])[0], ir.Exclusive, d, Swap)
	}
	cond, want := f.body.Args(term)[0].Reg(), 0
	for cond != ir.None {
		def := f.a.prog.Definition(f.fn, ir.RegValue(cond))
		if def < 0 {
			return held
		}
		in := &f.body.Instrs[def]
		if in.Op == ir.OpUnary && in.Sub == uint8(ir.UnNot) {
			cond, want = f.body.Args(in)[0].Reg(), 1-want
			continue
		}
		if in.Op == ir.OpCall || in.Op == ir.OpInvoke || in.Op == ir.OpCallPtr {
			return f.answered(held, def, k == want)
		}
		if in.Op != ir.OpLock || in.Flags&ir.FlagTry == 0 {
			return held
		}
		if k == want {
			return f.acquire(append([]Held(nil), held...), f.body.Args(in)[0], ir.Mode(in.Sub), def, Mutex)
		}
		// Where it failed nothing was taken, whatever other tests of the same try say.
		for i, h := range held {
			if h.Instr == def {
				return append(append([]Held(nil), held[:i]...), held[i+1:]...)
			}
		}
		return held
	}
	return held
}

// summarise computes L+ and L- at exit, over paths a caller can name.
func (f *Function) summarise(released map[release]bool) {
	first := true
	for b := range f.body.Blocks {
		blk := &f.body.Blocks[b]
		if !f.reached[b] || f.body.Instrs[blk.End-1].Op != ir.OpReturn {
			continue
		}
		held := f.At(blk.End - 1)
		if first {
			f.acquired, first = held, false
		} else {
			f.acquired = join(f.acquired, held)
		}
	}
	kept := f.acquired[:0:len(f.acquired)]
	for _, h := range f.acquired {
		if h.Path = f.Paths.Given(h.Path); f.nameable(h.Path) {
			kept = append(kept, h)
		}
	}
	f.acquired = kept
	f.findAnswers()
	for r := range released {
		if r.kind == Mutex {
			f.strays = append(f.strays, r)
		}
		if r.path = f.Paths.Given(r.path); f.nameable(r.path) {
			f.releases = append(f.releases, r)
		}
	}
	inOrder := func(a, b release) int {
		return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(a.kind, b.kind), cmp.Compare(a.instr, b.instr))
	}
	slices.SortFunc(f.releases, inOrder)
	slices.SortFunc(f.strays, inOrder)
	for k, r := range f.releases {
		if k == 0 || r.path != f.releases[k-1].path || r.kind != f.releases[k-1].kind {
			f.released = append(f.released, r)
		}
	}
}

func (f *Function) nameable(p path.ID) bool {
	k := f.Paths.Get(f.Paths.Root(p)).Kind
	return k == path.Param || k == path.Capture || k == path.Global
}

// At returns the locks acquired since entry that are surely held before
// instruction i.
func (f *Function) At(i int32) []Held {
	if f.memo == nil {
		return f.walk(i)
	}
	held, known := f.memo[i]
	if !known {
		held = f.walk(i)
		f.memo[i] = held
	}
	return held
}

func (f *Function) walk(i int32) []Held {
	b := f.body.BlockOf(i)
	if !f.reached[b] {
		return nil
	}
	held := append([]Held(nil), f.in[b]...)
	for k := f.body.Blocks[b].First; k < i; k++ {
		held = f.transfer(held, k, nil)
	}
	return held
}

// MayRelease tells whether a lock held at entry may have been released before
// instruction i.
func (f *Function) MayRelease(p path.ID, kind Kind, i int32) bool {
	for _, r := range f.releases {
		if r.path == p && r.kind == kind && runs.Reaches(f.body, r.instr, i, ir.None) {
			return true
		}
	}
	return false
}
