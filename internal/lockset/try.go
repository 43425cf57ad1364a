package lockset

import "github.com/deadheat/deadheat/internal/ir"

// A function may try to take a lock and say whether it has: its caller holds the lock
// on the branch for that answer.

// findAnswers finds the locks that are held at exit if the result is true, and only
// then, and those that are if it is false.
func (f *Function) findAnswers() {
	var held [2][]Held // at exit with either result
	var known [2]bool
	for b := range f.body.Blocks {
		end := f.body.Blocks[b].End - 1
		ret := &f.body.Instrs[end]
		if !f.reached[b] || ret.Op != ir.OpReturn {
			continue
		}
		if ret.Args.Len == 0 {
			return
		}
		for _, yes := range []bool{false, true} {
			list, can, ok := f.heldIf(end, f.body.Args(ret)[0], yes)
			if !ok {
				return
			}
			switch k := answer(yes); {
			case !can:
			case known[k]:
				held[k] = join(held[k], list)
			default:
				held[k], known[k] = list, true
			}
		}
	}
	for k := range held {
		for _, h := range held[k] {
			if _, also := find(held[1-k], h.Path, h.Kind); also || h.Maybe || h.Kind.past() {
				continue
			}
			if h.Path = f.Paths.Given(h.Path); f.nameable(h.Path) {
				f.answers[k] = append(f.answers[k], h)
			}
		}
	}
}

func answer(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// heldIf returns what is held at a return of a value that is true, or false. can
// tells whether the value may be that; ok is false if it is not known what it says.
func (f *Function) heldIf(ret int32, v ir.Value, yes bool) (held []Held, can, ok bool) {
	held = append([]Held{}, f.At(ret)...)
	if c, constant := f.constant(v); constant {
		return held, (c != zero) == yes, true
	}
	d := f.a.prog.Definition(f.fn, v)
	if d < 0 {
		return nil, false, false
	}
	in := &f.body.Instrs[d]
	if in.Op != ir.OpLock || in.Flags&ir.FlagTry == 0 {
		return nil, false, false
	}
	if yes {
		held = f.acquire(held, f.body.Args(in)[0], ir.Mode(in.Sub), d, Mutex)
	}
	return held, true, true
}

// answered applies the answer of a call to what is held behind a branch.
func (f *Function) answered(held []Held, call int32, yes bool) []Held {
	targets, args, captures := f.targets(call, &f.body.Instrs[call])
	if len(targets) != 1 {
		return held
	}
	for k, list := range targets[0].answers {
		for _, h := range list {
			p, ok := f.rebase(targets[0], h.Path, args, captures)
			if !ok {
				continue
			}
			if old, known := find(held, p, h.Kind); known && old.Instr != call {
				continue // held before
			}
			held = drop(held, p, h.Kind)
			if k != answer(yes) {
				continue
			}
			held = append(held[:len(held):len(held)], Held{Path: p, Value: ir.NoValue, Mode: h.Mode, Instr: call, Kind: h.Kind, Nests: h.Nests, Again: h.Again, Cell: h.Cell})
		}
	}
	return held
}
