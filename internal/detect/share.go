package detect

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// ShareMap says which memory of a program several origins touch.
type ShareMap struct {
	Local     int // objects that one origin touches alone
	Shared    int // objects that several touch
	Cells     []SharedCells
	Protected int // cells left out for being only read, or protected in every access
	Unsure    int // cells left out since each instance of one origin may have its own
}

// SharedCells is a piece of memory that several origins touch once it is known
// to more than the one that made it: cells of one object with the same users.
type SharedCells struct {
	Names   []string // of each cell: the variable, or the type, and the part of it
	Object  Object
	Several bool // the place makes several objects
	Unsure  bool // Unguarded: each instance of an origin may have its own object
	Guard   Guard
	Lock    string // GuardLock: the lock that is always held, as the first writer names it
	Readers []User
	Writers []User
}

// User is an origin that uses a cell.
type User struct {
	Origin OriginRef
	At     []Use
}

// Use is an access, without its context.
type Use struct {
	Kind     AccessKind
	Op       string // what it does with a channel, lock or group that is itself accessed; "" for data
	Function string
	Place    Place
}

// Guard says what protects a cell in every access.
type Guard uint8

const (
	Unguarded   Guard = iota // no one thing
	GuardRead                // nobody writes
	GuardLock                // one lock
	GuardAtomic              // atomic operations
	GuardOrder               // no two conflicting accesses can happen at the same time
)

func (g Guard) String() string { return [...]string{"none", "only-read", "lock", "atomic", "order"}[g] }

// Share maps the memory that code in scope makes or writes. With all it lists
// cells that are only read, that are protected in every access, or of which
// each instance of an origin may have its own, too.
func Share(f Facts, cfg InspectConfig, all bool) ShareMap {
	x := newInspector(f, cfg)
	m := ShareMap{Local: f.Sharing.Local, Shared: f.Sharing.Shared}
	for _, c := range x.sharedCells() {
		if !x.concernsScope(c) {
			continue
		}
		cell, ok := x.sharedCell(c)
		switch {
		case !ok:
		case all:
			m.Cells = append(m.Cells, cell)
		case cell.Guard != Unguarded:
			m.Protected++
		case cell.Unsure:
			m.Unsure++
		default:
			m.Cells = append(m.Cells, cell)
		}
	}
	slices.SortStableFunc(m.Cells, func(a, b SharedCells) int {
		return cmp.Or(comparePlaces(a.Object.Place, b.Object.Place), strings.Compare(a.Object.Kind, b.Object.Kind),
			comparePlaces(firstUse(&a), firstUse(&b)), strings.Compare(a.Names[0], b.Names[0]))
	})
	m.Cells = joinCells(m.Cells)
	return m
}

