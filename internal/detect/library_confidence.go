package detect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/summary"
)

// reasons says why the pair is a race, why its code is thought to run
// concurrently, and what speaks against it. RELAY's six categories of false
// alarms (section 4.2) are reasons that lower the confidence.
func (l *library) reasons(r *libRace, f *Finding) {
	add := func(kind, text string, p Place) { f.Reasons = append(f.Reasons, Reason{kind, text, p}) }
	l.concurrent(r, add)
	add("same-memory", fmt.Sprintf("both reach %s of the same %s", fieldText(r.cell.key.rel), short(r.cell.key.owner)), Place{})
	switch {
	case len(f.First.Locks) == 0 && len(f.Second.Locks) == 0:
		add("no-common-lock", "neither side holds a lock", Place{})
	case len(f.First.Locks) == 0 || len(f.Second.Locks) == 0:
		add("no-common-lock", "only one side holds a lock", Place{})
	default:
		add("no-common-lock", "the two sides hold different locks, or the same one for reading only", Place{})
	}
	if g := r.guard; g != nil {
		add("guard", fmt.Sprintf("%s is held at %s of this memory", lockWords(g.name), g.of()), g.place)
	}
	if r.others > 0 {
		add("others", "the first access also races with "+count(r.others, "another access", "other accesses"), Place{})
	}
	lower := func(to Confidence, kind, text string) {
		if !l.cfg.Sound {
			f.Confidence = min(f.Confidence, to)
		}
		add("lowers", kind+": "+text, Place{})
	}
	l.guardConfidence(r, lower)
	l.circumstances(r.a, r.b, lower)
	l.circumstances(r.b, r.a, lower)
	l.together(r, lower)
}

// together are doubts about the pair.
func (l *library) together(r *libRace, lower func(Confidence, string, string)) {
	for _, x := range r.a.locks {
		for _, y := range r.b.locks {
			if x.field != "" && x.field == y.field && x.key != 0 && y.key != 0 && x.key != y.key && (x.Mode == ir.Exclusive || y.Mode == ir.Exclusive) {
				lower(Low, "aliasing", "the two sides hold locks of the same name, reached in different ways, that may be one")
			}
		}
	}
	if fn, ok := l.oneWriter(r); ok {
		lower(Low, "initialisation", "only "+fn+" writes, and the reader comes from another type")
	}
	if fn, ok := lazily(r); ok {
		lower(Low, "initialisation", fn+" makes the value under the lock where it is missing, and reads it afterwards")
	}
	if fn, ok := initialised(r); ok {
		lower(Low, "initialisation", fn+", which makes all writes, has returned before the access")
	}
}

// oneWriter tells whether a single function makes all writes of the cell, while
// the unprotected access is a read on behalf of another type, whose constructor
// may have seen to it that they are over.
func (l *library) oneWriter(r *libRace) (string, bool) {
	if r.a.at <= 1 || r.a.Kind.Writes() {
		return "", false
	}
	name := ""
	for _, e := range r.cell.entries {
		if e.Kind.Writes() && e.Flags&summary.Updates != 0 {
			return "", false // not made once and for all
		}
		if e.Kind.Writes() {
			if fr := e.last; name == "" {
				name = fr.Name
			} else if name != fr.Name {
				return "", false
			}
		}
	}
	return name, true
}

// lazily tells whether all writes of the cell are made by the function that
// reads, in a critical section which it has passed, if the value is missing.
func lazily(r *libRace) (string, bool) {
	if r.a.Flags&summary.Lazy == 0 {
		return "", false
	}
	fn := siteFunc(r.a)
	for _, e := range r.cell.entries {
		if e.Kind.Writes() && siteFunc(e) != fn {
			return "", false
		}
	}
	return r.a.last.Name, true
}

