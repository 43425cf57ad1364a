package lockset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Lock is a lock surely held at an instruction of an instance. It is known by
// its path in the instance's function, by the memory it is, or both.
type Lock struct {
	Path  path.ID      // path.None if the function cannot name it
	Node  pointer.Node // the only place it can be, or noNode; one lock only if that is unique
	Mode  ir.Mode
	Taken runs.Point
	Home  path.ID // its path where it was taken
	Maybe bool    // held on some ways here only
	Kind  Kind
}

const noNode pointer.Node = -1

// Result answers questions about locks in context.
type Result struct {
	a      *analysis
	pts    *pointer.Result
	runs   *runs.Result
	entry  [][]Lock
	roles  map[role]bool                 // see serves
	takers map[pointer.Node][]runs.Point // see balanced; nil until asked for

	senders  map[pointer.Node][]runs.Point // see passedAround; nil until asked for
	swappers map[pointer.Node][]runs.Point // see onlyHoldersFree; nil until asked for

	names map[passed]path.ID // see descend
}

// Analyze computes what every instance holds at entry: the locks that all its
// callers hold.
func Analyze(pts *pointer.Result, rs *runs.Result) *Result {
	r := &Result{
		a:     &analysis{prog: pts.Prog, pending: make(map[link.FuncID]bool), calls: dispatched(pts)},
		pts:   pts,
		runs:  rs,
		roles: make(map[role]bool),
		names: make(map[passed]path.ID),
	}
	// Recursion is cut at the function that is asked for first: callers before
	// callees, whatever the order of work.
	for i := range pts.Instances {
		r.function(pointer.InstID(i))
	}
	r.entry = r.solve()
	return r
}

// dispatched lists the functions that dispatched calls run, over all
// instances.
func dispatched(pts *pointer.Result) map[call][]link.FuncID {
	calls := make(map[call][]link.FuncID)
	for i := range pts.Instances {
		inst := &pts.Instances[i]
		body := pts.Body(pointer.InstID(i))
		for _, e := range inst.Calls {
			if e.How != ir.Now || body.Instrs[e.Instr].Op != ir.OpInvoke {
				continue
			}
			key := call{inst.Func, e.Instr}
			if f := pts.Instances[e.Target].Func; !slices.Contains(calls[key], f) {
				calls[key] = append(calls[key], f)
			}
		}
	}
	return calls
}

// enter adds what is held at a call to out, in the callee's terms.
func (r *Result) enter(out []Lock, id pointer.InstID, instr int32, target pointer.InstID, held []Lock) []Lock {
	callee := r.function(target)
	caller := r.function(id)
	if in := &caller.body.Instrs[instr]; in.Op == ir.OpOnce {
		once := caller.Paths.Value(caller.body.Args(in)[0])
		held = append(held[:len(held):len(held)], Lock{Path: once, Node: noNode, Taken: runs.Point{Inst: id, Instr: instr}, Home: once, Kind: Once})
	}
	for _, l := range held {
		p := path.None
		if callee != nil && l.Path != path.None {
			p = r.descend(caller, callee, instr, l.Path)
		}
		if p == path.None && l.Kind.past() {
			continue
		}
		l.Path = p
		out = append(out, l)
	}
	return out
}

// passed is a path as a call hands it over.
type passed struct {
	caller, callee link.FuncID
	instr          int32
	path           path.ID
}

// descend names a caller's path in the callee. It is asked for every instance of
// both, and depends on neither.
func (r *Result) descend(caller, callee *Function, instr int32, p path.ID) path.ID {
	key := passed{caller.fn, callee.fn, instr, p}
	name, known := r.names[key]
	if !known {
		name = r.nameIn(caller, callee, instr, p)
		r.names[key] = name
	}
	return name
}

