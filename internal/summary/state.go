package summary

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// state is what is known before an instruction. Its order: fewer locks held,
// more released, more published is greater; join goes up (RELAY, section 3.2:
// join is intersection of L+ and union of L-).
type state struct {
	reached   bool
	held      []Held   // L+, by identity
	released  []Path   // L-
	maybe     []Path   // held on some way
	published []Path   // roots that other origins may know
	waited    bool     // on every way
	flagged   []Path   // roots of whose objects something was loaded atomically, on every way
	after     []string // functions that lock and were called on every way, sorted
	spawned   bool     // an origin was started on some way
	spawns    []int32  // the spawns of this function that happened on some way
	observed  bool     // learnt on some way how far another origin is
	passed    []Path   // locks taken and given back on every way
}

func (s *state) clone() state {
	c := *s
	c.held = append([]Held(nil), s.held...)
	c.released = append([]Path(nil), s.released...)
	c.maybe = append([]Path(nil), s.maybe...)
	c.published = append([]Path(nil), s.published...)
	c.flagged = append([]Path(nil), s.flagged...)
	c.passed = append([]Path(nil), s.passed...)
	return c
}

// join merges o into s and tells whether s changed.
func (s *state) join(o *state) bool {
	if !s.reached {
		*s = o.clone()
		s.reached = true
		return true
	}
	held, changed := joinHeld(s.held, o.held)
	s.held = held
	union := func(list *[]Path, more []Path) {
		for _, p := range more {
			n := len(*list)
			*list = addPath(*list, p)
			changed = changed || len(*list) > n
		}
	}
	union(&s.released, o.released)
	union(&s.maybe, o.maybe)
	union(&s.published, o.published)
	if s.waited && !o.waited {
		s.waited, changed = false, true
	}
	for _, i := range o.spawns {
		if !slices.Contains(s.spawns, i) {
			s.spawns, changed = append(s.spawns[:len(s.spawns):len(s.spawns)], i), true
		}
	}
	if o.observed && !s.observed {
		s.observed, changed = true, true
	}
	if n := len(s.passed); n > 0 {
		s.passed = slices.DeleteFunc(s.passed, func(p Path) bool { return !slices.Contains(o.passed, p) })
		changed = changed || len(s.passed) < n
	}
	if o.spawned && !s.spawned {
		s.spawned, changed = true, true
	}
	if n := len(s.flagged); n > 0 {
		s.flagged = slices.DeleteFunc(s.flagged, func(p Path) bool { return !slices.Contains(o.flagged, p) })
		changed = changed || len(s.flagged) < n
	}
	if n := len(s.after); n > 0 {
		s.after = slices.DeleteFunc(slices.Clone(s.after), func(x string) bool { return !slices.Contains(o.after, x) })
		changed = changed || len(s.after) < n
	}
	return changed
}

// joinHeld keeps what both hold, in the weaker mode and the lesser depth, and
// tells whether that is less than a.
func joinHeld(a, b []Held) ([]Held, bool) {
	out := a[:0:0]
	changed := false
	for _, x := range a {
		for _, y := range b {
			if x.Path != y.Path || x.Once != y.Once {
				continue
			}
			if y.Mode == ir.Shared && x.Mode != ir.Shared {
				x.Mode, changed = ir.Shared, true
			}
			if y.Depth < x.Depth {
				x.Depth, changed = y.Depth, true
			}
			out = append(out, x)
			break
		}
	}
	return out, changed || len(out) != len(a)
}

func (s *state) has(p Path) bool {
	for _, q := range s.published {
		if q == p {
			return true
		}
	}
	return false
}

// acquire adds a lock.
func (f *function) acquire(s *state, h Held, reentrant bool) {
	if h.Path == NoPath {
		return
	}
	s.maybe = addPath(s.maybe, h.Path)
	for k, p := range s.released {
		if p == h.Path { // surely acquired since (RELAY, figure 3)
			s.released = append(s.released[:k:k], s.released[k+1:]...)
			break
		}
	}
	for k := range s.held {
		if s.held[k].Path != h.Path || s.held[k].Once != h.Once {
			continue
		}
		if h.Mode == ir.Exclusive {
			s.held[k].Mode = h.Mode
		}
		if reentrant {
			s.held[k].Depth++
		}
		return
	}
	if h.Depth == 0 {
		h.Depth = 1
	}
	s.held = append(s.held, h)
}

// release takes a lock away; one that is not among those acquired here counts
// as released since entry.
func (f *function) release(s *state, p Path) {
	if p == NoPath {
		return
	}
	found := false
	kept := s.held[:0:0]
	for _, h := range s.held {
		if h.Once || !f.sameLock(h.Path, p) {
			kept = append(kept, h)
			continue
		}
		found = true
		if h.Depth > 1 {
			h.Depth--
			kept = append(kept, h)
		}
	}
	s.held = kept
	for k, q := range s.maybe {
		if f.sameLock(q, p) {
			s.maybe = append(s.maybe[:k:k], s.maybe[k+1:]...)
			break
		}
	}
	if found {
		s.passed = addPath(s.passed, p)
	} else {
		s.released = addPath(s.released, p)
	}
}

// sameLock tells whether two identities may be the same lock, as a release
// needs to know: by identity, or by what they may be when elements are not told
// apart.
func (f *function) sameLock(a, b Path) bool {
	if a == b {
		return true
	}
	for _, x := range f.expand(a) {
		for _, y := range f.expand(b) {
			if f.normal(x) == f.normal(y) {
				return true
			}
		}
	}
	return false
}

// publish makes everything reachable from a value, in our own memory, known to
// others.
func (f *function) publish(s *state, v Path, hard bool) {
	if v == NoPath {
		return
	}
	for _, p := range f.expand(v) {
		f.publishRoot(s, p, hard)
	}
}

func (f *function) publishRoot(s *state, p Path, hard bool) {
	base := f.t.Base(p)
	for q := p; q != base; q = f.t.Parent(q) {
		if f.t.Last(q).Kind == Deref {
			return // what the root's memory leads to is not the root
		}
	}
	if hard {
		f.hard = addPath(f.hard, base)
	}
	if s.has(base) {
		return
	}
	s.published = append(s.published, base)
	if f.t.Last(base).Kind != fresh {
		return
	}
	for _, v := range f.inside[base] {
		f.publish(s, v, hard)
	}
	for _, c := range f.closures[base].captures {
		f.publish(s, c, hard)
	}
}

// indexContents lists the contents of our own memory by object.
func (f *function) indexContents() {
	f.inside = make(map[Path][]Path)
	for cell, list := range f.contents {
		base := f.t.Base(cell)
		for _, v := range list {
			f.inside[base] = addPath(f.inside[base], v)
		}
	}
}

// maxAfter bounds the functions remembered as over.
const maxAfter = 6

// mergeNames returns the union of two sorted lists.
func mergeNames(a, b []string) []string {
	if len(a) == 0 {
		return b
	}
	out := slices.Clone(a)
	for _, x := range b {
		if k, ok := slices.BinarySearch(out, x); !ok && len(out) < maxAfter {
			out = slices.Insert(out, k, x)
		}
	}
	return out
}
