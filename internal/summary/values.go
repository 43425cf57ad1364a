package summary

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
)

// maxAlts bounds how many things a value may be before it counts as unknown.
const maxAlts = 4

// function is the analysis of one function.
//
// Every register has an identity: a path such that equal identities mean equal
// values in one activation. Where a value has no such name (a merge, a call, a
// load of a place that the function also writes) the identity is a local root,
// and origins says what it may be in terms of other paths. Locks are matched by
// identity, accesses are named by origins.
type function struct {
	*code
	a     *analysis
	t     *Paths
	sum   *Summary
	regs  []Path
	bound map[int32][]binding // of calls, once all registers are known

	origins  map[Path][]Path // of local roots
	contents map[Path][]Path // by address inside a fresh object: what is stored there
	places   map[Path][]Path // by fresh root: addresses outside fresh objects where it was stored
	unstable map[Path]bool   // places that are both loaded and stored to
	closures map[Path]made   // function values by identity
	known    map[Path]bool   // fresh roots of calls that others know already

	boxed map[Path]Step // concrete types of values put into interfaces
	taken map[Path]bool // local roots that were taken out of a place which was then overwritten

	expanded      map[Path][]Path // answers of expand, once all registers are known
	inside        map[Path][]Path // by fresh root: everything stored in it
	returned      map[Path]int    // fresh roots that are results
	hard          []Path          // roots published for good, not merely put into another root's memory
	spawned       []Path          // roots handed to origins
	entry         []state         // by block
	index         map[string]int  // of sum.Accesses
	keyBuf        []byte
	nextOp        int // of ops
	spawnSites    []int32
	startsOrigins bool   // has a spawn
	signalling    []bool // by instruction
	signalsLater  []bool // by block: an instruction that signals may follow its end
	depth         int    // of callbacks being inlined
}

// made is a function value: the functions it may be, and what it captured.
type made struct {
	targets  []int32
	captures []Path
}

func (f *function) root(k Kind, n int32) Path { return f.t.Root(Step{Kind: k, N: n}) }

// evaluate gives every register its identity. Two rounds: what is stored in
// fresh memory, and which places are stored to, is known after the first.
func (f *function) evaluate() {
	f.regs = make([]Path, len(f.body.Regs))
	f.contents, f.unstable = make(map[Path][]Path), make(map[Path]bool)
	f.boxed, f.taken = make(map[Path]Step), make(map[Path]bool)
	f.round()
	f.round()
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		if in.Op != ir.OpLoad || f.regs[in.Dst] != f.root(local, int32(i)) {
			continue
		}
		if addr := f.value(f.body.Args(in)[0]); addr != NoPath && f.takenFrom(int32(i), addr) {
			f.taken[f.regs[in.Dst]] = true
		}
	}
	f.bound, f.expanded = make(map[int32][]binding), make(map[Path][]Path)
}

func (f *function) round() {
	f.origins, f.closures = make(map[Path][]Path), make(map[Path]made)
	f.places, f.known = make(map[Path][]Path), make(map[Path]bool)
	loaded, stored := make(map[Path]bool), make(map[Path]bool)
	for i := range f.regs {
		f.regs[i] = NoPath
	}
	for i := int32(0); i < f.body.Params; i++ {
		f.regs[i] = f.root(Param, i)
	}
	for i := int32(0); i < f.body.Captures; i++ {
		f.regs[f.body.Params+i] = f.root(Capture, i)
	}
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		f.effects(int32(i), in)
		if in.Dst != ir.None {
			f.regs[in.Dst] = f.eval(int32(i), in)
		}
		switch in.Op {
		case ir.OpLoad:
			loaded[f.value(f.body.Args(in)[0])] = true
		case ir.OpStore, ir.OpAtomic:
			stored[f.value(f.body.Args(in)[0])] = true
		}
	}
	for p := range stored {
		if p != NoPath && loaded[p] {
			f.unstable[p] = true
		}
	}
}