// initialised tells whether all writes of the cell are made by functions that
// were called, and had returned, before the unprotected access.
func initialised(r *libRace) (string, bool) {
	if len(r.a.After) == 0 || r.a.Kind.Writes() {
		return "", false
	}
	name := ""
	for _, e := range r.cell.entries {
		if !e.Kind.Writes() {
			continue
		}
		found := false
		for fr := e.Chain; fr != nil && !found; fr = fr.Next {
			if _, ok := slices.BinarySearch(r.a.After, fr.Symbol); ok {
				found, name = true, fr.Name
			}
		}
		if !found {
			return "", false
		}
	}
	return name, name != ""
}

func fieldText(rel string) string {
	out := ""
	for i := 0; i < len(rel); i++ {
		if rel[i] == '.' {
			for j := i; j < len(rel); j++ {
				if rel[j] == 0xc2 && j+1 < len(rel) && rel[j+1] == 0xb7 {
					k := j + 2
					for k < len(rel) && rel[k] != '.' && rel[k] != '*' && rel[k] != '[' {
						k++
					}
					if name := rel[j+2 : k]; name != "" && name[0] != '$' {
						out += "." + name
					}
					i = k - 1
					break
				}
			}
		}
	}
	if out == "" {
		return "the variable"
	}
	return "field " + out[1:]
}

// concurrent says why the code is thought to run concurrently.
func (l *library) concurrent(r *libRace, add func(kind, text string, p Place)) {
	list := l.evidence[r.cell.key.owner]
	for k, e := range []*libEntry{r.a, r.b} {
		if e.Origin != nil && (k == 0 || r.a.Origin == nil || *e.Origin != *r.a.Origin) {
			add("concurrent", fmt.Sprintf("%s starts a %s with it", e.Origin.Func, originKind(e.Origin.Kind, l.cfg.Lang)), place(e.Origin.Pos))
		}
	}
	if len(list) == 0 {
		add("concurrent", "exported functions may be called from any origin", Place{})
		return
	}
	e := list[0]
	name := short(r.cell.key.owner)
	meant := fmt.Sprintf("it is meant to be used by several %ss at once", originKind(ir.OriginThread, l.cfg.Lang))
	switch e.kind {
	case summary.UsesLock:
		add("concurrent", fmt.Sprintf("%s locks %s of %s, so %s", e.fn, e.field, name, meant), e.place)
	case summary.UsesAtomic:
		add("concurrent", fmt.Sprintf("%s uses %s of %s atomically, so %s", e.fn, e.field, name, meant), e.place)
	case summary.UsesOnce:
		add("concurrent", fmt.Sprintf("%s does something of %s once (%s), so %s", e.fn, name, e.field, meant), e.place)
	case summary.StartsOrigin:
		add("concurrent", fmt.Sprintf("%s starts an origin with a %s", e.fn, name), e.place)
	case summary.Documented:
		add("concurrent", fmt.Sprintf("%s is documented to be safe for use by several %ss at once", name, originKind(ir.OriginThread, l.cfg.Lang)), e.place)
	case summary.Handler:
		add("concurrent", fmt.Sprintf("%s is called for many requests at once", e.fn), e.place)
	}
}

// guardConfidence judges by how the memory is protected elsewhere.
func (l *library) guardConfidence(r *libRace, lower func(Confidence, string, string)) {
	g := r.guard
	if g != nil {
		switch global := l.t.Last(l.t.Base(g.path)).Kind == summary.Global; {
		case global && g.from.at > 0 && r.cell.holders(g) < 2:
			lower(Low, "guard", "the lock is not the object's own, and one function takes it")
		case !global && g.from.at == 0:
			lower(Low, "guard", "the lock is an object's, and the memory is not")
		}
	}
	switch {
	case g != nil && g.written && g.held >= 2 && 2*g.held > g.sites:
		// Most accesses agree on a lock, and some write holds it.
	case g != nil && g.written:
		lower(Medium, "guard", fmt.Sprintf("%s is held at only %s", lockWords(g.name), g.of()))
		if 2*g.held <= g.sites && protection(r.b, g) < 2 {
			lower(Low, "guard", "neither side holds it")
		}
		if 3*g.held < g.sites || g.held < 2 && r.a.Flags&summary.Modelled != 0 {
			lower(Low, "guard", "nearly all accesses do without it")
		}
	case r.a.Kind.Atomic() != r.b.Kind.Atomic():
		lower(Medium, "guard", "one side is atomic, and no lock is held at any write")
	case g != nil:
		lower(Medium, "guard", fmt.Sprintf("%s is held at %s, none of them a write", lockWords(g.name), g.of()))
		if !l.ownLock(g) || !l.meant(r) {
			lower(Low, "guard", "no lock is held at any write: it may be meant for set-up only")
		}
		if 10*g.held < g.sites {
			lower(Low, "guard", "nearly all accesses do without it")
		}
	default:
		l.unguarded(r, lower)
	}
}

