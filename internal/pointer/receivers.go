package pointer

// receiverTable says what a call by dispatch runs, by call and type of receiver:
// open addressing, since it is asked for every receiver.
type receiverTable struct {
	slots []receiverSlot
	n     int
}

type receiverSlot struct {
	key    uint64 // the complement of the key; 0 is free
	target InstID
}

func (t *receiverTable) get(key uint64) (InstID, bool) {
	if t.n == 0 {
		return 0, false
	}
	x := ^key
	mask := uint64(len(t.slots) - 1)
	for i := hashEdge(x) & mask; ; i = (i + 1) & mask {
		switch t.slots[i].key {
		case x:
			return t.slots[i].target, true
		case 0:
			return 0, false
		}
	}
}

func (t *receiverTable) put(key uint64, target InstID) {
	if 4*t.n >= 3*len(t.slots) {
		old := t.slots
		t.slots = make([]receiverSlot, max(1024, 2*len(old)))
		for _, s := range old {
			if s.key != 0 {
				t.slots[t.free(s.key)] = s
			}
		}
	}
	i := t.free(^key)
	if t.slots[i].key == 0 {
		t.n++
	}
	t.slots[i] = receiverSlot{^key, target}
}

// free returns the slot of a key, or where it belongs.
func (t *receiverTable) free(x uint64) uint64 {
	mask := uint64(len(t.slots) - 1)
	i := hashEdge(x) & mask
	for t.slots[i].key != 0 && t.slots[i].key != x {
		i = (i + 1) & mask
	}
	return i
}
