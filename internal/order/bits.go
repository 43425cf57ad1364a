package order

import (
	"math/bits"
	"slices"
)

// set is a bit set over the cuts of one origin.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int32) bool { return s[i>>6]&(1<<(uint(i)&63)) != 0 }
func (s set) add(i int32)      { s[i>>6] |= 1 << (uint(i) & 63) }

func (s set) overlaps(t set) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

func (s set) each(f func(int32)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			f(int32(i<<6 + bits.TrailingZeros64(w)))
		}
	}
}

// setID names a set in a table: equal sets have equal names.
type setID int32

const (
	empty setID = 0
	all   setID = -1 // not known yet: every cut, the neutral element of meet
)

// setTable holds the different sets of one origin. There are few of them: most
// points have executed what their neighbours have, and functions that call
// nothing of interest have no set but the empty one. So sets are kept once, and
// points hold names.
type setTable struct {
	cuts    int
	words   int
	pages   [][]uint64
	n       int
	slots   []setID // open addressing by hash; 0 is free, for the empty set is not in it
	scratch set
}

const setsPerPage = 256

func (t *setTable) init(cuts int) {
	t.cuts, t.words = cuts, (cuts+63)/64
	t.scratch = make(set, t.words)
	t.slots = make([]setID, 16)
	t.put(t.scratch) // the empty set is number 0
}

// get returns a set. It must not be changed.
func (t *setTable) get(id setID) set {
	if id == all {
		s := make(set, t.words)
		for i := range s {
			s[i] = ^uint64(0)
		}
		if rest := t.cuts & 63; rest != 0 {
			s[len(s)-1] = 1<<rest - 1
		}
		return s
	}
	at := int(id) % setsPerPage * t.words
	return t.pages[int(id)/setsPerPage][at : at+t.words : at+t.words]
}

func (t *setTable) put(s set) setID {
	if t.n%setsPerPage == 0 {
		// A first page is small: most origins have a handful of sets.
		t.pages = append(t.pages, make([]uint64, 0, min(setsPerPage, 8+t.n)*t.words))
	}
	last := len(t.pages) - 1
	t.pages[last] = append(t.pages[last], s...)
	t.n++
	return setID(t.n - 1)
}

// intern returns the name of a set. The set may be changed afterwards.
func (t *setTable) intern(s set) setID {
	h, any := uint64(14695981039346656037), uint64(0)
	for _, w := range s {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 29
		any |= w
	}
	if any == 0 {
		return empty
	}
	if 2*t.n >= len(t.slots) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		id := t.slots[i]
		if id == empty {
			id = t.put(s)
			t.slots[i] = id
			return id
		}
		if slices.Equal(t.get(id), s) {
			return id
		}
	}
}

func (t *setTable) grow() {
	old := t.slots
	t.slots = make([]setID, 2*len(old))
	mask := uint64(len(t.slots) - 1)
	for _, id := range old {
		if id == empty {
			continue
		}
		h := uint64(14695981039346656037)
		for _, w := range t.get(id) {
			h = (h ^ w) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		i := h & mask
		for t.slots[i] != empty {
			i = (i + 1) & mask
		}
		t.slots[i] = id
	}
}

// union returns the set of what is in either.
func (t *setTable) union(a, b setID) setID {
	switch {
	case a == b || b == empty:
		return a
	case a == empty:
		return b
	case a == all || b == all:
		return all
	}
	x, y := t.get(a), t.get(b)
	inA, inB := true, true
	for i := range x {
		w := x[i] | y[i]
		t.scratch[i] = w
		inA = inA && w == x[i]
		inB = inB && w == y[i]
	}
	return t.result(a, b, inA, inB)
}

// meet returns the set of what is in both.
func (t *setTable) meet(a, b setID) setID {
	switch {
	case a == b || b == all:
		return a
	case a == all:
		return b
	case a == empty || b == empty:
		return empty
	}
	x, y := t.get(a), t.get(b)
	inA, inB := true, true
	for i := range x {
		w := x[i] & y[i]
		t.scratch[i] = w
		inA = inA && w == x[i]
		inB = inB && w == y[i]
	}
	return t.result(a, b, inA, inB)
}

func (t *setTable) result(a, b setID, isA, isB bool) setID {
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	return t.intern(t.scratch)
}