// ownLock tells whether a lock belongs to the object that the memory belongs to,
// rather than to another that it points to.
func (l *library) ownLock(g *guardVote) bool {
	steps := l.t.Steps(g.path)
	if sharedSteps(steps, l.t.Steps(g.from.Path)) < g.from.at {
		return false // of an object that holds this one
	}
	pointer := false
	for _, s := range steps[max(g.from.at, 1):] {
		if s.Kind == summary.Field && pointer {
			return false
		}
		pointer = pointer || s.Kind == summary.Deref
	}
	return true
}

// holders counts the functions that access the memory under a lock.
func (c *libCell) holders(g *guardVote) int {
	fns := make(map[string]bool)
	for _, e := range c.entries {
		if protection(e, g) == 3 {
			fns[siteFunc(e)] = true
		}
	}
	return len(fns)
}

// meant tells whether a lock that no write holds is meant to guard the memory
// nevertheless: a write in a function that takes it elsewhere, in an origin of its
// own, or of what was there, is no set-up; and who takes a lock for this memory
// alone wants it guarded.
func (l *library) meant(r *libRace) bool {
	for _, e := range []*libEntry{r.a, r.b} {
		if !e.Kind.Writes() || protection(e, r.guard) >= 2 {
			continue
		}
		if e.Flags&summary.Updates != 0 || e.Origin != nil || l.handles(e.root) || l.takes(siteFunc(e), r.guard) {
			return true
		}
	}
	return l.takenForThis(r)
}

// takes tells whether a function takes a guard somewhere.
func (l *library) takes(fn string, g *guardVote) bool {
	s := l.bySymbol[fn]
	if s == nil {
		return false
	}
	owner, field := l.lastField(g.path)
	return slices.ContainsFunc(s.Evidence, func(e summary.Evidence) bool {
		return e.Kind == summary.UsesLock && e.Owner == owner && e.Field == field
	})
}

// lastField returns the last field on a path, or the global it begins with.
func (l *library) lastField(p summary.Path) (owner, field string) {
	for ; p != summary.NoPath; p = l.t.Parent(p) {
		switch s := l.t.Last(p); s.Kind {
		case summary.Field:
			sym := l.t.Symbol(s)
			return sym.Owner, sym.Name
		case summary.Global:
			return l.t.Symbol(s).Name, ""
		}
	}
	return "", ""
}

// takenForThis tells whether some function accesses nothing but this memory
// under the guard.
func (l *library) takenForThis(r *libRace) bool {
	for _, e := range r.cell.entries {
		if protection(e, r.guard) < 3 || e.Chain.Next != nil {
			continue
		}
		alone := true
		for i := range e.root.Accesses {
			a := &e.root.Accesses[i]
			if len(a.Locks) > 0 && a.Path != e.Path && !l.below(a.Path, e.Path) && !l.below(e.Path, a.Path) {
				alone = false
				break
			}
		}
		if alone {
			return true
		}
	}
	return false
}

// below tells whether p is reached through q.
func (l *library) below(p, q summary.Path) bool {
	for ; p != summary.NoPath; p = l.t.Parent(p) {
		if p == q {
			return true
		}
	}
	return false
}