// value returns the identity of an operand.
func (f *function) value(v ir.Value) Path {
	switch v.Kind() {
	case ir.ValueReg:
		return f.regs[v.Reg()]
	case ir.ValueGlobal:
		return f.t.Root(f.globals[v])
	case ir.ValueFunc:
		id, ok := f.funcs[v]
		if !ok || id < 0 {
			return NoPath
		}
		p := f.t.Root(Step{Kind: fresh, N: -2 - id})
		f.closures[p] = made{targets: []int32{id}}
		return p
	}
	return NoPath
}

// from makes a local root for an instruction and says what it may be.
func (f *function) from(i int32, alts ...Path) Path {
	p := f.root(local, i)
	var list []Path
	for _, a := range alts {
		if a != NoPath && a != p {
			list = addPath(list, a)
		}
	}
	if len(list) <= maxAlts {
		f.origins[p] = list
	} else {
		f.sum.Truncated = true
	}
	return p
}

func addPath(list []Path, p Path) []Path {
	for _, q := range list {
		if q == p {
			return list
		}
	}
	return append(list, p)
}

func (f *function) eval(i int32, in *ir.Instr) Path {
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpCopy, ir.OpCast, ir.OpRange, ir.OpSlice:
		if p := f.value(args[0]); p != NoPath {
			return p
		}
	case ir.OpBox:
		if p := f.value(args[0]); p != NoPath {
			if as, ok := f.boxes[i]; ok && f.t.Last(p).Kind != As {
				f.boxed[p] = as
			}
			return p
		}
	case ir.OpAssert:
		return f.assert(i, f.value(args[0]))
	case ir.OpField:
		return f.step(i, f.value(args[0]), f.steps[i])
	case ir.OpIndex:
		if n, ok := f.constant(args[1]); ok {
			return f.step(i, f.value(args[0]), Step{Kind: Index, N: n})
		}
		if r := args[1].Reg(); r != ir.None {
			return f.step(i, f.value(args[0]), Step{Kind: Elem, N: int32(r) + firstElem})
		}
	case ir.OpOffset, ir.OpAppend:
		return f.from(i, f.value(args[0]))
	case ir.OpLoad:
		return f.load(i, f.value(args[0]))
	case ir.OpAtomic:
		if ir.AtomicKind(in.Sub) == ir.AtomicLoad || ir.AtomicKind(in.Sub) == ir.AtomicSwap {
			return f.from(i, f.derefs(f.value(args[0]))...)
		}
	case ir.OpPhi:
		return f.phi(i, args)
	case ir.OpMapGet:
		return f.from(i, f.elements(i, f.value(args[0]))...)
	case ir.OpExtract:
		return f.extract(i, in, args[0])
	case ir.OpAlloc, ir.OpMakeSlice, ir.OpMakeMap, ir.OpMakeChan, ir.OpConvert:
		return f.root(fresh, i)
	case ir.OpClosure:
		p := f.root(fresh, i)
		m := made{targets: f.calls[i]}
		for _, v := range args {
			m.captures = append(m.captures, f.value(v))
		}
		f.closures[p] = m
		return p
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		return f.result(i, in, -1)
	case ir.OpBinary, ir.OpUnary, ir.OpLen, ir.OpCap:
		return NoPath
	}
	return f.from(i)
}

// assert takes an interface value for a concrete type. If it is known to be of
// another, it is none of that type.
func (f *function) assert(i int32, p Path) Path {
	as, ok := f.boxes[i]
	if !ok || p == NoPath {
		return p
	}
	list := f.as(p, as)
	if len(list) == 1 {
		return list[0]
	}
	return f.from(i, list...)
}

func (f *function) as(p Path, as Step) []Path {
	if t, known := f.boxed[p]; known {
		if t == as {
			return []Path{p}
		}
		return nil
	}
	if f.t.Last(p) == as {
		return []Path{p}
	}
	if q := f.t.Extend(p, as); q != NoPath {
		return []Path{q}
	}
	return nil
}

