package detect

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/summary"
)

// maxEntries bounds the accesses of one cell that are paired.
const maxEntries = 512

// guardVote is how often a lock is held at the accesses of a cell.
type guardVote struct {
	name    string // as its holders spell it
	path    summary.Path
	from    *libEntry // a holder
	key     int32     // of lockNames
	spelled string
	held    int // sites
	sites   int
	written bool // exclusively at some write
	place   Place
}

// libRace is a pair of accesses that nothing keeps apart. a is the side to
// mend.
type libRace struct {
	cell   *libCell
	a, b   *libEntry
	guard  *guardVote
	rank   int
	others int
	more   []*libRace // the next best pairs of the same access, best first
}

// sideKey is what pairs of one finding have in common: the function with the
// unprotected access, and whether that writes.
type sideKey struct {
	fn     string
	writes bool
}

// maxMore bounds the pairs of which the most convincing is shown.
const maxMore = 5

// full tells whether a pair of this rank would not be among those kept.
func (r *libRace) full(rank int) bool {
	return rank <= r.rank && len(r.more) == maxMore && r.more[maxMore-1].rank >= rank
}

// add makes p one of the pairs of an access, r being the best so far.
func (r *libRace) add(p *libRace) *libRace {
	best := r
	if p.rank > r.rank {
		best, p = p, r
		best.more, r.more = r.more, nil
	}
	best.others = r.others + 1
	k, _ := slices.BinarySearchFunc(best.more, p, func(a, b *libRace) int {
		if a.rank >= b.rank {
			return -1
		}
		return 1
	})
	if best.more = slices.Insert(best.more, k, p); len(best.more) > maxMore {
		best.more = best.more[:maxMore]
	}
	return best
}

func (l *library) verdict() []Finding {
	var out []Finding
	seen := make(map[string]int)
	for _, c := range l.order {
		if !anyWrite(c) {
			continue
		}
		for _, r := range l.pairs(c) {
			f := l.mostConvincing(r)
			if !f.First.Place.IsValid() || !f.Second.Place.IsValid() {
				continue
			}
			// The same two lines of code are one finding, whatever owner they
			// were found through.
			key := fmt.Sprint(f.First.Place, f.Second.Place)
			if k, dup := seen[key]; dup {
				if f.Confidence > out[k].Confidence {
					out[k] = f
				}
				continue
			}
			seen[key] = len(out)
			out = append(out, f)
		}
	}
	return distinct(out)
}

// mostConvincing explains the pair of an access that there is least doubt about.
func (l *library) mostConvincing(r *libRace) Finding {
	best := l.explain(r)
	for _, p := range r.more {
		if best.Confidence == High {
			break
		}
		p.others = r.others
		if f := l.explain(p); f.Confidence > best.Confidence && f.First.Place.IsValid() && f.Second.Place.IsValid() {
			best = f
		}
	}
	return best
}

// distinct keeps one finding for each fingerprint and sorts them.
func distinct(list []Finding) []Finding {
	seen := make(map[string]int)
	var out []Finding
	for _, f := range list {
		if k, dup := seen[f.Fingerprint]; dup {
			if f.Confidence > out[k].Confidence {
				out[k] = f
			}
			continue
		}
		seen[f.Fingerprint] = len(out)
		out = append(out, f)
	}
	Sort(out)
	return out
}

func anyWrite(c *libCell) bool {
	for _, e := range c.entries {
		if e.Kind.Writes() {
			return true
		}
	}
	return false
}

