package summary

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// Bounds of a summary. What is beyond is dropped and noted.
const (
	maxAccesses  = 400
	maxStores    = 32
	maxCallbacks = 16
	maxChain     = 16
	maxReleased  = 8
)

// emit adds what an instruction does, given the state before it.
func (f *function) emit(s *state, i int32) {
	in := &f.body.Instrs[i]
	for ; f.nextOp < len(f.ops) && f.ops[f.nextOp].instr <= i; f.nextOp++ {
		op := &f.ops[f.nextOp]
		if op.instr != i {
			continue
		}
		flags := op.flags | f.around(s, i)
		if op.kind == Write {
			if f.updates(in) {
				flags |= Updates
			}
			if f.avoidable(f.body.BlockOf(i)) {
				flags |= Sometimes
			}
		}
		for _, p := range f.follow(f.value(op.addr), op.tail) {
			f.access(s, raw{path: p, kind: op.kind, flags: flags, chain: f.frame(i, nil)})
		}
	}
	switch in.Op {
	case ir.OpLock:
		f.evidence(UsesLock, f.value(f.body.Args(in)[0]), i)
		if owner := f.classes[i]; owner != "" {
			f.addEvidence(Evidence{UsesLock, owner, monitorName, f.at(i)})
		}
	case ir.OpSend:
		f.evidence(UsesLock, f.chanLock(f.body.Args(in)[0]), i)
	case ir.OpSelect:
		args := f.body.Args(in)
		for k := 1; k < len(args); k += 3 {
			f.evidence(UsesLock, f.chanLock(args[k]), i)
		}
	case ir.OpAtomic:
		f.evidence(UsesAtomic, f.value(f.body.Args(in)[0]), i)
	case ir.OpLoad:
		if isVolatile(in) {
			f.evidence(UsesAtomic, f.value(f.body.Args(in)[0]), i)
		}
	case ir.OpStore:
		if isVolatile(in) {
			f.evidence(UsesAtomic, f.value(f.body.Args(in)[0]), i)
		}
		f.export(s, f.value(f.body.Args(in)[0]), f.value(f.body.Args(in)[1]))
	case ir.OpMapSet:
		if m := f.value(f.body.Args(in)[0]); m != NoPath {
			f.export(s, f.t.Extend(m, anyElement), f.value(f.body.Args(in)[2]))
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		f.emitCall(s, i, in)
	case ir.OpOnce:
		f.emitOnce(s, i, in)
	}
}

// entryCopies adds the copies that callers make of a receiver by value.
func (f *function) entryCopies() {
	var s state
	for k := range f.ops {
		op := &f.ops[k]
		if op.instr < 0 {
			for _, p := range f.follow(f.value(op.addr), op.tail) {
				f.access(&s, raw{path: p, kind: op.kind, flags: op.flags | EntryCopy, chain: f.frame(-1, nil)})
			}
		}
	}
}

func (f *function) frame(i int32, next *Frame) *Frame {
	return &Frame{Symbol: f.symbol, Name: f.name, Unit: f.code.unit.Path, Pos: f.at(i), Next: next, depth: int32(next.Depth()) + 1}
}

// raw is an access in terms of identities, before it is put in terms that
// callers know.
type raw struct {
	path     Path
	kind     AccessKind
	locks    []Held // besides those of the state
	released []Path // by the callee, before the access
	flags    AccessFlags
	shared   bool
	origin   *Spawn
	after    []string
	before   []Pos
	chain    *Frame
}

// access records an access (RELAY, figure 6; RacerD, section 5.2.4).
func (f *function) access(s *state, r raw) {
	if r.path == NoPath {
		return
	}
	if f.isTaken(f.t.Base(r.path)) {
		r.flags |= Removed
	}
	for _, p := range f.expand(r.path) {
		base := f.t.Base(p)
		shared := r.shared
		var out []Path
		switch f.t.Last(base).Kind {
		case Param:
			shared = shared || s.has(base)
			out = []Path{p}
		case Capture, Global:
			out = []Path{p}
		case fresh:
			if !s.has(base) {
				continue // owned (RacerD, section 5.2.3)
			}
			shared = true
			out = f.outside(p, 0)
		}
		for _, q := range out {
			f.record(s, r, p, q, shared)
		}
	}
}

// outside names memory made here as callers can: as a result, or by where it
// was stored.
func (f *function) outside(p Path, depth int) []Path {
	if depth > 3 {
		return nil
	}
	base := f.t.Base(p)
	steps := f.t.Steps(p)[1:]
	var out []Path
	add := func(q Path) {
		if q != NoPath && len(out) < maxAlts {
			out = addPath(out, q)
		}
	}
	// An object that was merely put into a parameter's memory belongs to
	// whoever owns that; as a result it is still nobody else's.
	if k, ok := f.returned[base]; ok && (depth > 0 || slices.Contains(f.hard, base) || f.known[base]) {
		add(f.append(f.root(Result, int32(k)), steps))
	}
	for _, place := range f.places[base] {
		at := []Path{place}
		if f.t.Last(f.t.Base(place)).Kind == fresh {
			at = f.outside(place, depth+1)
		}
		for _, q := range at {
			add(f.append(f.t.Extend(q, Step{Kind: Deref}), steps))
		}
	}
	return out
}

func (f *function) append(p Path, steps []Step) Path {
	for _, s := range steps {
		p = f.t.Extend(p, s)
	}
	return p
}

// record adds an access to the path q, which is what callers call identity p.
func (f *function) record(s *state, r raw, p, q Path, shared bool) {
	if q == NoPath || f.t.Len(q) == 0 && f.t.Last(q).Kind != Global || !f.a.keep.relevant(f.t, q) {
		return
	}
	a := Access{Path: f.canon(q), Kind: r.kind, Shared: shared, Flags: r.flags, Origin: r.origin, Chain: r.chain}
	locks := r.locks
	if r.origin == nil {
		for _, h := range s.held {
			if h.Once && !f.a.onceMatters(h.Path, q) {
				continue
			}
			if !f.releasedBy(h, r.released) {
				locks = append(locks[:len(locks):len(locks)], h)
			}
		}
		for _, l := range append(s.released[:len(s.released):len(s.released)], r.released...) {
			for _, e := range f.expand(l) {
				if f.exportable(e) && len(a.Released) < maxReleased {
					a.Released = addPath(a.Released, f.canonOther(e))
				}
			}
		}
		if s.waited {
			a.Flags |= Waited
		}
		if f.afterAtomic(s, q) {
			a.Flags |= AfterAtomic
		}
		a.passed = s.passed
		if f.t.Last(f.t.Base(q)).Kind == Global && f.startsOrigins && !s.spawned {
			a.Flags |= BeforeSpawn
		}
		a.After = mergeNames(r.after, s.after)
		a.Before = f.spawnsAhead(s, r.before)
		if len(s.maybe) > len(s.held) && len(locks) == 0 {
			a.Flags |= MayHold
		}
	}
	if r.origin != nil {
		a.After = r.after
		// What a once did before the spawn is complete in the origin too.
		for _, h := range s.held {
			if h.Once && f.a.onceMatters(h.Path, q) {
				locks = append(locks[:len(locks):len(locks)], h)
			}
		}
	}
	for _, h := range locks {
		if h.Path = f.relative(h.Path, r.path, p, q); h.Path != NoPath {
			a.Locks = addHeld(a.Locks, h)
		}
	}
	f.sortHeld(a.Locks)
	for x := a.Path; x != NoPath; x = f.t.Parent(x) {
		if f.t.Last(x).Kind == Elem {
			a.Flags |= ViaElem
		}
	}
	f.add(a)
}

// afterAtomic tells whether something of an object on the way to q was loaded
// atomically before.
func (f *function) afterAtomic(s *state, q Path) bool {
	for p := q; p != NoPath && len(s.flagged) > 0; p = f.t.Parent(p) {
		if slices.Contains(s.flagged, p) {
			return true
		}
	}
	return false
}

// maxAhead bounds the spawns remembered as not having happened yet.
const maxAhead = 4

// spawnsAhead adds the spawns of this function that cannot have happened in a
// state.
func (f *function) spawnsAhead(s *state, before []Pos) []Pos {
	for _, i := range f.spawnSites {
		if !slices.Contains(s.spawns, i) && len(before) < maxAhead {
			before = append(before[:len(before):len(before)], f.at(i))
		}
	}
	return before
}

func (f *function) releasedBy(h Held, released []Path) bool {
	for _, p := range released {
		if !h.Once && f.sameLock(h.Path, p) {
			return true
		}
	}
	return false
}

func addHeld(list []Held, h Held) []Held {
	for k := range list {
		if list[k].Path == h.Path && list[k].Once == h.Once {
			if h.Mode == ir.Exclusive {
				list[k].Mode = h.Mode
			}
			return list
		}
	}
	return append(list, h)
}

// relative names a lock held at an access. identity is the access's path,
// which stands for p and is recorded as q. If lock and access begin alike, the
// lock begins like q too; otherwise it must have one name of its own. In either
// case elements that the access does not go through are marked.
func (f *function) relative(lock, identity, p, q Path) Path {
	if f.t.Last(lock).Kind == Global {
		return lock // has one name, whatever the access
	}
	ls, qs := f.t.Steps(lock), f.t.Steps(q)
	for at, depth := identity, 0; at != NoPath && depth < 6; depth++ {
		is := f.t.Steps(at)
		if n := common(ls, is); n > 0 {
			tail := len(is) - n
			if tail < len(qs) && slices.Equal(qs[len(qs)-tail:], is[n:]) {
				return f.canonLock(append(qs[:len(qs)-tail:len(qs)-tail], ls[n:]...), qs)
			}
		}
		// The access goes through a value that is something else's in turn.
		base := f.t.Base(at)
		if f.t.Last(base).Kind != local || len(f.origins[base]) != 1 {
			break
		}
		at = f.append(f.origins[base][0], is[1:])
	}
	// A lock behind a place that the function also writes has a name, but not one
	// that leads to the same lock by way of that place.
	if base := f.t.Base(lock); f.t.Last(base).Kind == local && f.t.Base(identity) != base {
		for _, o := range f.origins[base] {
			if n := f.t.Len(o) + 1; common(f.t.Steps(o), qs) == n {
				return NoPath
			}
		}
	}
	var names []Path
	for _, e := range f.expand(lock) {
		switch f.t.Last(f.t.Base(e)).Kind {
		case Param, Capture, Global:
			names = addPath(names, e)
		case fresh:
			for _, o := range f.outside(e, 0) {
				names = addPath(names, o)
			}
		}
	}
	if len(names) != 1 {
		return NoPath
	}
	return f.canonLock(f.t.Steps(names[0]), qs)
}

// canonLock marks the elements of a lock's path: those shared with the access
// and others.
func (f *function) canonLock(lock, access []Step) Path {
	n := common(lock, access)
	out := slices.Clone(lock)
	for i := range out {
		if out[i].Kind == Elem {
			out[i].N = otherElem
			if i < n {
				out[i].N = anyElem
			}
		}
	}
	return f.t.Make(out)
}

// canon forgets which element an access goes through.
func (f *function) canon(p Path) Path {
	return f.mapElems(p, func(_ int, s Step) Step {
		if s.Kind == Elem {
			return anyElement
		}
		return s
	})
}

func (f *function) canonOther(p Path) Path {
	return f.mapElems(p, func(_ int, s Step) Step {
		if s.Kind == Elem {
			s.N = otherElem
		}
		return s
	})
}

func (f *function) exportable(p Path) bool {
	k := f.t.Last(f.t.Base(p)).Kind
	return k == Param || k == Capture || k == Global
}

func (f *function) sortHeld(list []Held) {
	slices.SortFunc(list, func(a, b Held) int { return f.t.Compare(a.Path, b.Path) })
}

// add keeps one access for each path, kind and set of locks: the one about which
// there is least doubt, with the shortest chain.
func (f *function) add(a Access) {
	key := binary.AppendVarint(f.keyBuf[:0], int64(a.Path))
	key = append(key, byte(a.Kind), boolByte(a.Shared), boolByte(a.Flags&EntryCopy != 0))
	for _, h := range a.Locks {
		key = append(binary.AppendVarint(key, int64(h.Path)), byte(h.Mode))
	}
	key = append(key, 0xff)
	for _, p := range a.Released {
		key = binary.AppendVarint(key, int64(p))
	}
	if a.Origin != nil {
		key = append(key, a.Origin.Pos.File...)
		key = binary.AppendVarint(binary.AppendVarint(key, int64(a.Origin.Pos.Line)), int64(a.Origin.Pos.Col))
	}
	// Sites of this very function are told apart: they are what counts for and
	// against a lock.
	own := a.Chain.Next == nil
	if own {
		key = binary.AppendVarint(binary.AppendVarint(append(key, 0xfe), int64(a.Chain.Pos.Line)), int64(a.Chain.Pos.Col))
	}
	f.keyBuf = key
	if k, ok := f.index[string(key)]; ok {
		if old := &f.sum.Accesses[k]; clearer(&a, old) {
			*old = a
		}
		return
	}
	if len(f.sum.Accesses) >= maxAccesses && (!own || len(f.sum.Accesses) >= 2*maxAccesses) || a.Chain.Depth() > maxChain {
		f.sum.Truncated = true
		return
	}
	f.index[string(key)] = len(f.sum.Accesses)
	f.sum.Accesses = append(f.sum.Accesses, a)
}

// clearer tells whether there is less doubt about a than about b.
func clearer(a, b *Access) bool {
	return cmp.Or(
		cmp.Compare(bits.OnesCount32(uint32(a.Flags&doubts)), bits.OnesCount32(uint32(b.Flags&doubts))),
		cmp.Compare(len(a.After), len(b.After)),
		cmp.Compare(a.Chain.Depth(), b.Chain.Depth())) < 0
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// emitCall adds what the targets of a call do.
func (f *function) emitCall(s *state, i int32, in *ir.Instr) {
	how := ir.How(in.Sub)
	bs := f.bindings(i, in)
	var origin *Spawn
	var joined []Held
	flags := AccessFlags(0)
	now := s
	switch how {
	case ir.Spawned:
		origin = &Spawn{Func: f.name, Pos: f.at(i), Kind: in.Flags.Origin(), Many: in.Flags&ir.FlagMany != 0 || f.inCycle(f.body.BlockOf(i))}
		after := s.clone()
		f.transfer(&after, i)
		now = &after
		joined = f.heldUntilJoined(s, i)
		for _, p := range after.published {
			if !s.has(p) || f.t.Last(p).Kind == Param {
				f.spawned = addPath(f.spawned, p)
			}
		}
	case ir.Deferred:
		flags = Deferred
	}
	for k := range bs {
		for _, h := range bs[k].sum.Acquires {
			if !h.Once {
				f.evidence(UsesLock, f.single(&bs[k], h.Path), i)
			}
		}
		locks := joined
		if origin != nil {
			locks = append(locks[:len(locks):len(locks)], f.handedOn(s, &bs[k])...)
		}
		f.inline(now, &bs[k], i, locks, nil, origin, flags)
		if in.Op != ir.OpCallPtr && how == ir.Now {
			f.callSite(s, &bs[k])
		}
	}
	if in.Op == ir.OpCallPtr {
		args := f.body.Args(in)
		if in.Flags&ir.FlagGroup != 0 {
			args = args[1:]
		}
		f.callback(s, f.value(args[0]), i, nil, nil, how == ir.Spawned, NoPath)
	}
}

// heldUntilJoined returns the locks that are held at a spawn and still where the
// function waits for the origins it started: whoever needs such a lock is kept
// from running beside them.
func (f *function) heldUntilJoined(s *state, spawn int32) []Held {
	if len(s.held) == 0 {
		return nil
	}
	var out []Held
	found := false
	for b := range f.body.Blocks {
		blk := &f.body.Blocks[b]
		if !f.entry[b].reached {
			continue
		}
		for i := blk.First; i < blk.End; i++ {
			in := &f.body.Instrs[i]
			if in.Op != ir.OpJoin && (in.Op != ir.OpGroup || ir.GroupKind(in.Sub) != ir.GroupWait) {
				continue
			}
			at := f.entry[b].clone()
			for k := blk.First; k < i; k++ {
				f.transfer(&at, k)
			}
			if !slices.Contains(at.spawns, spawn) {
				continue // it does not wait for this one
			}
			if !found {
				out, found = slices.Clone(s.held), true
			}
			out, _ = joinHeld(out, at.held)
		}
	}
	return out
}

// handedOn returns the locks that are held at a spawn and given back by the origin
// that it starts, on whose behalf they were taken.
func (f *function) handedOn(s *state, b *binding) []Held {
	var gone []Path
	for _, p := range b.sum.Releases {
		gone = append(gone, f.rebase(b, p)...)
	}
	var out []Held
	for _, h := range s.held {
		if f.releasedBy(h, gone) {
			out = append(out, h)
		}
	}
	return out
}

// callSite notes whether a lock of the receiver was held.
func (f *function) callSite(s *state, b *binding) {
	if b.sum.Recv == "" || len(b.args) == 0 || b.args[0] == NoPath {
		return
	}
	site := CallSite{Callee: b.sum.Symbol}
	for _, e := range f.expand(b.args[0]) {
		base := f.t.Base(e)
		if f.t.Last(base).Kind == fresh && !s.has(base) {
			site.Owned = true
		}
	}
	site.Locked = len(s.held) > 0
	if !slices.Contains(f.sum.Calls, site) {
		f.sum.Calls = append(f.sum.Calls, site)
	}
}

// inline rebases the accesses of a callee. locks and released are what happened
// between the state and the callee's beginning.
func (f *function) inline(s *state, b *binding, i int32, locks []Held, released []Path, origin *Spawn, flags AccessFlags) {
	if b.open {
		flags |= Dispatched
	}
	around := f.around(s, i)
	for k := range b.sum.Accesses {
		a := &b.sum.Accesses[k]
		if a.Flags&EntryCopy != 0 {
			continue
		}
		r := raw{kind: a.Kind, flags: a.Flags | flags, shared: a.Shared, origin: origin, after: a.After, before: a.Before}
		if a.Origin != nil {
			r.origin = a.Origin
		}
		r.flags |= around & WaitsBefore
		if r.origin == nil {
			r.flags |= around
		}
		for _, h := range a.Locks {
			if h.Path = f.single(b, h.Path); h.Path != NoPath {
				r.locks = append(r.locks, h)
			}
		}
		for _, p := range a.Released {
			r.released = append(r.released, f.rebase(b, p)...)
		}
		for _, h := range locks {
			if a.Origin == nil && !f.releasedBy(h, r.released) {
				r.locks = append(r.locks, h)
			}
		}
		r.released = append(r.released, released...)
		for _, p := range f.rebase(b, a.Path) {
			if r.chain == nil {
				r.chain = f.frame(i, a.Chain)
			}
			r.path = p
			f.access(s, r)
		}
	}
	for k := range b.sum.Callbacks {
		f.inlineCallback(s, b, &b.sum.Callbacks[k], i, locks, released, origin, flags)
	}
}

// inlineCallback runs what the caller passed to a callee that calls it.
func (f *function) inlineCallback(s *state, b *binding, cb *Callback, i int32, locks []Held, released []Path, origin *Spawn, flags AccessFlags) {
	held := slices.Clone(locks)
	for _, h := range cb.Locks {
		if h.Path = f.single(b, h.Path); h.Path != NoPath {
			held = append(held, h)
		}
	}
	gone := slices.Clone(released)
	for _, p := range cb.Released {
		gone = append(gone, f.rebase(b, p)...)
	}
	if cb.Spawned && origin == nil {
		origin = &Spawn{Func: b.sum.Name, Pos: cb.Pos}
		held, gone = nil, nil
	}
	for _, fn := range f.rebase(b, cb.Path) {
		for _, target := range f.bindValue(i, fn, nil) {
			if f.depth < 3 {
				f.depth++
				f.inline(s, &target, i, held, gone, origin, flags)
				f.depth--
			}
		}
		f.callback(s, fn, i, held, gone, cb.Spawned || origin != nil, f.single(b, cb.Once))
	}
}

// callback notes the call of a function value that the caller passed in.
func (f *function) callback(s *state, fn Path, i int32, locks []Held, released []Path, spawned bool, once Path) {
	if fn == NoPath {
		return
	}
	for _, e := range f.expand(fn) {
		if k := f.t.Last(f.t.Base(e)).Kind; k != Param && k != Capture {
			continue
		}
		cb := Callback{Path: f.canonOther(e), Pos: f.at(i), Spawned: spawned, Once: NoPath}
		if !spawned {
			for _, h := range append(slices.Clone(s.held), locks...) {
				if h.Path = f.lockName(h.Path); h.Path != NoPath {
					cb.Locks = addHeld(cb.Locks, h)
				}
			}
			for _, p := range append(slices.Clone(s.released), released...) {
				for _, x := range f.expand(p) {
					if f.exportable(x) {
						cb.Released = addPath(cb.Released, f.canonOther(x))
					}
				}
			}
		}
		if len(f.sum.Callbacks) < maxCallbacks {
			f.sum.Callbacks = append(f.sum.Callbacks, cb)
		} else {
			f.sum.Truncated = true
		}
	}
}

// lockName is the one name that callers have for a lock, or NoPath.
func (f *function) lockName(p Path) Path {
	list := f.expand(p)
	if len(list) != 1 {
		return NoPath
	}
	if f.exportable(list[0]) {
		return f.canonOther(list[0])
	}
	base := f.t.Base(list[0])
	if k, ok := f.returned[base]; ok {
		return f.canonOther(f.append(f.root(Result, int32(k)), f.t.Steps(list[0])[1:]))
	}
	return NoPath
}

// emitOnce runs the body of a once: it holds the once exclusively.
func (f *function) emitOnce(s *state, i int32, in *ir.Instr) {
	if f.body.Args(in)[1] == ir.NoValue {
		return // waits only
	}
	once := Held{Path: f.value(f.body.Args(in)[0]), Mode: ir.Exclusive, Once: true, Pos: f.at(i), Depth: 1}
	if !f.a.prog.separately(f.code, in) {
		bs := f.bindings(i, in)
		for k := range bs {
			f.inline(s, &bs[k], i, []Held{once}, nil, nil, 0)
		}
	}
	f.evidence(UsesOnce, once.Path, i)
	f.callback(s, f.value(f.body.Args(in)[1]), i, []Held{once}, nil, false, once.Path)
}

// export notes a store that callers can see.
func (f *function) export(s *state, addr, v Path) {
	if addr == NoPath || v == NoPath {
		return
	}
	for _, a := range f.expand(addr) {
		if !f.exportable(a) {
			continue
		}
		for _, e := range f.expand(v) {
			if k, ok := f.returned[e]; ok {
				f.addStore(Store{f.canon(a), f.root(Result, int32(k))})
			}
			if !f.exportable(e) || f.t.Last(f.t.Base(e)).Kind == Global {
				continue
			}
			f.addStore(Store{f.canon(a), f.canon(e)})
		}
	}
}

func (f *function) addStore(st Store) {
	if slices.Contains(f.sum.Stores, st) {
		return
	}
	if len(f.sum.Stores) >= maxStores {
		f.sum.Truncated = true
		return
	}
	f.sum.Stores = append(f.sum.Stores, st)
}

// evidence notes that a lock or atomic field is used.
func (f *function) evidence(kind EvidenceKind, p Path, i int32) {
	if p == NoPath {
		return
	}
	for _, e := range f.expand(p) {
		n := 0
		for ; e != NoPath && n < 2; e = f.t.Parent(e) {
			s := f.t.Last(e)
			switch s.Kind {
			case Field:
				sym := f.t.Symbol(s)
				f.addEvidence(Evidence{kind, sym.Owner, sym.Name, f.at(i)})
				n++
			case Global:
				f.addEvidence(Evidence{kind, f.t.Symbol(s).Name, "", f.at(i)})
			}
		}
	}
}

// monitorName stands for the lock that an object is by itself.
const monitorName = "the monitor"

// isVolatile tells whether an access is one of a variable that is declared to be
// used by several origins.
func isVolatile(in *ir.Instr) bool {
	return in.Flags&ir.FlagVolatile != 0 && ir.Order(in.Sub) > ir.Relaxed
}

func (f *function) addEvidence(e Evidence) {
	for _, old := range f.sum.Evidence {
		if old.Kind == e.Kind && old.Owner == e.Owner && old.Field == e.Field {
			return
		}
	}
	f.sum.Evidence = append(f.sum.Evidence, e)
}
