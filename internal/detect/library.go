package detect

import (
	"cmp"
	"sort"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/summary"
)

// LibraryConfig says what the library verdict looks at.
type LibraryConfig struct {
	// InScope tells whether the code of a unit is the user's: roots are its
	// functions. Nil means all code is.
	InScope func(unit string) bool
	// Documented names the types whose documentation allows concurrent use, with
	// the place that says so.
	Documented map[string]Documentation
	// Handlers names methods that a framework calls from many origins, such as
	// ServeHTTP.
	Handlers map[string]bool
	// Lang is the language whose words findings use.
	Lang ir.Lang
	// Sound turns every step off that may hide a race: what lowers confidence no
	// longer does, and types need no evidence.
	Sound bool
}

// Documentation is what allows concurrent use of a type.
type Documentation struct {
	Place     Place
	Qualified bool // it makes exceptions
}

// Library finds the races of packages without a program around them (RacerD,
// section 5.1; RELAY, section 3.4): the exported functions and methods of types
// that show evidence of concurrent use, and the origins that they start, are
// taken to run at the same time on the same object.
func Library(set *summary.Set, cfg LibraryConfig) []Finding {
	l := &library{set: set, t: set.Paths, cfg: cfg, evidence: make(map[string][]evidence),
		cells: make(map[cellKey]*libCell), places: make(map[ownerAt]placed), locks: make(map[lockKey]*lockNames),
		keys: make(map[string]int32), sites: make(map[site]int32), callers: make(map[string]*callerCount), bySymbol: make(map[string]*summary.Summary)}
	for _, s := range set.Funcs {
		l.bySymbol[s.Symbol] = s
	}
	l.findEvidence()
	l.countCallers()
	for _, s := range set.Funcs {
		if cfg.InScope == nil || cfg.InScope(s.Unit) {
			l.enter(s)
		}
	}
	return l.verdict()
}

type library struct {
	set      *summary.Set
	t        *summary.Paths
	cfg      LibraryConfig
	evidence map[string][]evidence // by type or global
	bySymbol map[string]*summary.Summary
	callers  map[string]*callerCount
	cells    map[cellKey]*libCell
	order    []*libCell

	// What was found out before: accesses of one path, and their locks, are many.
	places map[ownerAt]placed
	locks  map[lockKey]*lockNames
	keys   map[string]int32 // numbers of lockNames.key
	sites  map[site]int32   // numbers of places
}

// ownerAt is an owner on a path, at a step of it.
type ownerAt struct {
	path summary.Path
	at   int
}

// placed is where accesses of such a path belong.
type placed struct {
	cell *libCell
	full string
}

// lockKey is a lock as seen from an access.
type lockKey struct {
	lock summary.Path
	ownerAt
}

// site is the place of an access.
type site struct {
	file      string
	line, col int32
}

type evidence struct {
	kind  summary.EvidenceKind
	fn    string // where it was seen
	field string
	place Place
}

// callerCount says how the code in scope calls a method.
type callerCount struct{ all, locked, owned int }

// cellKey is a group of accesses that may be to the same memory: the owner's
// type (or a global) and the way from there.
type cellKey struct{ owner, rel string }

// libCell is one such group.
type libCell struct {
	key     cellKey
	entries []*libEntry
}

// libEntry is an access from a root.
type libEntry struct {
	*summary.Access
	root  *summary.Summary
	last  *summary.Frame // of the access itself
	site  int32          // number of its place
	full  string         // the whole path, the root's own name left out
	at    int            // index of the owner's step
	locks []libLock
}

// libLock is a lock as accesses of one cell can compare it.
type libLock struct {
	summary.Held
	*lockNames
}

// lockNames are the names of a lock, as seen from an access.
type lockNames struct {
	key    int32  // equal where the name that counts is; 0 if there is none
	inner  string // relative to the owner, "" if it is not reached through it
	full   string // relative to the root
	global string // by itself, if it is a global or part of one
	field  string // the last field on the way to it
}

func place(p summary.Pos) Place {
	return Place{File: p.File, Line: int(p.Line), Col: int(p.Col), EndLine: int(p.EndLine), EndCol: int(p.EndCol)}
}

