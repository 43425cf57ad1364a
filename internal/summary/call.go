package summary

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// binding is a call with one of its targets: what stands for the callee's
// roots.
type binding struct {
	sum      *Summary
	args     []Path
	captures []Path
	instr    int32
	open     bool // found by type alone
	memo     map[Path][]Path
}

// bindings returns the targets of a call whose summaries are known.
func (f *function) bindings(i int32, in *ir.Instr) []binding {
	if bs, ok := f.bound[i]; ok {
		return bs
	}
	bs := f.findTargets(i, in)
	if f.bound != nil {
		f.bound[i] = bs
	}
	return bs
}

func (f *function) findTargets(i int32, in *ir.Instr) []binding {
	args := f.body.Args(in)
	if in.Flags&ir.FlagGroup != 0 && in.Op != ir.OpOnce {
		args = args[1:]
	}
	switch in.Op {
	case ir.OpCall, ir.OpInvoke:
		return f.bind(i, f.calls[i], f.values(args), nil)
	case ir.OpCallPtr:
		return f.bindValue(i, f.value(args[0]), f.values(args[1:]))
	case ir.OpOnce:
		return f.bindValue(i, f.value(args[1]), nil)
	}
	return nil
}

func (f *function) values(args []ir.Value) []Path {
	out := make([]Path, len(args))
	for k, v := range args {
		out[k] = f.value(v)
	}
	return out
}

func (f *function) bind(i int32, targets []int32, args, captures []Path) []binding {
	var out []binding
	for _, t := range targets {
		if s := f.a.summary(t); s != nil {
			out = append(out, binding{sum: s, args: args, captures: captures, instr: i, open: f.open[i]})
		}
	}
	return out
}

// bindValue binds the functions that a function value may be.
func (f *function) bindValue(i int32, fn Path, args []Path) []binding {
	if fn == NoPath {
		return nil
	}
	if m, ok := f.closures[fn]; ok {
		return f.bind(i, m.targets, args, m.captures)
	}
	var out []binding
	for _, p := range f.expand(fn) {
		if m, ok := f.closures[p]; ok {
			out = append(out, f.bind(i, m.targets, args, m.captures)...)
		}
	}
	return out
}

// rebase says what a callee's path is in the caller (RELAY, section 3.2:
// rebind; RacerD, figure 5: subst).
func (f *function) rebase(b *binding, p Path) []Path {
	if p == NoPath {
		return nil
	}
	if list, ok := b.memo[p]; ok {
		return list
	}
	list := f.substitute(b, p)
	if f.bound != nil {
		if b.memo == nil {
			b.memo = make(map[Path][]Path)
		}
		b.memo[p] = list
	}
	return list
}

func (f *function) substitute(b *binding, p Path) []Path {
	steps := f.t.Steps(p)
	base := NoPath
	switch r := steps[0]; r.Kind {
	case Param:
		if int(r.N) < len(b.args) {
			base = b.args[r.N]
		}
	case Capture:
		if int(r.N) < len(b.captures) {
			base = b.captures[r.N]
		}
	case Global:
		base = f.t.Root(r)
	case Result:
		base = f.resultRoot(b.instr, int(r.N))
	}
	if base == NoPath {
		return nil
	}
	if len(steps) == 1 {
		return []Path{base}
	}
	return f.follow(base, steps[1:])
}

// single is rebase for what must be one thing.
func (f *function) single(b *binding, p Path) Path {
	if list := f.rebase(b, p); len(list) == 1 {
		return list[0]
	}
	return NoPath
}

// resultRoot is the identity of result k of a call; f.result decides whether
// it is fresh. Results of tuples are numbered after the instructions.
func (f *function) resultRoot(i int32, k int) Path {
	n := f.resultNumber(i, k)
	if p := f.root(fresh, n); f.freshResult(i, k) {
		return p
	}
	return f.root(local, n)
}

func (f *function) resultNumber(i int32, k int) int32 {
	in := &f.body.Instrs[i]
	if k < 0 || k == 0 && f.unit.Types[in.Type].Kind != ir.KindTuple {
		return i
	}
	return i + int32(k+1)*int32(len(f.body.Instrs))
}