func (f *function) step(i int32, base Path, s Step) Path {
	if p := f.t.Extend(base, s); p != NoPath {
		return p
	}
	return f.from(i)
}

func (f *function) constant(v ir.Value) (int32, bool) {
	c := v.Const()
	if c == ir.None {
		return 0, false
	}
	n, err := strconv.ParseInt(f.unit.Consts[c].Text, 10, 32)
	return int32(n), err == nil
}

// load is the value at an address: what was stored there, if the memory is our
// own, and else whatever the path leads to.
func (f *function) load(i int32, addr Path) Path {
	if addr == NoPath {
		return f.from(i)
	}
	if f.t.Last(addr).Kind == Ref {
		return f.t.Parent(addr)
	}
	if f.ownMemory(addr) {
		list := f.contents[f.normal(addr)]
		if len(list) == 1 {
			return list[0]
		}
		return f.from(i, list...)
	}
	p := f.t.Extend(addr, Step{Kind: Deref})
	if p == NoPath {
		f.sum.Truncated = true
		return f.from(i)
	}
	if f.unstable[addr] {
		return f.from(i, p)
	}
	return p
}

// takenFrom tells whether what is loaded from a place is taken out of it: the
// function goes on to store there what the object leads to, as the next of a
// list, or in the same block nil or something new.
func (f *function) takenFrom(i int32, addr Path) bool {
	if f.a.sound {
		return false
	}
	end := f.body.Blocks[f.body.BlockOf(i)].End
	self := f.root(local, i)
	for k := i + 1; int(k) < len(f.body.Instrs); k++ {
		in := &f.body.Instrs[k]
		if in.Op != ir.OpStore || f.value(f.body.Args(in)[0]) != addr {
			continue
		}
		v := f.body.Args(in)[1]
		if p := f.value(v); p != NoPath && f.t.Len(p) > 0 && f.t.Base(p) == self {
			return true
		}
		if k < end && (v.Const() != ir.None || f.value(v) != NoPath && f.t.Last(f.value(v)).Kind == fresh) {
			return true
		}
	}
	return false
}

// isTaken tells whether a value is an object taken out of a shared place, as
// far as it is not fresh.
func (f *function) isTaken(p Path) bool {
	if f.taken[p] {
		return true
	}
	alts := f.origins[p]
	some := false
	for _, a := range alts {
		switch {
		case f.taken[a]:
			some = true
		case f.t.Last(a).Kind != fresh:
			return false
		}
	}
	return some
}

// derefs returns what may be at an address, for accesses.
func (f *function) derefs(addr Path) []Path {
	if addr == NoPath {
		return nil
	}
	if f.t.Last(addr).Kind == Ref {
		return []Path{f.t.Parent(addr)}
	}
	if f.ownMemory(addr) {
		return f.contents[f.normal(addr)]
	}
	if p := f.t.Extend(addr, Step{Kind: Deref}); p != NoPath {
		return []Path{p}
	}
	return nil
}

// ownMemory tells whether an address lies in an object made here, through no
// memory.
func (f *function) ownMemory(p Path) bool {
	for f.t.Parent(p) != NoPath {
		if f.t.Last(p).Kind == Deref {
			return false
		}
		p = f.t.Parent(p)
	}
	return f.t.Last(p).Kind == fresh
}

// elements returns what the values of a map may be.
func (f *function) elements(i int32, m Path) []Path {
	if m == NoPath {
		return nil
	}
	at := f.t.Extend(m, Step{Kind: Elem, N: i + firstElem + int32(len(f.body.Regs))})
	if f.ownMemory(m) {
		return f.contents[f.t.Extend(m, anyElement)]
	}
	if p := f.t.Extend(at, Step{Kind: Deref}); p != NoPath {
		return []Path{p}
	}
	return nil
}