// pairs finds the races of a cell: one for each function with an unprotected
// access, with the access that speaks loudest against it.
func (l *library) pairs(c *libCell) []*libRace {
	entries := c.entries
	if len(entries) > maxEntries && !l.cfg.Sound {
		entries = entries[:maxEntries]
	}
	guard := l.vote(c)
	best := make(map[sideKey]*libRace)
	var order []sideKey
	for i, a := range entries {
		for j := i; j < len(entries); j++ {
			b := entries[j]
			if !l.conflict(a, b, i == j) {
				continue
			}
			x, y := l.sides(a, b, guard)
			rank := pairRank(x, y, guard)
			key := sideKey{siteFunc(x), x.Kind.Writes()}
			r := best[key]
			switch {
			case r == nil:
				order = append(order, key)
				best[key] = &libRace{cell: c, a: x, b: y, guard: guard, rank: rank}
			case r.full(rank):
				r.others++
			default:
				best[key] = r.add(&libRace{cell: c, a: x, b: y, guard: guard, rank: rank})
			}
		}
	}
	// A function that both reads and writes without protection is reported for
	// the write. Where nobody holds a lock no side is to blame more than another,
	// and one finding says it all.
	var out []*libRace
	if guard == nil && len(order) > 1 {
		r := best[order[0]]
		for _, key := range order[1:] {
			r = r.add(best[key])
		}
		return append(out, r)
	}
	for _, key := range order {
		r := best[key]
		if w := best[sideKey{key.fn, true}]; w != nil && w != r && !r.a.Kind.Writes() && w.rank >= r.rank {
			w.others++
			continue
		}
		out = append(out, r)
	}
	return out
}

// conflict is RacerD's five conditions (section 5.1), with lock identities and
// atomics: the same path, not owned, no common lock, concurrent, one a write.
func (l *library) conflict(a, b *libEntry, self bool) bool {
	if !a.Kind.Writes() && !b.Kind.Writes() || a.Kind.Atomic() && b.Kind.Atomic() {
		return false
	}
	if self && a.Origin != nil && !a.Origin.Many {
		return false
	}
	if a.Origin != nil && b.Origin != nil && *a.Origin == *b.Origin && !a.Origin.Many {
		return false // one origin does not race with itself
	}
	if orderedBySpawn(a, b) || orderedBySpawn(b, a) || l.beforeReturn(a, b) || l.beforeReturn(b, a) {
		return false
	}
	_, protected := commonLock(a, b)
	return !protected
}

// beforeReturn tells whether an access is to what a function makes and returns,
// before it does, while the other is made by somebody who has got it: by a caller,
// not by an origin that the function starts.
func (l *library) beforeReturn(a, b *libEntry) bool {
	return a.Origin == nil && b.Origin == nil && l.t.Last(l.t.Base(a.Path)).Kind == summary.Result
}

// orderedBySpawn tells whether an access is made by the function that starts the
// other's origin, before it does.
func orderedBySpawn(a, b *libEntry) bool {
	if b.Origin != nil && a.Origin == nil && a.root == b.root && slices.Contains(a.Before, b.Origin.Pos) {
		return true
	}
	return b.Origin != nil && a.Origin == nil && a.Flags&summary.BeforeSpawn != 0 && !a.Shared &&
		(a.root == b.root || a.last.Name == b.Origin.Func)
}

// sides puts the unprotected side first: the one without the lock that guards
// the cell elsewhere, else the one with fewer locks, else a write.
func (l *library) sides(a, b *libEntry, g *guardVote) (x, y *libEntry) {
	if pa, pb := protection(a, g), protection(b, g); pa != pb {
		if pa < pb {
			return a, b
		}
		return b, a
	}
	if a.Kind.Atomic() != b.Kind.Atomic() {
		if b.Kind.Atomic() {
			return a, b
		}
		return b, a
	}
	if a.Kind.Writes() != b.Kind.Writes() {
		if a.Kind.Writes() {
			return a, b
		}
		return b, a
	}
	return a, b
}

// protection grades how well an access is protected: 0 not at all, 1 by
// something else, 2 by the guard but for reading only while it writes, 3 by the
// guard.
func protection(e *libEntry, g *guardVote) int {
	if g != nil {
		for _, k := range e.locks {
			if k.key == g.key {
				if k.Mode == ir.Shared && e.Kind.Writes() {
					return 2
				}
				return 3
			}
		}
	}
	if len(e.locks) > 0 {
		return 1
	}
	return 0
}

