package lockset

import (
	"cmp"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// What instances hold at entry is alike: the same few lists meet again and again,
// in instances that are called from one place, and in those of one function. So
// lists have numbers, and what becomes of them is remembered by number. For the
// same reason locks that are global have a name that all functions share here.
//
// Two locks are one if they have the same name or lie at the same place, so that
// what three callers hold in common depends on which two are compared first. Hence
// work is done first come, first served, from the first instance on: the order is
// that of the program, and no other is as good.

// solver computes what every instance holds at entry.
type solver struct {
	*Result
	lists listTable
	entry []listID // by instance; unknown until a caller has told
	work  []pointer.InstID

	joins  map[uint64]listID   // by two lists: see flow
	enters map[entering]listID // see enter

	globals *path.Table
	locals  map[local]path.ID // see localName

	own map[runs.Point][]lockID // see taken

	first, second, both []Lock   // scratch
	ids                 []lockID // scratch
}

// entering is a list as a call hands it over.
type entering struct {
	caller, callee link.FuncID
	instr          int32
	held           listID
}

// local is a shared name in a function.
type local struct {
	fn   link.FuncID
	name path.ID
}

// solve returns what every instance holds at entry.
func (r *Result) solve() [][]Lock {
	n := len(r.pts.Instances)
	s := &solver{Result: r, lists: newListTable(), entry: make([]listID, n),
		joins: make(map[uint64]listID), enters: make(map[entering]listID),
		globals: path.Globals(), locals: make(map[local]path.ID), own: make(map[runs.Point][]lockID)}
	for i := range s.entry {
		if len(r.runs.Callers[i]) == 0 || r.spawned(pointer.InstID(i)) {
			s.entry[i] = emptyList
			s.work = append(s.work, pointer.InstID(i))
		}
	}
	for next := 0; next < len(s.work) && !r.pts.Stopped(); next++ {
		s.passOn(s.work[next])
	}
	entry := make([][]Lock, n)
	for i, l := range s.entry {
		if f := s.function(pointer.InstID(i)); f != nil {
			entry[i] = s.inFunction(f, l)
		}
	}
	return entry
}

// share gives locks that are global the names that all functions share, which are
// below path.None.
func (s *solver) share(f *Function, locks []Lock) {
	for k := range locks {
		l := &locks[k]
		if l.Path < 0 {
			continue
		}
		steps := f.Paths.Steps(l.Path)
		if steps[0].Kind != path.Global {
			continue
		}
		if p := extendAll(s.globals, s.globals.GlobalRoot(steps[0].N), steps[1:]); p != path.None {
			l.Path = path.None - 1 - p
		}
	}
}

// inFunction returns the locks of a list as a function names them.
func (s *solver) inFunction(f *Function, l listID) []Lock {
	locks := s.lists.appendTo(nil, l)
	for k := range locks {
		locks[k].Path = s.localName(f, locks[k].Path)
	}
	return locks
}

// localName returns how a function names a lock.
func (s *solver) localName(f *Function, p path.ID) path.ID {
	if p >= path.None {
		return p
	}
	key := local{f.fn, p}
	name, known := s.locals[key]
	if !known {
		steps := s.globals.Steps(path.None - 1 - p)
		name = extendAll(f.Paths, f.Paths.GlobalRoot(steps[0].N), steps[1:])
		s.locals[key] = name
	}
	return name
}

// spawned tells whether an instance is also where an origin begins.
func (r *Result) spawned(id pointer.InstID) bool {
	inst := &r.pts.Instances[id]
	for _, f := range r.pts.Origins.Get(inst.Origin).Entries {
		if f == inst.Func {
			return true
		}
	}
	return false
}

// passOn tells what an instance calls what it holds there. Those to whom that is
// new will have to pass it on.
func (s *solver) passOn(id pointer.InstID) {
	var held listID // at instruction at
	at := int32(ir.None)
	for _, e := range s.pts.Instances[id].Calls {
		if e.How == ir.Spawned || s.function(e.Target) == nil {
			continue
		}
		in := emptyList
		if e.How == ir.Now {
			if e.Instr != at {
				held, at = s.at(id, e.Instr), e.Instr
			}
			in = s.enter(id, e.Instr, e.Target, held)
		}
		if s.flow(e.Target, in) {
			s.work = append(s.work, e.Target)
			if e.Target == id {
				at = ir.None // what it holds has changed
			}
		}
	}
}

// at returns what an instance holds before an instruction.
func (s *solver) at(id pointer.InstID, instr int32) listID {
	f := s.function(id)
	entry := s.entry[id]
	if len(f.strays) > 0 && entry != emptyList {
		return s.atStrays(id, instr)
	}
	own := s.taken(id, instr)
	if len(own) == 0 && (len(f.releases) == 0 || !s.lists.named[entry]) {
		return entry
	}
	s.ids = s.ids[:0]
	for _, l := range s.lists.ids(entry) {
		if x := &s.lists.locks[l]; x.Path == path.None || len(f.releases) == 0 || !f.MayRelease(s.localName(f, x.Path), x.Kind, instr) {
			s.ids = append(s.ids, l)
		}
	}
	s.ids = append(s.ids, own...)
	return s.lists.internIDs(s.ids)
}

// atStrays is at for a function that gives locks back by other names.
func (s *solver) atStrays(id pointer.InstID, instr int32) listID {
	f := s.function(id)
	held := s.atFrom(id, instr, s.inFunction(f, s.entry[id]))
	s.share(f, held)
	s.ids = s.ids[:0]
	for _, l := range held {
		s.ids = append(s.ids, s.lists.lockID(l))
	}
	return s.lists.internIDs(s.ids)
}

// taken returns what an instance holds before an instruction that it, or what it
// calls, has taken.
func (s *solver) taken(id pointer.InstID, instr int32) []lockID {
	f := s.function(id)
	if len(f.At(instr)) == 0 {
		return nil
	}
	at := runs.Point{Inst: id, Instr: instr}
	own, known := s.own[at]
	if !known {
		locks := s.atFrom(id, instr, nil)
		s.share(f, locks)
		for _, l := range locks {
			own = append(own, s.lists.lockID(l))
		}
		s.own[at] = own
	}
	return own
}

// enter returns what is held at a call, in the callee's terms.
func (s *solver) enter(id pointer.InstID, instr int32, target pointer.InstID, held listID) listID {
	caller, callee := s.function(id), s.function(target)
	in := &caller.body.Instrs[instr]
	if in.Op != ir.OpOnce && !s.lists.local[held] {
		return held
	}
	key := entering{caller.fn, callee.fn, instr, held}
	if in.Op != ir.OpOnce {
		if list, known := s.enters[key]; known {
			return list
		}
	}
	s.ids = s.ids[:0]
	for _, l := range s.lists.ids(held) {
		x := s.lists.locks[l]
		if x.Path > path.None {
			if x.Path = s.descend(caller, callee, instr, x.Path); x.Path == path.None && x.Kind.past() {
				continue
			}
			l = s.lists.lockID(x)
		}
		s.ids = append(s.ids, l)
	}
	if in.Op == ir.OpOnce { // this instance takes the once
		s.both = s.Result.enter(s.both[:0], id, instr, target, nil)
		s.share(callee, s.both)
		for _, x := range s.both {
			s.ids = append(s.ids, s.lists.lockID(x))
		}
		return s.lists.internIDs(s.ids)
	}
	list := s.lists.internIDs(s.ids)
	s.enters[key] = list
	return list
}

// flow joins what is held at a call into what an instance holds at entry, and
// tells whether that has changed.
func (s *solver) flow(id pointer.InstID, held listID) bool {
	old := s.entry[id]
	key := uint64(uint32(old))<<32 | uint64(uint32(held))
	both, known := s.joins[key]
	if !known {
		s.second = s.lists.appendTo(s.second[:0], held)
		if old == unknownList {
			s.both = append(s.both[:0], s.second...)
			slices.SortStableFunc(s.both, compareTaken)
		} else {
			s.first = s.lists.appendTo(s.first[:0], old)
			s.both = joinLocks(s.both[:0], s.first, s.second)
		}
		both = s.lists.intern(s.both)
		s.joins[key] = both
	}
	s.entry[id] = both
	return both != old
}

// joinLocks adds to both what an instance holds that is called by some who hold
// old and some who hold held.
func joinLocks(both, old, held []Lock) []Lock {
	for _, x := range old {
		y, ok := findIn(held, x)
		if x.Kind.past() && !ok {
			continue
		}
		if ok {
			if x.Path != y.Path {
				x.Path = path.None
			}
			if x.Node != y.Node {
				x.Node = noNode
			}
			if y.Mode == ir.Shared {
				x.Mode = ir.Shared
			}
			if compareTaken(y, x) < 0 {
				x.Taken, x.Home = y.Taken, y.Home
			}
		}
		x.Maybe = x.Maybe || !ok || y.Maybe
		both = append(both, x)
	}
	for _, y := range held {
		if _, ok := findIn(old, y); !ok && !y.Kind.past() {
			y.Maybe = true
			both = append(both, y)
		}
	}
	slices.SortStableFunc(both, compareTaken)
	return capped(both)
}

// maxHeld bounds the locks that an instance holds on some ways at entry.
const maxHeld = 16

// capped leaves out what is held on some ways beyond the bound: of sorted locks
// the last, whichever came first.
func capped(locks []Lock) []Lock {
	for k := len(locks) - 1; k >= 0 && len(locks) > maxHeld; k-- {
		if locks[k].Maybe {
			locks = slices.Delete(locks, k, k+1)
		}
	}
	return locks
}

// compareTaken orders locks by where they are taken, callers first.
func compareTaken(a, b Lock) int {
	return cmp.Or(cmp.Compare(a.Taken.Inst, b.Taken.Inst), cmp.Compare(a.Taken.Instr, b.Taken.Instr),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Home, b.Home))
}

func findIn(locks []Lock, x Lock) (Lock, bool) {
	for k := range locks {
		if sameIn(&x, &locks[k]) {
			return locks[k], true
		}
	}
	return Lock{}, false
}

// sameIn tells whether two locks known in the same instance are one, or two that
// no answer tells apart: whether a place is one lock is asked in the end.
func sameIn(x, y *Lock) bool {
	if x.Kind != y.Kind {
		return false
	}
	if x.Kind.past() {
		return x.Path == y.Path
	}
	return x.Path != path.None && x.Path == y.Path || x.Node != noNode && x.Node == y.Node ||
		x.Taken == y.Taken && x.Home == y.Home
}