func (f *function) phi(i int32, args []ir.Value) Path {
	var list []Path
	for _, v := range args {
		if p := f.value(v); p != NoPath {
			list = addPath(list, p)
		} else if v.Reg() != ir.None {
			list = addPath(list, NoPath) // defined later, or no address
		}
	}
	if len(list) == 1 && list[0] != NoPath {
		for _, v := range args {
			if v.Const() != ir.None {
				return f.from(i, list[0]) // may be nil instead
			}
		}
		return list[0]
	}
	return f.from(i, list...)
}

func (f *function) extract(i int32, in *ir.Instr, v ir.Value) Path {
	base := f.value(v)
	if s, ok := f.steps[i]; ok {
		// A field of a struct in a register: the register was loaded as a whole.
		if base == NoPath {
			return NoPath
		}
		if last := f.t.Last(base); last.Kind == Deref {
			return f.load(i, f.t.Extend(f.t.Parent(base), s))
		}
		if f.t.Last(base).Kind == Param {
			return f.load(i, f.t.Extend(base, s))
		}
		return f.from(i)
	}
	d := ir.Reg(ir.None)
	if r := v.Reg(); r != ir.None {
		d = ir.Reg(f.defs[r])
	}
	if d == ir.None {
		return f.from(i)
	}
	def := &f.body.Instrs[d]
	switch def.Op {
	case ir.OpAssert, ir.OpMapGet:
		if in.Aux == 0 {
			return base
		}
		return NoPath
	case ir.OpNext:
		if in.Aux == 2 {
			return f.from(i, f.elements(i, f.value(f.body.Args(def)[0]))...)
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		return f.result(int32(d), def, int(in.Aux))
	}
	return f.from(i)
}

// expand returns what an identity may be in terms of roots that callers know,
// and of fresh roots.
func (f *function) expand(p Path) []Path {
	if list, ok := f.expanded[p]; ok {
		return list
	}
	var out []Path
	f.expandInto(&out, p, 0)
	if f.expanded != nil {
		f.expanded[p] = out[:len(out):len(out)]
	}
	return out
}

func (f *function) expandInto(out *[]Path, p Path, depth int) {
	if p == NoPath || len(*out) > maxAlts || depth > 6 {
		return
	}
	base := f.t.Base(p)
	if f.t.Last(base).Kind != local {
		*out = addPath(*out, p)
		return
	}
	steps := f.t.Steps(p)[1:]
	for _, o := range f.origins[base] {
		for _, q := range f.follow(o, steps) {
			f.expandInto(out, q, depth+1)
		}
	}
}

// follow appends steps to a path. A load from our own memory is what was
// stored there.
func (f *function) follow(p Path, steps []Step) []Path {
	at := []Path{p}
	for _, s := range steps {
		var next []Path
		for _, q := range at {
			if s.Kind == Deref {
				for _, r := range f.derefs(q) {
					next = addPath(next, r)
				}
			} else if s.Kind == As {
				next = append(next, f.as(q, s)...)
			} else if r := f.t.Extend(q, s); r != NoPath {
				next = addPath(next, r)
			} else {
				f.sum.Truncated = true
			}
		}
		if len(next) > maxAlts {
			f.sum.Truncated = true
			next = next[:maxAlts]
		}
		at = next
	}
	return at
}

// normal forgets which element of our own memory a path goes through.
func (f *function) normal(p Path) Path {
	return f.mapElems(p, func(int, Step) Step { return anyElement })
}

// mapElems replaces the element steps of a path, given their positions.
func (f *function) mapElems(p Path, to func(int, Step) Step) Path {
	plain := true
	for q := p; q != NoPath; q = f.t.Parent(q) {
		if k := f.t.Last(q).Kind; k == Elem || k == Index {
			plain = false
			break
		}
	}
	if plain {
		return p
	}
	steps := f.t.Steps(p)
	for i := range steps {
		if steps[i].Kind == Elem || steps[i].Kind == Index {
			steps[i] = to(i, steps[i])
		}
	}
	return f.t.Make(steps)
}