// nameIn finds the name of a caller's path in the callee: the operand it passes
// through becomes the parameter.
func (r *Result) nameIn(caller, callee *Function, instr int32, p path.ID) path.ID {
	in := &caller.body.Instrs[instr]
	args := caller.body.Args(in)
	if in.Flags&ir.FlagGroup != 0 && in.Op != ir.OpOnce {
		args = args[1:]
	}
	steps := caller.Paths.Steps(p)
	if steps[0].Kind == path.Global {
		return extendAll(callee.Paths, callee.Paths.GlobalRoot(steps[0].N), steps[1:])
	}
	var captures []ir.Value
	switch in.Op {
	case ir.OpCallPtr:
		captures = caller.captures(args[0])
		args = args[1:]
	case ir.OpOnce:
		captures = caller.captures(args[1])
		args = nil
	}
	for k, a := range args {
		if k < int(callee.body.Params) {
			if rest, ok := suffix(caller.Paths, steps, a); ok {
				return extendAll(callee.Paths, callee.Paths.Value(ir.RegValue(ir.Reg(k))), rest)
			}
		}
	}
	for k, c := range captures {
		if k < int(callee.body.Captures) {
			if rest, ok := suffix(caller.Paths, steps, c); ok {
				return extendAll(callee.Paths, callee.Paths.Value(ir.RegValue(ir.Reg(callee.body.Params)+ir.Reg(k))), rest)
			}
		}
	}
	return path.None
}

// captures returns the captured operands of a closure made in this function.
func (f *Function) captures(v ir.Value) []ir.Value {
	if d := f.a.prog.Definition(f.fn, v); d >= 0 && f.body.Instrs[d].Op == ir.OpClosure {
		return f.body.Args(&f.body.Instrs[d])
	}
	return nil
}

// suffix returns what follows the path of v in steps.
func suffix(t *path.Table, steps []path.Path, v ir.Value) ([]path.Path, bool) {
	p := t.Value(v)
	if p == path.None {
		return nil, false
	}
	prefix := t.Steps(p)
	if len(prefix) > len(steps) {
		return nil, false
	}
	for i := range prefix {
		if prefix[i].Kind != steps[i].Kind || prefix[i].N != steps[i].N {
			return nil, false
		}
	}
	return steps[len(prefix):], true
}

func extendAll(t *path.Table, at path.ID, steps []path.Path) path.ID {
	for _, s := range steps {
		var ok bool
		if at, ok = t.Extend(at, s); !ok {
			return path.None
		}
	}
	return at
}

func (r *Result) function(id pointer.InstID) *Function {
	return r.a.function(r.pts.Instances[id].Func)
}

// Paths returns the path table of an instance's function, nil if it has no
// code.
func (r *Result) Paths(id pointer.InstID) *path.Table {
	if f := r.function(id); f != nil {
		return f.Paths
	}
	return nil
}

// FuncPaths returns the path table of a function, nil if it has no code.
func (r *Result) FuncPaths(fn link.FuncID) *path.Table {
	if f := r.a.function(fn); f != nil {
		return f.Paths
	}
	return nil
}

// At returns the locks surely held before an instruction of an instance.
func (r *Result) At(id pointer.InstID, instr int32) []Lock {
	return r.locks(r.atFrom(id, instr, r.entry[id]))
}

// Via returns the locks surely held before an instruction of an instance that is
// reached by a way.
func (r *Result) Via(id pointer.InstID, instr int32, way runs.Way) []Lock {
	return r.locks(r.via(id, instr, way))
}

// PastVia returns the onces that an instruction of an instance lies in or
// behind, and the waits behind which it lies, as far as the function can name
// them.
func (r *Result) PastVia(id pointer.InstID, instr int32, way runs.Way) []Lock {
	return slices.DeleteFunc(r.via(id, instr, way), func(l Lock) bool { return !l.Kind.past() })
}

// locks drops what is no lock.
func (r *Result) locks(list []Lock) []Lock {
	return slices.DeleteFunc(list, func(l Lock) bool {
		switch l.Kind {
		case Mutex:
			return false
		case Buffer:
			return !r.serves(l.Node, Buffer)
		case Token, Swap:
			return l.Maybe || !r.serves(l.Node, l.Kind)
		}
		return true
	})
}

func (r *Result) via(id pointer.InstID, instr int32, way runs.Way) []Lock {
	entry := r.entry[way.Last(id)]
	if way.Start {
		entry = nil
	}
	return r.from(id, instr, way, entry)
}

// from is via for a way that begins with the given locks.
func (r *Result) from(id pointer.InstID, instr int32, way runs.Way, entry []Lock) []Lock {
	for k := len(way.Calls) - 1; k >= 0; k-- {
		c := way.Calls[k]
		target := id
		if k > 0 {
			target = way.Calls[k-1].Inst
		}
		var held []Lock
		if c.How == ir.Now {
			held = r.enter(nil, c.Inst, c.Instr, target, r.atFrom(c.Inst, c.Instr, entry))
		}
		entry = held
	}
	return r.atFrom(id, instr, entry)
}