// unguarded judges memory that is accessed under no lock at all.
func (l *library) unguarded(r *libRace, lower func(Confidence, string, string)) {
	switch {
	case r.a.Origin != nil || r.b.Origin != nil:
		if l.mayBeOrdered(r) {
			lower(Low, "non-parallel", "no lock is held at any access: a channel or the order of calls may keep them apart")
		} else {
			lower(Medium, "non-parallel", "no lock is held at any access")
		}
	case l.handles(r.a.root) && l.handles(r.b.root) && l.ofReceiver(r.a) && l.ofReceiver(r.b):
		lower(Medium, "guard", "no lock is held at any access")
	case l.documented(r.cell.key.owner) && l.ofReceiver(r.a) && l.ofReceiver(r.b):
		lower(Medium, "guard", "no lock is held at any access")
	case !l.ofGlobal(r.a) && r.a.Kind.Writes() != r.b.Kind.Writes() && (r.a.Kind.Writes() && inOnce(r.a) || r.b.Kind.Writes() && inOnce(r.b)):
		lower(Medium, "guard", "only the writer passes the once")
	case (r.a.Flags|r.b.Flags)&summary.Updates != 0 && l.ofReceiver(r.a) && l.ofReceiver(r.b) && l.onlyUnguarded(r.cell):
		lower(Medium, "guard", "no lock is held at any access, though one is at every write of the other fields")
	default:
		lower(Low, "guard", "no lock is held at any write: it may be meant for set-up only")
	}
}

// ofGlobal tells whether memory is reached through a global: what is done once
// there is likely registration, before anything else.
func (l *library) ofGlobal(e *libEntry) bool {
	return l.t.Last(l.t.Base(e.Path)).Kind == summary.Global
}

// inOnce tells whether an access is made by the body of a once.
func inOnce(e *libEntry) bool {
	return slices.ContainsFunc(e.Locks, func(h summary.Held) bool { return h.Once && h.Mode == ir.Exclusive })
}

// onlyUnguarded tells whether the fields of a type are all written under a lock
// of it, but for one.
func (l *library) onlyUnguarded(c *libCell) bool {
	mine := c.key.rel
	if strings.Count(mine, "·") != 1 || strings.ContainsAny(mine, "*[") {
		return false // not a field of the type itself
	}
	guarded := false
	for _, d := range l.order {
		if d.key.owner != c.key.owner {
			continue
		}
		field, _, _ := strings.Cut(d.key.rel, "*")
		for _, e := range d.entries {
			if !e.Kind.Writes() || e.Kind.Atomic() || field == mine {
				continue
			}
			if !slices.ContainsFunc(e.locks, func(k libLock) bool { return strings.Count(k.inner, "·") == 1 && k.Mode == ir.Exclusive }) {
				return false
			}
			guarded = true
		}
	}
	return guarded
}

// handles tells whether a framework calls a function for many requests at once.
func (l *library) handles(s *summary.Summary) bool {
	return s.Recv != "" && l.cfg.Handlers[methodName(s.Name)]
}

// ofReceiver tells whether an access is to memory of the object whose method the
// root is.
func (l *library) ofReceiver(e *libEntry) bool {
	base := l.t.Last(l.t.Base(e.Path))
	return e.root.Recv != "" && e.at == 1 && base.Kind == summary.Param && base.N == 0
}

// documented tells whether documentation allows concurrent use without
// exceptions.
func (l *library) documented(owner string) bool {
	d, ok := l.cfg.Documented[owner]
	return ok && !d.Qualified
}

// mayBeOrdered tells whether the two sides, one of them in an origin that the
// library starts, may be meant to follow each other. That takes a signal after
// the one and a wait before the other (R-SUM-5). Callers may have waited for what
// an origin signals, and may have made a setting before they had it started.
func (l *library) mayBeOrdered(r *libRace) bool {
	a, b := r.a, r.b
	if l.pointers(a) > 1 || l.pointers(b) > 1 {
		return true // other objects on the way may come and go
	}
	if a.Origin != nil && b.Origin != nil {
		if a.Origin.Pos == b.Origin.Pos && (a.Flags|b.Flags)&summary.ViaElem != 0 {
			return true // each to its own element
		}
		return signalled(a, b) || signalled(b, a)
	}
	if a.Origin != nil {
		a, b = b, a
	}
	if b.Flags&summary.SignalsAfter != 0 || signalled(a, b) {
		return true
	}
	madeHere := l.t.Last(l.t.Base(b.Path)).Kind == summary.Result
	return a.Kind.Writes() && !b.Kind.Writes() && !madeHere
}

