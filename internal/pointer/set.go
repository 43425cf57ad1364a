package pointer

import (
	"math/bits"
	"slices"
)

// Set is a set of nodes: sorted runs of 64 bits. Sets in points-to analysis of
// real programs hold fewer than ten elements on average and a few thousand at
// most; neighbours in a set are often neighbours in number, because the slots
// of an object and the objects of a function are.
type Set struct{ chunks []chunk }

type chunk struct {
	key  uint32
	bits uint64
}

// Empty tells whether the set has no elements.
func (s *Set) Empty() bool { return len(s.chunks) == 0 }

// Len counts the elements.
func (s *Set) Len() int {
	n := 0
	for i := range s.chunks {
		n += bits.OnesCount64(s.chunks[i].bits)
	}
	return n
}

func (s *Set) search(key uint32) int { return s.between(0, len(s.chunks), key) }

// between returns where the first chunk is, from lo up to hi, that does not come
// before a key; hi if there is none.
func (s *Set) between(lo, hi int, key uint32) int {
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if s.chunks[mid].key < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// seek returns where the first chunk is, from i on, that does not come before a
// key. Steps double, for it is near if the sets are of one size, and far if what is
// added is little to much.
func (s *Set) seek(i int, key uint32) int {
	step := 1
	for i+step < len(s.chunks) && s.chunks[i+step].key < key {
		i += step
		step *= 2
	}
	return s.between(i, min(i+step, len(s.chunks)), key)
}

// Has tells whether n is in the set.
func (s *Set) Has(n Node) bool {
	i := s.search(uint32(n) >> 6)
	return i < len(s.chunks) && s.chunks[i].key == uint32(n)>>6 && s.chunks[i].bits&(1<<(uint32(n)&63)) != 0
}

// hasBetween tells whether the set has an element from lo on, below hi.
func (s *Set) hasBetween(lo, hi Node) bool {
	for i := s.search(uint32(lo) >> 6); i < len(s.chunks) && s.chunks[i].key <= uint32(hi-1)>>6; i++ {
		b := s.chunks[i].bits
		if first := Node(s.chunks[i].key << 6); first < lo {
			b &= ^uint64(0) << uint(lo-first)
		}
		if last := Node(s.chunks[i].key<<6) + 64; last > hi {
			b &= ^uint64(0) >> uint(last-hi)
		}
		if b != 0 {
			return true
		}
	}
	return false
}

// Add puts n into the set and tells whether it is new.
func (s *Set) Add(n Node) bool {
	return s.addChunk(uint32(n)>>6, 1<<(uint32(n)&63)) != 0
}

// AddAll puts the elements of t into s and those that are new into fresh; it
// tells whether there were any.
func (s *Set) AddAll(t *Set, fresh *Set) bool {
	if len(t.chunks) == 0 {
		return false
	}
	changed := false
	missing := 0
	i := 0
	for _, c := range t.chunks {
		if i < len(s.chunks) && s.chunks[i].key < c.key {
			i = s.seek(i+1, c.key)
		}
		if i == len(s.chunks) || s.chunks[i].key != c.key {
			missing++
			continue
		}
		if add := c.bits &^ s.chunks[i].bits; add != 0 {
			s.chunks[i].bits |= add
			fresh.addChunk(c.key, add)
			changed = true
		}
	}
	if missing == 0 {
		return changed
	}
	s.insert(t, fresh, missing)
	return true
}

// insert adds the chunks of t whose keys s lacks.
func (s *Set) insert(t *Set, fresh *Set, missing int) {
	old := len(s.chunks)
	s.chunks = slices.Grow(s.chunks, missing)[:old+missing]
	i, j, k := old-1, len(t.chunks)-1, len(s.chunks)-1
	for j >= 0 && k > i {
		switch {
		case i >= 0 && s.chunks[i].key > t.chunks[j].key:
			s.chunks[k] = s.chunks[i]
			i--
			k--
		case i >= 0 && s.chunks[i].key == t.chunks[j].key:
			j--
		default:
			s.chunks[k] = t.chunks[j]
			// Marked as new until they have all been passed on, in order.
			s.chunks[k].key |= newChunk
			j--
			k--
		}
	}
	fresh.merge(s.chunks[k+1:])
}

// newChunk is a bit that keys of chunks do not use: nodes are no more than 2^31,
// keys no more than 2^25.
const newChunk = 1 << 31

// merge adds the chunks that are marked as new, and takes the marks away.
func (s *Set) merge(from []chunk) {
	n := 0
	for i := range from {
		if from[i].key&newChunk != 0 {
			n++
		}
	}
	old := len(s.chunks)
	s.chunks = slices.Grow(s.chunks, n)[:old+n]
	i, k := old-1, len(s.chunks)-1
	for j := len(from) - 1; j >= 0; j-- {
		if from[j].key&newChunk == 0 {
			continue
		}
		from[j].key &^= newChunk
		for i >= 0 && s.chunks[i].key > from[j].key {
			s.chunks[k] = s.chunks[i]
			i--
			k--
		}
		s.chunks[k] = from[j]
		k--
	}
}

// addChunk puts the elements of a chunk into the set and returns those that are
// new.
func (s *Set) addChunk(key uint32, b uint64) uint64 {
	n := len(s.chunks)
	if n == 0 || s.chunks[n-1].key < key {
		s.chunks = append(s.chunks, chunk{key, b})
		return b
	}
	i := s.search(key)
	if s.chunks[i].key == key {
		b &^= s.chunks[i].bits
		s.chunks[i].bits |= b
		return b
	}
	s.chunks = append(s.chunks, chunk{})
	copy(s.chunks[i+1:], s.chunks[i:])
	s.chunks[i] = chunk{key, b}
	return b
}

// Each calls f for every element in ascending order until f returns false.
func (s *Set) Each(f func(Node) bool) {
	for _, c := range s.chunks {
		for b := c.bits; b != 0; b &= b - 1 {
			if !f(Node(c.key<<6 + uint32(bits.TrailingZeros64(b)))) {
				return
			}
		}
	}
}

// Single returns the only element of a set of one.
func (s *Set) Single() (Node, bool) {
	if len(s.chunks) != 1 || s.chunks[0].bits&(s.chunks[0].bits-1) != 0 {
		return 0, false
	}
	return Node(s.chunks[0].key<<6 + uint32(bits.TrailingZeros64(s.chunks[0].bits))), true
}

// sorted returns the set of nodes that are in ascending order.
func sorted(nodes []Node) Set {
	n := 0
	for i := range nodes {
		if i == 0 || nodes[i]>>6 != nodes[i-1]>>6 {
			n++
		}
	}
	s := Set{chunks: make([]chunk, 0, n)}
	for _, a := range nodes {
		s.addChunk(uint32(a)>>6, 1<<(uint32(a)&63))
	}
	return s
}