// freshResult tells whether every target makes result k anew.
func (f *function) freshResult(i int32, k int) bool {
	bs := f.bindings(i, &f.body.Instrs[i])
	for j := range bs {
		rs := bs[j].sum.Returns
		if max(k, 0) >= len(rs) || len(rs[max(k, 0)]) == 0 {
			return false
		}
		for _, r := range rs[max(k, 0)] {
			if !r.Fresh && !r.Known {
				return false
			}
		}
	}
	return len(bs) > 0
}

// result gives result k of a call its identity; k is -1 for the whole.
func (f *function) result(i int32, in *ir.Instr, k int) Path {
	if k < 0 && f.unit.Types[in.Type].Kind == ir.KindTuple {
		return f.root(local, i)
	}
	p := f.resultRoot(i, k)
	bs := f.bindings(i, in)
	var alts []Path
	for j := range bs {
		b := &bs[j]
		if max(k, 0) >= len(b.sum.Returns) {
			continue
		}
		for _, r := range b.sum.Returns[max(k, 0)] {
			switch {
			case r.Known:
				f.known[p] = true
			case r.Closure != "":
				m := made{}
				if id, ok := f.a.byKey[r.Closure]; ok {
					m.targets = []int32{id}
				}
				for _, c := range r.Captures {
					m.captures = append(m.captures, f.single(b, c))
				}
				f.closures[p] = m
			case r.Path != NoPath:
				alts = append(alts, f.rebase(b, r.Path)...)
			}
		}
	}
	if f.t.Last(p).Kind == local {
		if len(alts) == 1 && len(bs) == 1 && len(bs[0].sum.Returns[max(k, 0)]) == 1 && !f.throughElem(alts[0]) {
			return alts[0]
		}
		return f.from(f.t.Last(p).N, alts...)
	}
	return p
}

// throughElem tells whether a path goes through an element whose identity is
// not known here.
func (f *function) throughElem(p Path) bool {
	for ; p != NoPath; p = f.t.Parent(p) {
		if s := f.t.Last(p); s.Kind == Elem && s.N < firstElem {
			return true
		}
	}
	return false
}

// effects notes what an instruction stores where.
func (f *function) effects(i int32, in *ir.Instr) {
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpStore:
		f.put(f.value(args[0]), f.value(args[1]))
	case ir.OpAtomic:
		if ir.AtomicKind(in.Sub).Writes() {
			f.put(f.value(args[0]), f.value(args[len(args)-1]))
		}
	case ir.OpMapSet:
		if m := f.value(args[0]); m != NoPath {
			f.put(f.t.Extend(m, anyElement), f.value(args[2]))
		}
	case ir.OpAppend:
		// Elements go from the second slice to wherever the first lives.
		from, to := f.value(args[1]), f.value(args[0])
		if from == NoPath || !f.ownMemory(from) {
			return
		}
		for _, v := range f.contents[f.t.Extend(from, anyElement)] {
			if to == NoPath {
				continue
			}
			f.put(f.t.Extend(to, anyElement), v)
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpOnce:
		bs := f.bindings(i, in)
		for j := range bs {
			for _, s := range bs[j].sum.Stores {
				for _, place := range f.rebase(&bs[j], s.Place) {
					for _, v := range f.rebase(&bs[j], s.Value) {
						f.put(place, v)
					}
				}
			}
		}
	}
}

// put stores a value at an address.
func (f *function) put(addr, v Path) {
	if addr == NoPath || v == NoPath {
		return
	}
	for _, a := range f.expand(addr) {
		if f.ownMemory(a) {
			cell := f.normal(a)
			if len(f.contents[cell]) <= maxAlts {
				f.contents[cell] = addPath(f.contents[cell], v)
			}
		}
		for _, e := range f.expand(v) {
			if f.t.Last(e).Kind == fresh && len(f.places[e]) < maxAlts {
				f.places[e] = addPath(f.places[e], a)
			}
		}
	}
}