// signalled tells whether b may have waited for a signal that follows a.
func signalled(a, b *libEntry) bool {
	return a.Flags&summary.SignalsAfter != 0 && b.Flags&summary.WaitsBefore != 0
}

// circumstances are what makes one side doubtful.
func (l *library) circumstances(e, other *libEntry, lower func(Confidence, string, string)) {
	if e.Flags&summary.BeforeSpawn != 0 {
		lower(Low, "initialisation", e.root.Name+" goes on to start the origin that the object is shared with")
	}
	if n := l.callers[e.root.Symbol]; n != nil && e.Origin == nil {
		switch {
		case n.owned > 0 && n.owned == n.all:
			lower(Low, "initialisation", "all calls of "+e.root.Name+" here are on objects that nobody else knows yet")
		case n.locked > 0 && n.locked+n.owned == n.all:
			lower(Low, "callers", "all calls of "+e.root.Name+" here are made with a lock held")
		}
	}
	signalled := other.Flags&summary.SignalsAfter != 0
	if e.Flags&summary.Waited != 0 && (signalled || e.Origin == nil && other.Origin == nil) {
		lower(Low, "non-parallel", e.root.Name+" waits for another origin before the access")
	}
	if e.Flags&summary.AfterAtomic != 0 && !e.Kind.Atomic() && (signalled || e.Kind.Writes()) {
		lower(Low, "non-parallel", "an atomic load of the same object comes first, and may say that it is complete")
	}
	if e.Flags&summary.MayHold != 0 {
		lower(Low, "conditional locking", "a lock is held on some ways to the access")
	}
	if e.Flags&summary.Removed != 0 {
		lower(Low, "unsharing", "the object was taken out of its container before")
	}
	if e.Flags&summary.Dispatched != 0 {
		lower(Low, "aliasing", "a call on the way was resolved by type alone")
	}
	if derefs := l.derefs(e); derefs > 2 {
		lower(Low, "aliasing", "the memory is reached through several pointers, which may differ")
	} else if e.Flags&summary.ViaElem != 0 && derefs > 1 {
		lower(Medium, "aliasing", "the memory is an element of a container, and the two sides may use different ones")
	}
	if e.Flags&summary.Modelled != 0 && e.Kind.Writes() {
		lower(Medium, "library", "the access is made by a library, as its model says")
	}
	if e.Flags&summary.Deferred != 0 {
		lower(Medium, "path", "the access is made by a deferred call that may not run")
	}
	if e.Kind.Writes() && slices.ContainsFunc(e.Locks, func(h summary.Held) bool { return h.Once && h.Mode == ir.Exclusive }) {
		lower(Medium, "initialisation", "the write is made at most once")
	}
	if e.Flags&summary.EntryCopy != 0 {
		lower(Medium, "copy", "callers of "+e.root.Name+" copy the whole receiver")
	}
	if e.at > 1 && len(e.Locks) > 0 {
		lower(Low, "locks", "a lock of the object that holds this one may protect it")
	}
}

// pointers counts the pointers between the root and the memory.
func (l *library) pointers(e *libEntry) int {
	n := 0
	for p := e.Path; p != summary.NoPath; p = l.t.Parent(p) {
		if l.t.Last(p).Kind == summary.Deref {
			n++
		}
	}
	return n
}

// derefs counts the pointers between the owner and the memory.
func (l *library) derefs(e *libEntry) int {
	n := 0
	steps := l.t.Steps(e.Path)
	for _, s := range steps[e.at:] {
		if s.Kind == summary.Deref {
			n++
		}
	}
	return n
}

func count(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return fmt.Sprintf("%d %s", n, many)
}