// findEvidence collects why types are thought to be used by several origins
// (RacerD, section 5.2.2).
func (l *library) findEvidence() {
	add := func(owner string, e evidence) { l.evidence[owner] = append(l.evidence[owner], e) }
	for _, s := range l.set.Funcs {
		for _, e := range s.Evidence {
			add(e.Owner, evidence{e.Kind, s.Name, e.Field, place(e.Pos)})
		}
		if s.Recv != "" && s.Flags&ir.FuncConcurrent != 0 {
			add(s.Recv, evidence{summary.Documented, s.Name, "method", place(s.Pos)})
		}
		if s.Recv != "" && l.cfg.Handlers[methodName(s.Name)] {
			add(s.Recv, evidence{summary.Handler, s.Name, "", place(s.Pos)})
		}
		for i := range s.Accesses {
			if a := &s.Accesses[i]; a.Origin != nil && a.Chain.Next != nil {
				if owner := l.rootType(a.Path); owner != "" {
					add(owner, evidence{summary.StartsOrigin, a.Origin.Func, "", place(a.Origin.Pos)})
				}
			}
		}
	}
	for t, d := range l.cfg.Documented {
		add(t, evidence{summary.Documented, "", "", d.Place})
	}
	for t := range l.evidence {
		list := l.evidence[t]
		sort.SliceStable(list, func(i, j int) bool {
			a, b := &list[i], &list[j]
			switch {
			case a.kind != b.kind:
				return evidenceRank[a.kind] < evidenceRank[b.kind]
			case a.place.File != b.place.File:
				return a.place.File < b.place.File
			case a.place.Line != b.place.Line:
				return a.place.Line < b.place.Line
			}
			return a.field < b.field
		})
	}
}

// evidenceRank orders kinds of evidence by how much they say.
var evidenceRank = [...]int{summary.UsesLock: 1, summary.UsesAtomic: 4, summary.StartsOrigin: 3, summary.Documented: 0, summary.Handler: 2, summary.UsesOnce: 5}

func methodName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// rootType returns the type of the object that a path begins with, or the
// symbol of the global.
func (l *library) rootType(p summary.Path) string {
	steps := l.t.Steps(p)
	if steps[0].Kind == summary.Global {
		return l.t.Symbol(steps[0]).Name
	}
	if len(steps) > 1 && steps[1].Kind == summary.Field {
		return l.t.Symbol(steps[1]).Owner
	}
	return ""
}

func (l *library) countCallers() {
	for _, s := range l.set.Funcs {
		for _, c := range s.Calls {
			n := l.callers[c.Callee]
			if n == nil {
				n = new(callerCount)
				l.callers[c.Callee] = n
			}
			n.all++
			if c.Owned {
				n.owned++
			} else if c.Locked {
				n.locked++
			}
		}
	}
}

// isRoot tells whether a function may be called from outside. A method of a
// type that is not exported is seen through those who call it, if any do.
func (l *library) isRoot(s *summary.Summary) bool {
	if s.Flags&(ir.FuncInit|ir.FuncSynthetic|ir.FuncTest) != 0 {
		return false
	}
	if s.Flags&ir.FuncExported == 0 {
		return false
	}
	return s.Recv == "" || exportedType(s.Recv) || l.callers[s.Symbol] == nil
}

// exportedType tells whether the name of a type begins with a capital.
func exportedType(sym string) bool {
	if k := strings.IndexByte(sym, '['); k >= 0 {
		sym = sym[:k]
	}
	name := sym[strings.LastIndexAny(sym, "./")+1:]
	return name != "" && name[0] >= 'A' && name[0] <= 'Z'
}

// enter puts the accesses of a function into their cells.
func (l *library) enter(s *summary.Summary) {
	for _, once := range s.Onces {
		l.enterOnce(s, once)
	}
	root := l.isRoot(s)
	for i := range s.Accesses {
		a := &s.Accesses[i]
		if a.Origin == nil && !root {
			continue
		}
		if a.Origin == nil && l.t.Last(l.t.Base(a.Path)).Kind == summary.Capture {
			continue
		}
		if a.Origin == nil && s.Flags&ir.FuncConstructor != 0 && l.t.Steps(a.Path)[0] == (summary.Step{Kind: summary.Param}) {
			continue // nobody else has the object yet
		}
		l.place(s, a)
	}
}

// enterOnce puts the accesses of a function that a once runs into their cells: it
// holds the once.
func (l *library) enterOnce(s *summary.Summary, once summary.Path) {
	held := summary.Held{Path: once, Mode: ir.Exclusive, Once: true, Depth: 1, Pos: s.Pos}
	for i := range s.Accesses {
		if s.Accesses[i].Origin == nil {
			a := s.Accesses[i]
			a.Locks = append(a.Locks[:len(a.Locks):len(a.Locks)], held)
			l.place(s, &a)
		}
	}
}

