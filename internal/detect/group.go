package detect

import (
	"encoding/binary"

	"github.com/deadheat/deadheat/internal/path"
)

// groupID numbers the groups of accesses that no question tells apart.
type groupID int32

const noGroup groupID = 0

// group is what the accesses of a group have in common.
type group struct {
	cell   int32 // the last one that an access of it was found in
	locked bool  // they hold a lock
}

// addGroup returns the number of the group of an access.
func (d *detector) addGroup(s *side) groupID {
	key := d.spell(s)
	id, known := d.groups[key]
	if !known {
		id = groupID(len(d.grouped))
		d.groups[key] = id
		d.grouped = append(d.grouped, group{locked: d.holdsAny(s)})
	}
	return id
}

// spell spells everything about an access that detection asks for, save its
// position. Without locks the path matters only for whose object it is and which
// element.
func (d *detector) spell(s *side) string {
	at := s.locks.Path
	if at != path.None && len(s.locks.Locks) == 0 {
		at = d.Locks.Paths(s.Inst).Root(at)
	}
	place := 0
	if d.Order.StartsInLoop(s.Inst) {
		place = int(s.Instr)
	}
	key := make([]byte, 0, 64)
	for _, n := range []int{place, int(s.Inst), int(s.Kind), int(at), int(s.when.Segment()), int(s.elems.from), int(s.elems.to), flag(s.Tail), flag(s.Far), flag(d.isWait(s))} {
		key = binary.AppendVarint(key, int64(n))
	}
	for _, l := range s.locks.Locks {
		for _, n := range []int{int(l.Path), int(l.Node), int(l.Mode), flag(l.Maybe)} {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	for _, l := range s.past {
		for _, n := range []int{int(l.Kind), int(l.Path), int(l.Mode)} {
			key = binary.AppendVarint(key, int64(n))
		}
	}
	return string(key)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
