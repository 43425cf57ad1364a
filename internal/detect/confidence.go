package detect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Limits beyond which an alias is unlikely (RELAY, section 6.2: "unlikely
// aliasing").
const (
	fewTargets  = 4
	manyTargets = 12
	// oneSidedTargets is the limit where nothing but a lock on one side speaks for
	// the two sides having to do with the same object.
	oneSidedTargets = 6
)

// reasons states why the pair is a race and what lowers the confidence in it.
func (d *detector) reasons(r *race, f *Finding) {
	add := func(kind, text string, p Place) { f.Reasons = append(f.Reasons, Reason{kind, text, p}) }
	lower := func(to Confidence, kind, text string) {
		f.Confidence = min(f.Confidence, to)
		add("lowers", kind+": "+text, Place{})
	}
	oa, ob := d.Points.Instances[r.a.Inst].Origin, d.Points.Instances[r.b.Inst].Origin
	if oa == ob {
		add("concurrent", fmt.Sprintf("several instances of %s %s may run at once", f.First.Origin.Kind, f.First.Origin.Name), f.First.Origin.Start)
	} else {
		start := f.Second.Origin.Start
		if ob == origin.Main {
			start = f.First.Origin.Start // nothing starts main
		}
		add("concurrent", fmt.Sprintf("nothing orders %s and %s", originWords(f.First.Origin), originWords(f.Second.Origin)), start)
	}
	if f.Object.Place.IsValid() {
		add("same-memory", "both reach "+madeHere(f), f.Object.Place)
	}
	switch {
	case len(f.First.Locks) == 0 && len(f.Second.Locks) == 0:
		add("no-common-lock", "neither side holds a lock", Place{})
	case len(f.First.Locks) == 0 || len(f.Second.Locks) == 0:
		add("no-common-lock", "only one side holds a lock", Place{})
	case slices.ContainsFunc(f.First.Locks, func(l HeldLock) bool { return l.Apart != "" }):
		add("no-common-lock", "the two sides hold different locks of the same name", Place{})
	case d.sharedBoth(&r.a, &r.b):
		add("no-common-lock", "both hold the lock only as readers, who do not exclude each other", Place{})
	default:
		add("no-common-lock", "the locks of the two sides are not surely the same", Place{})
	}
	if r.weak != "" {
		lower(Low, "calls", r.weak)
	}
	if d.otherState(&r.a, &r.b) || d.otherState(&r.b, &r.a) {
		lower(Low, "state", "one side holds a lock and has found a flag unset that is set under it before the other")
	}
	if d.filledBefore(&r.a, &r.b) || d.filledBefore(&r.b, &r.a) {
		lower(Low, "state", "one side stores what it has found missing under a lock, and the other reads it after it has looked under that lock")
	}
	if oa == ob && d.startedByState(oa) {
		lower(Low, "state", "instances are started under a lock if a flag is not set, which is set then")
	}
	switch several := d.severalLocks(&r.a) && d.severalLocks(&r.b); {
	case d.mayKeepLock(r.cell.Object, &r.a, &r.b):
		lower(Low, "locks", "one side goes through an object whose maker kept a lock that the other side holds")
	case !d.mayShareLock(&r.a, &r.b):
	case several:
		lower(Medium, "locks", "there are several such locks, of which the two sides may hold the same one")
	default:
		lower(Low, "locks", "the two sides may hold the same lock")
	}
	for _, s := range []*side{&r.a, &r.b} {
		switch n := d.places(s); {
		case n > manyTargets:
			lower(Low, "aliasing", fmt.Sprintf("the address may lead to any of %d places", n))
		case n > fewTargets:
			lower(Medium, "aliasing", fmt.Sprintf("the address may lead to any of %d places", n))
		}
		if s.Far {
			lower(Low, "library", "a library may follow pointers that far, or not")
		} else if in := d.instr(s); in.Op == ir.OpAccess && in.Flags&(ir.FlagDeep|ir.FlagMaybe) != 0 {
			lower(Medium, "library", "the access is made by a library, as its model says")
		}
	}
	if r.a.Tail {
		lower(Medium, "append", "the two sides write the same element only if the array has room left")
	}
	if d.divided(&r.a, &r.b) {
		lower(Low, "part", "each side may have a part of its own")
	}
	if d.ownIndex(&r.a) && d.ownIndex(&r.b) && (oa == ob && !d.sameElement(&r.a, &r.b) || d.divides(oa, ob) || d.divides(ob, oa)) {
		lower(Low, "index", "each instance may use an element of its own")
	}
	if oa == ob && d.ownArgument(r.cell.Object, oa) {
		lower(Low, "object", "each instance may have been started with an object of its own")
	}
	switch {
	case d.Runs.Unique(r.cell.Object):
	case oa == ob && d.picked(&r.a) && d.picked(&r.b):
		lower(Low, "object", "each instance may fetch objects of its own")
	case d.exact(&r.a) && d.exact(&r.b) && d.concurrentFor(r.cell.Object, &r.a, &r.b) == certain:
		lower(Medium, "object", "the place makes several objects, but the two sides have to do with the same one")
	case d.startsOther(r.cell.Object, &r.a, &r.b):
		lower(Low, "object", "the place makes several objects; one side starts the other with the object, and races only if it does so again")
	case d.madeItself(r.cell.Object, &r.a, &r.b):
		lower(Low, "object", "the place makes several objects; one side uses one that it has made itself, and not put where the other gets its own")
	case d.oneSided(&r.a, &r.b):
		lower(Medium, "object", "the place makes several objects; one side writes with a lock next to the data, the other reads without")
	case d.exact(&r.a) && d.exact(&r.b) && d.sameHolder(r.cell.Object, &r.a, &r.b):
		lower(Medium, "object", "the place makes several objects; the two sides get theirs from the same place")
	default:
		lower(Low, "object", "the place makes several objects, and nothing shows that the two sides use the same one")
	}
}

// madeHere says what the memory of a finding is, to be followed by where it is
// declared or made.
func madeHere(f *Finding) string {
	switch f.Object.Kind {
	case "global", "variable":
		return strings.TrimRight("the "+f.Object.Kind+" "+f.Object.Name, " ") + " declared here"
	case "heap":
		return "the " + f.Type + " allocated here"
	case "array":
		return "the array allocated here"
	}
	return "the " + f.Object.Kind + " made here"
}

// faint tells whether a race has a low confidence whichever calls lead to it:
// nothing shows that the two sides use the same object or element, or too many
// objects may be meant.
func (d *detector) faint(c *sharing.Cell, a, b *side) bool {
	for _, s := range []*side{a, b} {
		if s.Far || d.places(s) > manyTargets {
			return true
		}
	}
	if oa := d.Points.Instances[a.Inst].Origin; oa == d.Points.Instances[b.Inst].Origin &&
		(d.ownIndex(a) && d.ownIndex(b) || d.ownArgument(c.Object, oa)) {
		return true
	}
	return !d.Runs.Unique(c.Object) && !d.maybeOneSided(a, b) &&
		(!d.exact(a) || !d.exact(b) || d.concurrentFor(c.Object, a, b) != certain && !d.sameHolder(c.Object, a, b))
}

// places returns how many places an address may lead to.
func (d *detector) places(s *side) int { return d.Points.PointsTo(s.Inst, s.Addr, 0).Len() }

// exact tells whether an address leads to one place only.
func (d *detector) exact(s *side) bool {
	_, ok := d.Points.PointsTo(s.Inst, s.Addr, 0).Single()
	return ok
}

// maybeOneSided is oneSided for locks that are held on some ways, or not held on
// some.
func (d *detector) maybeOneSided(a, b *side) bool {
	beside := func(s *side) bool {
		l := s.locks
		l.Locks = slices.Clone(l.Locks)
		for i := range l.Locks {
			l.Locks[i].Maybe = false
		}
		return d.Locks.Beside(l)
	}
	if d.places(a) > oneSidedTargets || d.places(b) > oneSidedTargets {
		return false
	}
	return !d.holdsAny(a) && !a.Kind.Writes() && beside(b) || !d.holdsAny(b) && !b.Kind.Writes() && beside(a)
}

// oneSided tells whether one access writes with a lock found next to the data,
// and the other reads without any: somebody thought that the data needs
// protection. A write without locks is more often one by the object's maker
// (RELAY, section 6.1: initialisation). Objects of many places, several each, are
// seldom the same.
func (d *detector) oneSided(a, b *side) bool {
	if d.places(a) > oneSidedTargets || d.places(b) > oneSidedTargets {
		return false
	}
	return !d.holdsAny(a) && !a.Kind.Writes() && d.Locks.Beside(b.locks) || !d.holdsAny(b) && !b.Kind.Writes() && d.Locks.Beside(a.locks)
}

func (d *detector) holdsAny(s *side) bool {
	for _, l := range s.locks.Locks {
		if !l.Maybe {
			return true
		}
	}
	return false
}

// sharedBoth tells whether the two sides surely hold the same lock, both as
// readers.
func (d *detector) sharedBoth(a, b *side) bool {
	exclusive := func(s side) *side {
		s.locks.Locks = slices.Clone(s.locks.Locks)
		for i := range s.locks.Locks {
			s.locks.Locks[i].Mode = ir.Exclusive
		}
		return &s
	}
	_, ok := d.commonLock(d.Runs, exclusive(*a), exclusive(*b))
	return ok
}

// mayShareLock tells whether some lock of one side may be one of the other's.
func (d *detector) mayShareLock(a, b *side) bool {
	for _, x := range a.locks.Locks {
		for _, y := range b.locks.Locks {
			if x.Mode == ir.Shared && y.Mode == ir.Shared || d.triedInVain(a, x) || d.triedInVain(b, y) || d.replaced(x) || d.replaced(y) {
				continue
			}
			tx, ty := d.Locks.Targets(x), d.Locks.Targets(y)
			if len(tx) == 0 || len(ty) == 0 || slices.ContainsFunc(tx, func(n pointer.Node) bool { return slices.Contains(ty, n) }) {
				return true // a lock of which is not known where it is may be any
			}
		}
	}
	return false
}

// ownIndex tells whether an element's index comes from what the origin was
// started with, or counts on from there.
func (d *detector) ownIndex(s *side) bool {
	if s.locks.Path == path.None {
		return false
	}
	t := d.Locks.Paths(s.Inst)
	for id := s.locks.Path; id != path.None; id = t.Get(id).Parent {
		if p := t.Get(id); p.Kind == path.Elem {
			return d.fromStart(s.Inst, ir.RegValue(ir.Reg(p.N)), 4)
		}
	}
	return false
}

// fromStart tells whether a value is a parameter, captured, loaded from what one
// of these leads to, or such a value and a constant, in every turn of a loop.
func (d *detector) fromStart(inst pointer.InstID, v ir.Value, depth int) bool {
	t := d.Locks.Paths(inst)
	root := t.Value(v)
	if root == path.None || depth == 0 {
		return false
	}
	r := t.Get(t.Root(root))
	if r.Kind != path.Value {
		return r.Kind == path.Param || r.Kind == path.Capture
	}
	body := d.Points.Body(inst)
	phi := &body.Instrs[r.N]
	if phi.Op != ir.OpPhi {
		return false
	}
	found := false
	for _, a := range body.Args(phi) {
		if d.countsOn(inst, a, phi.Dst) {
			continue
		}
		if a == v || !d.fromStart(inst, a, depth-1) {
			return false
		}
		found = true
	}
	return found
}

// countsOn tells whether a value is a register with a constant added to it, or
// taken from it.
func (d *detector) countsOn(inst pointer.InstID, v ir.Value, reg ir.Reg) bool {
	body := d.Points.Body(inst)
	k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, v)
	if k < 0 || body.Instrs[k].Op != ir.OpBinary {
		return false
	}
	switch ir.BinaryKind(body.Instrs[k].Sub) {
	case ir.BinAdd, ir.BinSub:
	default:
		return false
	}
	args := body.Args(&body.Instrs[k])
	return args[0].Reg() == reg && args[1].Const() != ir.None
}
