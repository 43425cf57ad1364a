package lockset

import (
	"slices"

	"github.com/deadheat/deadheat/internal/path"
)

// listID is the number of a list of locks.
type listID int32

const (
	unknownList listID = iota
	emptyList
)

// lockID is the number of a lock.
type lockID int32

// listTable keeps lists of locks, equal ones once.
type listTable struct {
	locks   []Lock
	lockIDs map[Lock]lockID

	first []int32  // by list: its first lock in items; those of the next follow
	items []lockID // locks of all lists
	named []bool   // by list: whether it has a lock with a name
	local []bool   // by list: whether it has one with a name of the function alone
	slots []listID // open addressing

	scratch []lockID
}

func newListTable() listTable {
	t := listTable{lockIDs: make(map[Lock]lockID), first: []int32{0}}
	t.add(nil) // stands for the unknown one
	t.intern(nil)
	return t
}

func (t *listTable) ids(l listID) []lockID { return t.items[t.first[l]:t.first[l+1]] }

// appendTo adds the locks of a list to out.
func (t *listTable) appendTo(out []Lock, l listID) []Lock {
	for _, id := range t.ids(l) {
		out = append(out, t.locks[id])
	}
	return out
}

// intern returns the number of a list.
func (t *listTable) intern(list []Lock) listID {
	t.scratch = t.scratch[:0]
	for _, l := range list {
		t.scratch = append(t.scratch, t.lockID(l))
	}
	return t.internIDs(t.scratch)
}

// lockID returns the number of a lock.
func (t *listTable) lockID(l Lock) lockID {
	id, known := t.lockIDs[l]
	if !known {
		id = lockID(len(t.locks))
		t.locks = append(t.locks, l)
		t.lockIDs[l] = id
	}
	return id
}

// internIDs returns the number of a list.
func (t *listTable) internIDs(ids []lockID) listID {
	if 2*len(t.named) >= len(t.slots) {
		t.grow()
	}
	i := t.find(ids)
	if t.slots[i] == unknownList {
		t.slots[i] = t.add(ids)
	}
	return t.slots[i]
}

// add makes a list.
func (t *listTable) add(ids []lockID) listID {
	id := listID(len(t.named))
	named, local := false, false
	for _, l := range ids {
		p := t.locks[l].Path
		named, local = named || p != path.None, local || p > path.None
	}
	t.items = append(t.items, ids...)
	t.first = append(t.first, int32(len(t.items)))
	t.named = append(t.named, named)
	t.local = append(t.local, local)
	return id
}

// find returns the slot of a list, or where it belongs.
func (t *listTable) find(ids []lockID) int {
	mask := len(t.slots) - 1
	i := int(hashLocks(ids)) & mask
	for t.slots[i] != 0 && !slices.Equal(t.ids(t.slots[i]), ids) {
		i = (i + 1) & mask
	}
	return i
}

func (t *listTable) grow() {
	t.slots = make([]listID, max(1024, 2*len(t.slots)))
	for l := emptyList; int(l) < len(t.named); l++ {
		t.slots[t.find(t.ids(l))] = l
	}
}

func hashLocks(ids []lockID) uint32 {
	h := uint64(len(ids))
	for _, id := range ids {
		h = (h ^ uint64(id)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return uint32(h >> 8)
}
