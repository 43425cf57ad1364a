package summary

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// findReturned notes which fresh objects are results.
func (f *function) findReturned() {
	f.returned = make(map[Path]int)
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		if in.Op != ir.OpReturn {
			continue
		}
		for k, v := range f.body.Args(in) {
			for _, p := range f.expand(f.value(v)) {
				if f.t.Len(p) == 0 && f.t.Last(p).Kind == fresh {
					if old, ok := f.returned[p]; !ok || k < old {
						f.returned[p] = k
					}
				}
			}
		}
	}
}

// finish computes what holds at the exits: lock effects, results, what became
// known to others.
func (f *function) finish(exits []exit) {
	f.lockEffects(exits)
	f.results(exits)
	for _, p := range f.hard {
		if s := f.t.Last(p); s.Kind == Param {
			f.sum.Publishes = append(f.sum.Publishes, int(s.N))
		}
	}
	slices.Sort(f.sum.Publishes)
	f.sum.Publishes = slices.Compact(f.sum.Publishes)
	for k := range f.sum.Accesses {
		a := &f.sum.Accesses[k]
		if base := f.t.Base(a.Path); a.Origin == nil && !a.Shared && slices.Contains(f.spawned, base) {
			a.Flags |= BeforeSpawn
		}
	}
	f.markLazy()
	f.sortSummary()
}

// sortSummary puts everything whose order came from maps or from the order of
// interning into one that depends on contents alone.
func (f *function) sortSummary() {
	slices.SortFunc(f.sum.Stores, func(a, b Store) int {
		if c := f.t.Compare(a.Place, b.Place); c != 0 {
			return c
		}
		return f.t.Compare(a.Value, b.Value)
	})
	slices.SortFunc(f.sum.Releases, f.t.Compare)
	f.sortHeld(f.sum.Acquires)
	for k := range f.sum.Accesses {
		if list := f.sum.Accesses[k].Released; len(list) > 1 {
			slices.SortFunc(list, f.t.Compare)
		}
	}
}

// way is one way out of the function: a return, with what is known of its
// results.
type way struct {
	held     []Held
	outcomes []Outcome
}

func (f *function) lockEffects(exits []exit) {
	var ways []way
	for _, e := range exits {
		ways = append(ways, f.waysOut(e)...)
		for _, p := range e.state.released {
			for _, q := range f.expand(p) {
				if !f.exportable(q) {
					continue
				}
				if len(f.sum.Releases) >= maxReleased {
					f.sum.Truncated = true
					continue
				}
				f.sum.Releases = addPath(f.sum.Releases, f.canonOther(q))
			}
		}
	}
	if len(ways) == 0 {
		return
	}
	f.sum.Acquires = meet(ways, func(*way) bool { return true })
	for k := range ways[0].outcomes {
		for o := True; o <= NonNil; o++ {
			f.conditionalEffect(ways, k, o)
		}
	}
}

// waysOut returns the ways that a return stands for: a return of a value that
// itself tells whether a lock is held stands for two.
func (f *function) waysOut(e exit) []way {
	args := f.body.Args(&f.body.Instrs[e.instr])
	base := way{held: f.exportHeld(e.state.held), outcomes: make([]Outcome, len(args))}
	for k, v := range args {
		base.outcomes[k] = f.outcomeAt(v, e.instr)
	}
	ways := []way{base}
	for k, v := range args {
		if base.outcomes[k] != Unknown {
			continue
		}
		for _, pair := range [][2]Outcome{{True, False}, {NonNil, Nil}} {
			yes, no := f.locksIf(v, pair[0], 0), f.locksIf(v, pair[1], 0)
			if len(yes)+len(no) == 0 {
				continue
			}
			a, b := base, base
			a.outcomes, b.outcomes = slices.Clone(base.outcomes), slices.Clone(base.outcomes)
			a.outcomes[k], b.outcomes[k] = pair[0], pair[1]
			a.held = append(slices.Clone(a.held), f.exportHeld(yes)...)
			b.held = append(slices.Clone(b.held), f.exportHeld(no)...)
			return []way{a, b}
		}
	}
	return ways
}

func (f *function) exportHeld(list []Held) []Held {
	var out []Held
	for _, h := range list {
		if h.Path = f.lockName(h.Path); h.Path != NoPath {
			out = addHeld(out, h)
		}
	}
	return out
}

// meet returns what is held on all ways that satisfy a condition.
func meet(ways []way, want func(*way) bool) []Held {
	var out []Held
	first := true
	for i := range ways {
		if !want(&ways[i]) {
			continue
		}
		if first {
			out, first = slices.Clone(ways[i].held), false
		} else {
			out, _ = joinHeld(out, ways[i].held)
		}
	}
	return out
}

func (f *function) conditionalEffect(ways []way, k int, o Outcome) {
	seen := false
	for i := range ways {
		if k < len(ways[i].outcomes) && ways[i].outcomes[k] != Unknown {
			seen = seen || ways[i].outcomes[k] == o || ways[i].outcomes[k] == opposite(o)
		}
	}
	if !seen {
		return
	}
	held := meet(ways, func(w *way) bool {
		return k >= len(w.outcomes) || w.outcomes[k] == o || w.outcomes[k] == Unknown
	})
	var extra []Held
	for _, h := range held {
		if !slices.ContainsFunc(f.sum.Acquires, func(x Held) bool { return x.Path == h.Path && x.Mode == h.Mode }) {
			extra = append(extra, h)
		}
	}
	if len(extra) > 0 {
		f.sortHeld(extra)
		f.sum.Conditional = append(f.sum.Conditional, Conditional{Result: k, When: o, Acquires: extra})
	}
}