// joinCells joins cells that follow each other and differ in nothing but their
// names. Objects of one place are told apart by who makes them; where that makes
// no difference, one is enough.
func joinCells(cells []SharedCells) []SharedCells {
	var out []SharedCells
	for _, c := range cells {
		if n := len(out) - 1; n >= 0 {
			names := out[n].Names
			out[n].Names = c.Names
			same := reflect.DeepEqual(out[n], c)
			out[n].Names = names
			if same {
				if !slices.Contains(names, c.Names[0]) {
					out[n].Names = append(names, c.Names[0])
				}
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

func firstUse(c *SharedCells) Place {
	for _, u := range append(slices.Clone(c.Writers), c.Readers...) {
		return u.At[0].Place
	}
	return Place{}
}

// sharedCells collects the cells that several origins touch, read or written:
// one pass finds them, another one their accesses.
func (x *inspector) sharedCells() []*sharing.Cell {
	first := make(map[pointer.Node]origin.ID)
	several := make(map[pointer.Node]bool)
	x.eachCell(func(a sharing.Access, obj pointer.ObjectID, n pointer.Node) {
		o := x.Points.Instances[a.Inst].Origin
		before, known := first[n]
		switch {
		case !known:
			first[n] = o
			if x.Runs.Many(o) && !x.Sharing.InstanceLocal(obj, o) {
				several[n] = true
			}
		case before != o:
			several[n] = true
		}
	})
	index := make(map[pointer.Node]*sharing.Cell)
	var cells []*sharing.Cell
	x.eachCell(func(a sharing.Access, obj pointer.ObjectID, n pointer.Node) {
		if !several[n] {
			return
		}
		c := index[n]
		if c == nil {
			_, slot := x.Points.Object(n)
			c = &sharing.Cell{Object: obj, Slot: slot}
			index[n] = c
			cells = append(cells, c)
		}
		c.Accesses = append(c.Accesses, a)
	})
	return cells
}

// eachCell visits the cells of memory that can change, with every access that
// can run.
func (x *inspector) eachCell(f func(sharing.Access, pointer.ObjectID, pointer.Node)) {
	for i := range x.Points.Instances {
		x.accesses.Of(pointer.InstID(i), func(a sharing.Access, first pointer.Node, n int32) {
			if n == 0 || !x.Values.Runs(a.Inst, a.Instr) {
				return
			}
			obj, _ := x.Points.Object(first)
			if k := x.Points.Objects[obj].Kind; k == pointer.ObjectBox || k == pointer.ObjectValue || k == pointer.ObjectFunc {
				return
			}
			for k := int32(0); k < n; k++ {
				f(a, obj, first+pointer.Node(k))
			}
		})
	}
}

// isShared tells whether two origins, or two instances of one, make some
// accesses of an object.
func (x *inspector) isShared(obj pointer.ObjectID, list []sharing.Access) bool {
	for i, a := range list {
		o := x.Points.Instances[a.Inst].Origin
		if o != x.Points.Instances[list[0].Inst].Origin {
			return true
		}
		if i == 0 && x.Runs.Many(o) && !x.Sharing.InstanceLocal(obj, o) {
			return true
		}
	}
	return false
}

// concernsScope tells whether code in scope makes the object, or writes the
// cell.
func (x *inspector) concernsScope(c *sharing.Cell) bool {
	switch o := &x.Points.Objects[c.Object]; {
	case o.Inst >= 0 && x.inScope(o.Inst):
		return true
	case o.Kind == pointer.ObjectGlobal:
		if g := x.Points.Prog.Global(o.Global); g.Unit >= 0 && (x.ask.InScope == nil || x.ask.InScope(x.Points.Prog.Units[g.Unit].Path)) {
			return true
		}
	}
	return slices.ContainsFunc(c.Accesses, func(a sharing.Access) bool { return a.Kind.Writes() && x.inScope(a.Inst) })
}

// use describes an access as a report shows it.
func (x *inspector) use(s *side) Use {
	acc, _ := x.access(s)
	return Use{acc.Kind, x.primitive(s), acc.Function, acc.Place}
}

// primitive names the operation of an access to a channel, lock or group
// itself.
func (d *detector) primitive(s *side) string {
	switch in := d.instr(s); in.Op {
	case ir.OpLock:
		return "lock"
	case ir.OpUnlock:
		return "unlock"
	case ir.OpSend:
		return "send"
	case ir.OpClose:
		return "close"
	case ir.OpGroup:
		return [...]string{ir.GroupAdd: "add", ir.GroupDone: "done", ir.GroupWait: "wait"}[in.Sub]
	}
	return ""
}

// sharedCell describes a cell by the accesses that are made when more than one
// origin may know of it; ok is false if it is not shared then.
func (x *inspector) sharedCell(c *sharing.Cell) (cell SharedCells, ok bool) {
	var list []sharing.Access
	for _, a := range c.Accesses {
		if !x.Owners.Owned(a.Inst, a.Instr, a.Addr) {
			list = append(list, a)
		}
	}
	isData := func(a sharing.Access) bool { return x.primitive(&side{Access: a}) == "" }
	if !x.isShared(c.Object, list) || !slices.ContainsFunc(list, isData) {
		return cell, false
	}
	cell = SharedCells{Names: []string{x.cellName(c.Object, c.Slot)}, Object: x.object(c.Object), Several: !x.Runs.Unique(c.Object)}
	x.guard(&cell, &sharing.Cell{Object: c.Object, Slot: c.Slot, Accesses: list})
	for _, a := range list {
		use := x.use(&side{Access: a, locks: lockset.Side{Inst: a.Inst}})
		users := &cell.Readers
		if a.Kind.Writes() {
			users = &cell.Writers
		}
		for _, o := range x.originsOf(a.Inst) {
			*users = addUse(*users, o, use)
		}
	}
	sortUsers(cell.Readers)
	sortUsers(cell.Writers)
	return cell, true
}

func addUse(users []User, o OriginRef, u Use) []User {
	for i := range users {
		if users[i].Origin == o {
			if !slices.Contains(users[i].At, u) {
				users[i].At = append(users[i].At, u)
			}
			return users
		}
	}
	return append(users, User{o, []Use{u}})
}

func sortUsers(users []User) {
	for i := range users {
		slices.SortFunc(users[i].At, compareUses)
	}
	slices.SortFunc(users, func(a, b User) int {
		return cmp.Or(strings.Compare(a.Origin.Kind, b.Origin.Kind), strings.Compare(a.Origin.Name, b.Origin.Name),
			comparePlaces(a.Origin.Start, b.Origin.Start), compareUses(a.At[0], b.At[0]))
	})
}

func compareUses(a, b Use) int {
	return cmp.Or(comparePlaces(a.Place, b.Place), cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Op, b.Op), strings.Compare(a.Function, b.Function))
}

// guard finds what all accesses of a cell have in common: that they only read,
// that they are atomic, or a lock that readers hold at least shared and writers
// exclusively. Accesses that are kept apart from all others in another way need
// none.
func (x *inspector) guard(cell *SharedCells, c *sharing.Cell) {
	writes := func(a sharing.Access) bool { return a.Kind.Writes() }
	if !slices.ContainsFunc(c.Accesses, writes) {
		cell.Guard = GuardRead
		return
	}
	list, sure := x.contended(c)
	slices.SortStableFunc(list, func(a, b sharing.Access) int {
		return cmp.Or(comparePlaces(x.place(a.Inst, a.Instr), x.place(b.Inst, b.Instr)), compareOrigins(x.originOf(a.Inst), x.originOf(b.Inst)))
	})
	write := slices.IndexFunc(list, writes)
	if write < 0 {
		cell.Guard = GuardOrder
		return
	}
	if !slices.ContainsFunc(list, func(a sharing.Access) bool { return !a.Kind.Atomic() }) {
		cell.Guard = GuardAtomic
		return
	}
	first := x.lockSide(list[write])
	for _, l := range first.Locks {
		if l.Maybe || l.Mode == ir.Shared {
			continue
		}
		alone := lockset.Side{Inst: first.Inst, Path: first.Path, Locks: []lockset.Lock{l}}
		held := true
		for _, a := range list {
			p, ok := x.Locks.Common(alone, x.lockSide(a), x.Runs)
			held = held && ok && (!a.Kind.Writes() || p.Second.Mode != ir.Shared)
		}
		if held {
			cell.Guard, cell.Lock = GuardLock, x.lockName(first.Inst, l)
			return
		}
	}
	cell.Unsure = !sure
}

// contended returns the accesses that something must protect: those that could
// happen at the same time as a conflicting one, were it not for a lock or for
// both being atomic. sure is true if two of them surely can be of one object.
func (x *inspector) contended(c *sharing.Cell) (list []sharing.Access, sure bool) {
	reps := x.representatives(c)
	needs := make([]bool, len(reps))
	for i := range reps {
		for j := i; j < len(reps); j++ {
			if needs[i] && needs[j] && sure {
				continue
			}
			a, b := reps[i], reps[j]
			switch x.judge(c, a, b, i == j) {
			case racing:
				sure = sure || x.Points.Instances[a.Inst].Origin != x.Points.Instances[b.Inst].Origin || x.concurrentFor(c.Object, a, b) == certain
			case lockedBoth, allAtomic:
			default:
				continue
			}
			needs[i], needs[j] = true, true
		}
	}
	for i := range reps {
		if needs[i] {
			list = append(list, reps[i].Access)
		}
	}
	return list, sure
}

func (x *inspector) lockSide(a sharing.Access) lockset.Side {
	return lockset.Side{Inst: a.Inst, Locks: x.Locks.At(a.Inst, a.Instr), Path: x.Locks.Paths(a.Inst).Value(a.Addr)}
}