// atFrom is At for an activation that holds the given locks at entry.
func (r *Result) atFrom(id pointer.InstID, instr int32, entry []Lock) []Lock {
	f := r.function(id)
	if f == nil {
		return nil
	}
	var out []Lock
	for _, l := range entry {
		if l.Path == path.None || !f.MayRelease(l.Path, l.Kind, instr) {
			out = append(out, l)
		}
	}
	for _, h := range f.At(instr) {
		l := Lock{Path: h.Path, Node: noNode, Mode: h.Mode, Taken: runs.Point{Inst: id, Instr: h.Instr}, Home: h.Path, Maybe: h.Maybe, Kind: h.Kind}
		if h.Cell && r.isNone(id, h) {
			continue
		}
		if !h.Kind.past() {
			l.Node = r.node(id, h)
		}
		out = append(out, l)
	}
	if len(f.strays) > 0 {
		out = r.withoutStrays(f, id, instr, out)
	}
	return out
}

// isNone tells whether what a model takes as lock is nothing, as with a semaphore
// of many permits or an executor of many threads.
func (r *Result) isNone(id pointer.InstID, h Held) bool {
	if h.Value != ir.NoValue {
		return r.pts.PointsTo(id, h.Value, 0).Empty()
	}
	const limit = 100
	return len(r.follow(id, h.Path, limit)) == 0
}

// node returns the only place a held path can lead to.
func (r *Result) node(id pointer.InstID, h Held) pointer.Node {
	if h.Value != ir.NoValue {
		if n, ok := r.pts.PointsTo(id, h.Value, 0).Single(); ok {
			return n
		}
		return noNode
	}
	if at := r.follow(id, h.Path, 1); len(at) == 1 {
		return at[0]
	}
	return noNode
}

// follow returns the places a path may lead to in an instance; none if there
// are more than limit.
func (r *Result) follow(id pointer.InstID, p path.ID, limit int) []pointer.Node {
	f := r.function(id)
	steps := f.Paths.Steps(p)
	var at []pointer.Node
	put := func(n pointer.Node) bool {
		for _, m := range at {
			if m == n {
				return true
			}
		}
		at = append(at, n)
		return len(at) <= limit
	}
	switch root := steps[0]; root.Kind {
	case path.Param:
		r.pts.PointsTo(id, ir.RegValue(ir.Reg(root.N)), 0).Each(put)
	case path.Capture:
		r.pts.PointsTo(id, ir.RegValue(ir.Reg(f.body.Params+root.N)), 0).Each(put)
	case path.Value:
		r.pts.PointsTo(id, ir.RegValue(f.body.Instrs[root.N].Dst), 0).Each(put)
	case path.Global:
		r.pts.GlobalNode(link.GlobalID(root.N)).Each(put)
	}
	if len(at) > limit {
		return nil
	}
	for _, s := range steps[1:] {
		from := at
		at = nil
		for _, n := range from {
			switch s.Kind {
			case path.Field:
				if m, ok := r.pts.Offset(n, s.N); ok {
					put(m)
				}
			case path.Deref:
				r.pts.Content(n).Each(put)
			default:
				put(n)
			}
		}
		if len(at) > limit {
			return nil
		}
	}
	return at
}

// Protected is a lock that two accesses of the same memory both hold, at least
// one of them exclusively.
type Protected struct {
	First, Second Lock
	Likely        bool // relies on a part of memory belonging to one owner only
}

// Side is an access as Common needs it: where, to what path, under which locks.
type Side struct {
	Inst  pointer.InstID
	Path  path.ID
	Locks []Lock
}

// Common finds a lock that excludes two accesses to the same cell from each
// other. Equal unique locks are the same. A lock and an access that go through
// the same base (x.mu and x.f) make a relative element: if both accesses touch
// the same cell and hold equal elements, the base is the same and so is the
// lock. rs says which memory is unique.
func (r *Result) Common(a, b Side, rs *runs.Result) (Protected, bool) {
	for _, x := range a.Locks {
		for _, y := range b.Locks {
			if x.Mode == ir.Shared && y.Mode == ir.Shared || x.Maybe || y.Maybe {
				continue
			}
			if x.Node != noNode && x.Node == y.Node && rs.UniqueNode(x.Node) {
				return Protected{First: x, Second: y}, true
			}
			kx, likely := r.relative(a, x)
			ky, _ := r.relative(b, y)
			if kx != "" && kx == ky {
				return Protected{First: x, Second: y, Likely: likely}, true
			}
		}
	}
	return Protected{}, false
}