func opposite(o Outcome) Outcome {
	return [...]Outcome{Unknown: Unknown, True: False, False: True, Nil: NonNil, NonNil: Nil}[o]
}

// outcomeAt classifies a returned value: by itself, or by the test that led to
// the return.
func (f *function) outcomeAt(v ir.Value, at int32) Outcome {
	if o := f.outcome(v); o != Unknown {
		return o
	}
	r := v.Reg()
	if r == ir.None {
		return Unknown
	}
	b := f.body.BlockOf(at)
	for n := 0; n < 16; n++ {
		preds := f.body.Preds(b)
		if len(preds) != 1 {
			return Unknown
		}
		from := preds[0]
		term := &f.body.Instrs[f.body.Blocks[from].End-1]
		if term.Op == ir.OpIf {
			succs := f.body.Succs(from)
			o := True
			if succs[1] == b {
				o = False
			}
			if got := f.impliedBy(f.body.Args(term)[0], o, r); got != Unknown {
				return got
			}
		}
		b = from
	}
	return Unknown
}

// impliedBy says what a test with an outcome tells of a register.
func (f *function) impliedBy(cond ir.Value, o Outcome, r ir.Reg) Outcome {
	c := cond.Reg()
	if c == r {
		return o
	}
	if c == ir.None || f.defs[c] == ir.None {
		return Unknown
	}
	in := &f.body.Instrs[f.defs[c]]
	args := f.body.Args(in)
	switch {
	case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot:
		return f.impliedBy(args[0], True+False-o, r)
	case in.Op == ir.OpBinary && (ir.BinaryKind(in.Sub) == ir.BinEq || ir.BinaryKind(in.Sub) == ir.BinNe):
		x, k := args[0], f.outcome(args[1])
		if k == Unknown {
			x, k = args[1], f.outcome(args[0])
		}
		if x.Reg() != r || k == Unknown || k == NonNil {
			return Unknown
		}
		if (ir.BinaryKind(in.Sub) == ir.BinEq) != (o == True) {
			k = opposite(k)
		}
		return k
	}
	return Unknown
}

// results says what each result may be.
func (f *function) results(exits []exit) {
	for _, e := range exits {
		args := f.body.Args(&f.body.Instrs[e.instr])
		for len(f.sum.Returns) < len(args) {
			f.sum.Returns = append(f.sum.Returns, nil)
		}
		for k, v := range args {
			if f.value(v) != NoPath && f.isTaken(f.value(v)) {
				// Whoever takes an object out of a shared place owns it (RELAY,
				// section 4.2: unsharing).
				f.addReturn(k, Return{Path: NoPath, Fresh: true})
				continue
			}
			for _, p := range f.expand(f.value(v)) {
				f.addReturn(k, f.returnOf(&e.state, p))
			}
			if r := v.Reg(); r != ir.None && f.value(v) != NoPath && len(f.expand(f.value(v))) == 0 {
				f.addReturn(k, Return{Path: NoPath}) // something unknown
			}
		}
	}
	// What fresh results hold.
	for cell, list := range f.contents {
		k, ok := f.returned[f.t.Base(cell)]
		if !ok {
			continue
		}
		place := f.append(f.root(Result, int32(k)), f.t.Steps(cell)[1:])
		for _, v := range list {
			for _, e := range f.expand(v) {
				if f.exportable(e) && place != NoPath {
					f.addStore(Store{place, f.canon(e)})
				}
			}
		}
	}
}

func (f *function) returnOf(s *state, p Path) Return {
	base := f.t.Base(p)
	if m, ok := f.closures[p]; ok && len(m.targets) == 1 {
		r := Return{Path: NoPath, Closure: f.a.prog.codes[m.targets[0]].key}
		for _, c := range m.captures {
			r.Captures = append(r.Captures, f.captureName(c))
		}
		return r
	}
	if f.t.Last(base).Kind == fresh {
		if f.t.Len(p) > 0 {
			return Return{Path: NoPath}
		}
		return Return{Path: NoPath, Fresh: !s.has(base), Known: s.has(base)}
	}
	return Return{Path: f.canon(p)}
}

// captureName names what a closure captured: a path, or for a variable of ours
// that holds one value only, that value's path with Ref.
func (f *function) captureName(c Path) Path {
	list := f.expand(c)
	if len(list) != 1 {
		return NoPath
	}
	if f.exportable(list[0]) {
		return f.canonOther(list[0])
	}
	if held := f.contents[list[0]]; f.t.Len(list[0]) == 0 && len(held) == 1 && f.exportable(held[0]) {
		return f.t.Extend(f.canonOther(held[0]), Step{Kind: Ref})
	}
	return NoPath
}

func (f *function) addReturn(k int, r Return) {
	for _, old := range f.sum.Returns[k] {
		if old.Fresh == r.Fresh && old.Known == r.Known && old.Path == r.Path && old.Closure == r.Closure && slices.Equal(old.Captures, r.Captures) {
			return
		}
	}
	if len(f.sum.Returns[k]) <= maxAlts {
		f.sum.Returns[k] = append(f.sum.Returns[k], r)
	}
}
