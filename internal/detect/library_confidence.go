package detect

import (
	"fmt"
	"slices"

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
		add("guard", fmt.Sprintf("%s is held at %s of this memory", g.name, g.of()), g.place)
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
	for _, e := range []*libEntry{r.a, r.b} {
		l.circumstances(e, lower)
	}
	l.together(r, lower)
}

// together are doubts about the pair.
func (l *library) together(r *libRace, lower func(Confidence, string, string)) {
	for _, x := range r.a.locks {
		for _, y := range r.b.locks {
			if x.field != "" && x.field == y.field && x.key() != "" && y.key() != "" && x.key() != y.key() && (x.Mode == ir.Exclusive || y.Mode == ir.Exclusive) {
				lower(Low, "aliasing", "the two sides hold locks of the same name, reached in different ways, that may be one")
			}
		}
	}
	if fn, ok := l.oneWriter(r); ok {
		lower(Low, "initialisation", "only "+fn+" writes, and the reader comes from another type")
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
		if e.Kind.Writes() {
			if fr := e.Chain.Last(); name == "" {
				name = fr.Name
			} else if name != fr.Name {
				return "", false
			}
		}
	}
	return name, true
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
	for _, e := range []*libEntry{r.a, r.b} {
		if e.Origin != nil {
			add("concurrent", fmt.Sprintf("%s starts a %s with it", e.Origin.Func, originKind(e.Origin.Kind, l.cfg.Lang)), place(e.Origin.Pos))
		}
	}
	if len(list) == 0 {
		add("concurrent", "exported functions may be called from any origin", Place{})
		return
	}
	e := list[0]
	name := short(r.cell.key.owner)
	switch e.kind {
	case summary.UsesLock:
		add("concurrent", fmt.Sprintf("%s locks %s of %s, so its functions are meant to run at the same time", e.fn, e.field, name), e.place)
	case summary.UsesAtomic:
		add("concurrent", fmt.Sprintf("%s uses %s of %s atomically, so its functions are meant to run at the same time", e.fn, e.field, name), e.place)
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
	spawned := r.a.Origin != nil || r.b.Origin != nil
	switch {
	case g != nil && g.written && g.held >= 2 && 2*g.held > g.sites:
		// Most accesses agree on a lock, and some write holds it.
	case g != nil && g.written:
		lower(Medium, "guard", fmt.Sprintf("%s is held at only %s", g.name, g.of()))
		if 3*g.held < g.sites || g.held < 2 && r.a.Flags&summary.Modelled != 0 {
			lower(Low, "guard", "most accesses do without it")
		}
	case r.a.Kind.Atomic() != r.b.Kind.Atomic():
		lower(Medium, "guard", "one side is atomic, and no lock is held at any write")
	case spawned && g == nil:
		lower(Low, "non-parallel", "no lock is held at any access: a channel or the order of calls may keep them apart")
	case l.documented(r.cell.key.owner):
		lower(Low, "guard", "no lock is held at any write, and documentation may make exceptions")
	default:
		lower(Low, "guard", "no lock is held at any write: it may be meant for set-up only")
	}
}

func (l *library) documented(owner string) bool {
	for _, e := range l.evidence[owner] {
		if e.kind == summary.Documented {
			return true
		}
	}
	return false
}

// circumstances are what makes one side doubtful.
func (l *library) circumstances(e *libEntry, lower func(Confidence, string, string)) {
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
	if e.Flags&summary.Waited != 0 {
		lower(Low, "non-parallel", e.root.Name+" waits for another origin before the access")
	}
	if e.Flags&summary.AfterAtomic != 0 && !e.Kind.Atomic() {
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