// place adds an access to the cell of every owner on its path that shows
// evidence: the object the root was called on, and structs further down.
func (l *library) place(s *summary.Summary, a *summary.Access) {
	steps := l.t.Steps(a.Path)
	if steps[0].Kind == summary.Global {
		l.put(s, a, steps, 0, l.t.Symbol(steps[0]).Name)
	}
	for i := 1; i < len(steps); i++ {
		if steps[i].Kind != summary.Field {
			continue
		}
		owner := l.t.Symbol(steps[i]).Owner
		if _, ok := l.evidence[owner]; ok || l.cfg.Sound && i == 1 {
			l.put(s, a, steps, i, owner)
		}
	}
}

func (l *library) put(s *summary.Summary, a *summary.Access, steps []summary.Step, at int, owner string) {
	from := ownerAt{a.Path, at}
	to, ok := l.places[from]
	if !ok {
		key := cellKey{owner, l.spell(steps[at:])}
		to = placed{l.cells[key], l.fullName(steps)}
		if to.cell == nil {
			to.cell = &libCell{key: key}
			l.cells[key] = to.cell
			l.order = append(l.order, to.cell)
		}
		l.places[from] = to
	}
	e := &libEntry{Access: a, root: s, at: at, full: to.full, last: a.Chain.Last()}
	e.site = number(l.sites, site{e.last.Pos.File, e.last.Pos.Line, e.last.Pos.Col})
	if len(a.Locks) > 0 {
		e.locks = make([]libLock, 0, len(a.Locks))
	}
	for _, h := range a.Locks {
		key := lockKey{h.Path, from}
		names := l.locks[key]
		if names == nil {
			names = l.lock(h, steps, at)
			l.locks[key] = names
		}
		e.locks = append(e.locks, libLock{h, names})
	}
	to.cell.entries = append(to.cell.entries, e)
}

// number numbers what it has not seen before, from 1.
func number[K comparable](known map[K]int32, k K) int32 {
	n, ok := known[k]
	if !ok {
		n = int32(len(known) + 1)
		known[k] = n
	}
	return n
}

// lock says how a lock compares: through the owner, through the root, or by
// being a global. One that goes through an element which the access does not go
// through cannot be compared.
func (l *library) lock(h summary.Held, access []summary.Step, at int) *lockNames {
	out := new(lockNames)
	steps := l.t.Steps(h.Path)
	for _, st := range steps {
		if st.Kind == summary.Elem && st.N != 0 {
			return out
		}
	}
	if sharedSteps(steps, access) == len(access) {
		return out // found through the very memory that is accessed
	}
	for i := len(steps) - 1; i > 0 && out.field == ""; i-- {
		if steps[i].Kind == summary.Field {
			out.field = l.spell(steps[i : i+1])
		}
	}
	if steps[0].Kind == summary.Global {
		out.global = l.spell(steps)
	}
	if steps[0] == access[0] {
		out.full = l.fullName(steps) + lockItself
		if n := sharedSteps(steps, access); n >= at && at > 0 {
			out.inner = l.spell(steps[at:]) + lockItself
		}
	}
	if name := cmp.Or(out.inner, out.global, out.full); name != "" {
		out.key = number(l.keys, name)
	}
	return out
}

// lockItself ends the names of locks: where every object is a lock, the way from
// the owner to a lock may have no steps.
const lockItself = "!"

func sharedSteps(a, b []summary.Step) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func (l *library) fullName(steps []summary.Step) string {
	if steps[0].Kind == summary.Global {
		return l.spell(steps)
	}
	return l.spell(steps[1:])
}

// spell spells steps so that equal spellings mean equal steps.
func (l *library) spell(steps []summary.Step) string {
	var b strings.Builder
	for _, s := range steps {
		switch s.Kind {
		case summary.Global:
			b.WriteString(l.t.Symbol(s).Name)
		case summary.Field:
			sym := l.t.Symbol(s)
			b.WriteString("." + sym.Owner + "·" + sym.Name)
		case summary.Deref:
			b.WriteByte('*')
		case summary.As:
		default:
			b.WriteString("[]")
		}
	}
	return b.String()
}

// common finds a lock that keeps two accesses of a cell apart: one that both
// hold, at least one of them exclusively (RELAY, figure 7).
func commonLock(a, b *libEntry) (libLock, bool) {
	same := a.full == b.full
	for _, x := range a.locks {
		for _, y := range b.locks {
			if x.Mode == ir.Shared && y.Mode == ir.Shared {
				continue
			}
			if x.inner != "" && x.inner == y.inner || x.global != "" && x.global == y.global || same && x.full != "" && x.full == y.full {
				return x, true
			}
		}
	}
	return libLock{}, false
}
