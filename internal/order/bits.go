package order

import "math/bits"

// set is a bit set over the cuts of one origin.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int32) bool { return s[i>>6]&(1<<(uint(i)&63)) != 0 }
func (s set) add(i int32)      { s[i>>6] |= 1 << (uint(i) & 63) }

func (s set) union(t set) bool {
	changed := false
	for i := range t {
		if n := s[i] | t[i]; n != s[i] {
			s[i], changed = n, true
		}
	}
	return changed
}

func (s set) intersect(t set) bool {
	changed := false
	for i := range s {
		if n := s[i] & t[i]; n != s[i] {
			s[i], changed = n, true
		}
	}
	return changed
}

func (s set) fill() {
	for i := range s {
		s[i] = ^uint64(0)
	}
}

func (s set) clone() set { return append(set(nil), s...) }

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