// pairRank says how convincing a pair is to show.
func pairRank(x, y *libEntry, g *guardVote) int {
	n := 0
	if protection(y, g) == 3 {
		n += 8
	}
	if y.Kind.Writes() {
		n += 4
	}
	if x.Kind.Writes() {
		n += 4
	}
	if x.Origin != nil || y.Origin != nil {
		n += 2
	}
	for _, e := range []*libEntry{x, y} {
		if e.Flags&(summary.Waited|summary.MayHold|summary.BeforeSpawn|summary.Deferred|summary.Dispatched) == 0 {
			n += 3
		}
		if e.Chain.Next == nil {
			n++
		}
	}
	return n
}

// siteFunc is the function in whose code an access is.
func siteFunc(e *libEntry) string { return e.last.Symbol }

// tally counts the accesses under a lock, by site.
type tally struct {
	guardVote
	holding map[int32]int
}

// vote finds the lock that is held at most sites of a cell.
func (l *library) vote(c *libCell) *guardVote {
	sites := make(map[int32]int)
	votes := make(map[int32]*tally)
	for _, e := range c.entries {
		sites[e.site]++
		for k := range e.locks {
			h := &e.locks[k]
			if h.key == 0 || h.Once {
				continue
			}
			v := votes[h.key]
			if v == nil {
				v = &tally{guardVote: guardVote{key: h.key, spelled: h.name(), name: l.lockName(e, h.Held), path: h.Path, from: e, place: place(h.Pos)}, holding: map[int32]int{}}
				votes[h.key] = v
			}
			v.written = v.written || e.Kind.Writes() && h.Mode == ir.Exclusive
			if firstOf(e.locks, k) && (h.Mode != ir.Shared || !e.Kind.Writes()) {
				v.holding[e.site]++
			}
		}
	}
	// A site counts as holding only if all its contexts do.
	var best *tally
	for _, v := range votes {
		for s, n := range v.holding {
			if n == sites[s] {
				v.held++
			}
		}
		if best == nil || v.held > best.held || v.held == best.held && (v.written && !best.written || v.written == best.written && v.spelled < best.spelled) {
			best = v
		}
	}
	if best == nil || best.held == 0 {
		return nil
	}
	best.sites = len(sites)
	return &best.guardVote
}

// firstOf tells whether no lock before the one at k has its name: protection goes
// by the first.
func firstOf(locks []libLock, k int) bool {
	for i := range k {
		if locks[i].key == locks[k].key {
			return false
		}
	}
	return true
}

// name is the name of a lock that counts: relative to the owner if there is one,
// then of a global, then relative to the root.
func (n *lockNames) name() string { return cmp.Or(n.inner, n.global, n.full) }

// lockName spells a lock as the root does.
func (l *library) lockName(e *libEntry, h summary.Held) string {
	return l.t.Name(h.Path, func(s summary.Step) string { return l.rootName(e, s) })
}

// guardName spells a guard as seen from an access: through the same owner.
func (l *library) guardName(e *libEntry, g *guardVote) string {
	lock, mine := l.t.Steps(g.path), l.t.Steps(e.Path)
	theirs := l.t.Steps(g.from.Path)
	if n := sharedSteps(lock, theirs); e.at == 0 || g.from.at == 0 || n < g.from.at {
		return g.name
	}
	steps := append(append([]summary.Step(nil), mine[:e.at]...), lock[g.from.at:]...)
	return l.t.Name(l.t.Make(steps), func(s summary.Step) string { return l.rootName(e, s) })
}

func (l *library) rootName(e *libEntry, s summary.Step) string {
	switch s.Kind {
	case summary.Param:
		if int(s.N) < len(e.root.Names) && e.root.Names[s.N] != "" && e.root.Names[s.N] != "_" {
			return e.root.Names[s.N]
		}
	case summary.Global:
		return short(l.t.Symbol(s).Name)
	}
	return lastPart(short(e.typeName()))
}

func lastPart(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }

func (e *libEntry) typeName() string {
	if e.root.Recv != "" {
		return e.root.Recv
	}
	return e.root.Name
}

// explain turns a race into a finding.
func (l *library) explain(r *libRace) Finding {
	if r.guard != nil {
		g := *r.guard
		g.name = l.guardName(r.a, &g)
		r.guard = &g
	}
	f := Finding{Rule: RuleRace, Confidence: High, First: l.access(r.a), Second: l.access(r.b)}
	if r.a.Kind.Atomic() != r.b.Kind.Atomic() {
		f.Rule = RuleRaceAtomic
	}
	f.What = l.what(r.a)
	f.Object = Object{Kind: "field", Name: f.What}
	f.Type = short(r.cell.key.owner)
	if l.t.Last(l.t.Base(r.a.Path)).Kind == summary.Global {
		f.Object.Kind = "global"
	}
	l.reasons(r, &f)
	f.Fix = l.fix(r)
	f.Fingerprint = libFingerprint(r, &f)
	return f
}

func (l *library) what(e *libEntry) string {
	name := l.t.Name(e.Path, func(s summary.Step) string { return l.rootName(e, s) })
	switch l.t.Last(e.Path).Kind {
	case summary.Deref:
		return "contents of " + name
	case summary.Elem, summary.Index:
		return "elements of " + strings.TrimSuffix(name, "[…]")
	}
	return name
}

func libFingerprint(r *libRace, f *Finding) string {
	parts := []string{"library", f.Rule, r.cell.key.owner, r.cell.key.rel, siteFunc(r.a), f.First.Kind.String()}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// access describes one side.
func (l *library) access(e *libEntry) Access {
	a := Access{Kind: AccessKind(e.Kind)}
	inScope := func(f *summary.Frame) bool { return l.cfg.InScope == nil || l.cfg.InScope(f.Unit) }
	for fr := e.Chain; fr != nil; fr = fr.Next {
		if !fr.Pos.IsValid() {
			continue
		}
		a.Trace = append(a.Trace, Frame{fr.Name, place(fr.Pos)})
		// The place to look at is the innermost one in the user's own code.
		if inScope(fr) || !a.Place.IsValid() {
			a.Place, a.Function, a.Symbol = place(fr.Pos), fr.Name, fr.Symbol
		}
	}
	for _, h := range e.Locks {
		if !h.Once {
			a.Locks = append(a.Locks, HeldLock{Name: l.lockName(e, h), Shared: h.Mode == ir.Shared, Place: place(h.Pos)})
		}
	}
	if o := e.Origin; o != nil {
		a.Origin = OriginRef{Kind: originKind(o.Kind, l.cfg.Lang), Name: "of " + o.Func, Start: place(o.Pos), Many: o.Many}
	} else if len(e.root.Onces) > 0 && !l.isRoot(e.root) {
		a.Origin = OriginRef{Kind: "init", Name: e.root.Name, Start: place(e.root.Pos)}
	} else {
		a.Origin = OriginRef{Kind: "callers of", Name: e.root.Name, Start: place(e.root.Pos), Many: true}
	}
	return a
}

func (l *library) fix(r *libRace) string {
	g := r.guard
	switch {
	case g == nil || protection(r.a, g) == 3:
		return ""
	case protection(r.a, g) == 2:
		return fmt.Sprintf("take %s for writing here: for reading it does not exclude other readers", g.name)
	}
	if g.held == 1 && g.sites == 2 {
		return fmt.Sprintf("hold %s here, as the other access does", lockWords(g.name))
	}
	if 2*g.held <= g.sites {
		return fmt.Sprintf("hold %s at all %d accesses, not at %d only", lockWords(g.name), g.sites, g.held)
	}
	return fmt.Sprintf("hold %s here, as %s do", lockWords(g.name), g.of())
}

// of says at how many accesses the lock is held.
func (g *guardVote) of() string {
	return fmt.Sprintf("%d of %d accesses", g.held, g.sites)
}