// relative spells a lock relative to the access: how to get from their common
// base to each. likely is true if the access goes through memory on the way, so
// that the same cell need not mean the same base.
func (r *Result) relative(s Side, l Lock) (key string, likely bool) {
	if l.Path == path.None || s.Path == path.None {
		return "", false
	}
	t := r.Paths(s.Inst)
	lock, acc := t.Steps(l.Path), t.Steps(s.Path)
	if lock[0].Kind == path.Global {
		return "global " + spell(lock), false
	}
	n := 0
	for n < len(lock) && n < len(acc) && lock[n].Kind == acc[n].Kind && lock[n].N == acc[n].N {
		n++
	}
	if n == 0 {
		return "", false
	}
	for _, st := range acc[n:] {
		likely = likely || st.Kind == path.Deref
	}
	if likely && r.private(s.Inst, lock) {
		return "", false
	}
	return spell(lock[n:]) + " for " + spell(acc[n:]), likely
}

// private tells whether a lock lies in a variable of the function itself, such
// as a receiver passed by value: every activation has its own.
func (r *Result) private(inst pointer.InstID, lock []path.Path) bool {
	for _, st := range lock {
		if st.Kind == path.Deref {
			return false
		}
	}
	root := lock[0]
	return root.Kind == path.Value && r.function(inst).body.Instrs[root.N].Op == ir.OpAlloc
}

func spell(steps []path.Path) string {
	var b strings.Builder
	for _, s := range steps {
		b.WriteByte(" pcgvf.*[e"[s.Kind+1])
		if s.Kind != path.Elem && s.Kind != path.Deref {
			b.WriteString(strconv.Itoa(int(s.N)))
		}
	}
	return b.String()
}

// Guarded tells whether the accesses at two points, of the same memory, hold a
// common lock.
func (r *Result) Guarded(a, b runs.Point) bool {
	_, ok := r.Common(r.side(a), r.side(b), r.runs)
	return ok
}

func (r *Result) side(p runs.Point) Side {
	f := r.function(p.Inst)
	s := Side{Inst: p.Inst, Locks: r.At(p.Inst, p.Instr), Path: path.None}
	if args := f.body.Args(&f.body.Instrs[p.Instr]); len(args) > 0 {
		s.Path = f.Paths.Value(args[0])
	}
	return s
}

// Held tells whether a unique lock is surely held at a point.
func (r *Result) Held(p runs.Point, lock pointer.Node) bool {
	for _, l := range r.At(p.Inst, p.Instr) {
		if l.Node == lock && !l.Maybe && r.runs.UniqueNode(lock) {
			return true
		}
	}
	return false
}

// Beside tells whether an access holds a lock that lies in the same object as
// the data.
func (r *Result) Beside(s Side) bool {
	for _, l := range s.Locks {
		if l.Maybe {
			continue
		}
		if key, through := r.relative(s, l); key != "" && !through && !strings.HasPrefix(key, "global") {
			return true
		}
	}
	return false
}

// Name spells a lock as the function at an instance does.
func (r *Result) Name(id pointer.InstID, l Lock) string {
	if l.Path != path.None {
		return r.Paths(id).Name(l.Path)
	}
	return r.Paths(l.Taken.Inst).Name(l.Home)
}

// maxTargets bounds the places a lock may be.
const maxTargets = 64

// Targets returns the places a lock may be; none if there are very many.
func (r *Result) Targets(l Lock) []pointer.Node {
	return r.follow(l.Taken.Inst, l.Home, maxTargets)
}

// Places returns the places that a path of an instance's function may name; none
// if there are very many.
func (r *Result) Places(id pointer.InstID, p path.ID) []pointer.Node {
	return r.follow(id, p, maxTargets)
}

// Lent returns the locks held before an instruction of an instance that is
// reached by a way from the start of its origin, if those that its starter holds
// at a spawn count as held by it.
func (r *Result) Lent(id pointer.InstID, instr int32, way runs.Way, spawn runs.Point, held []Lock) []Lock {
	return r.locks(r.from(id, instr, way, r.enter(nil, spawn.Inst, spawn.Instr, way.Last(id), held)))
}
