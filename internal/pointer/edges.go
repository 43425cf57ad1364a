package pointer

// edgeSet is the set of copy edges: open addressing, no pointers. The solver asks
// it for every edge it might add, which a Go map makes the dearest of all its
// questions.
type edgeSet struct {
	slots []uint64 // the complement of an edge; 0 is free
	n     int
}

// add puts an edge into the set and tells whether it is new.
func (s *edgeSet) add(from, to Node) bool {
	if 4*s.n >= 3*len(s.slots) {
		s.grow()
	}
	x := ^(uint64(from)<<32 | uint64(uint32(to)))
	mask := uint64(len(s.slots) - 1)
	for i := hashEdge(x) & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case x:
			return false
		case 0:
			s.slots[i] = x
			s.n++
			return true
		}
	}
}

func hashEdge(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x ^= x >> 32
	return x * 0xbf58476d1ce4e5b9 >> 9
}

func (s *edgeSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(1024, 2*len(old)))
	mask := uint64(len(s.slots) - 1)
	for _, x := range old {
		if x == 0 {
			continue
		}
		i := hashEdge(x) & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = x
	}
}
