package pointer

import (
	"math/bits"

	"github.com/deadheat/deadheat/internal/link"
)

// While a program is being solved, sets hold addresses, not nodes. Objects of one
// kind and type are on pages of 64, and the same slot of all objects of a page is a
// row of addresses: one chunk of a set. So what a constraint says by type, or moves
// by slots, it does to 64 addresses at a time, and sets are small, for what meets in
// one set is of few types.

// addr is an address: the number of a row and, in the lowest six bits, which object
// of the page it is a slot of. Sets take it as a Node.
type addr = Node

// kindOfPage is what the objects of a page have in common.
type kindOfPage struct {
	kind ObjectKind
	size int32
	typ  link.TypeID
	fn   link.FuncID // of function values
}

// page is up to 64 objects of a kind.
type page struct {
	kindOfPage
	first   uint32      // row of slot 0; those of the others follow
	ref     link.TypeID // of references to the objects, once asked for
	objects []ObjectID
}

// pageTable holds the pages.
type pageTable struct {
	list []page
	open map[kindOfPage]int32 // the page that has room
	rows []int32              // by row: its page
}

// place gives an object a place on a page and returns its address.
func (t *pageTable) place(o *Object, id ObjectID) addr {
	k := kindOfPage{kind: o.Kind, size: o.Size, typ: o.Type, fn: o.Func}
	n, ok := t.open[k]
	if !ok || len(t.list[n].objects) == 64 {
		n = int32(len(t.list))
		t.open[k] = n
		t.list = append(t.list, page{kindOfPage: k, first: uint32(len(t.rows))})
		for range o.Size {
			t.rows = append(t.rows, n)
		}
	}
	p := &t.list[n]
	p.objects = append(p.objects, id)
	return addr(p.first<<6 + uint32(len(p.objects)-1))
}

// row returns the page and the slot of a row.
func (t *pageTable) row(key uint32) (*page, int32) {
	p := &t.list[t.rows[key]]
	return p, int32(key - p.first)
}

// object returns the object that an address leads to, and the slot.
func (t *pageTable) object(a addr) (ObjectID, int32) {
	p, slot := t.row(uint32(a) >> 6)
	return p.objects[a&63], slot
}

// moved returns the row that is so many slots after one, if the objects have it.
func (t *pageTable) moved(key uint32, by int32) (uint32, bool) {
	p, slot := t.row(key)
	slot += by
	return p.first + uint32(slot), slot >= 0 && slot < p.size
}

// eachSlot calls f with the node of every slot that the addresses of a chunk lead
// to, moved by slots within the object.
func (s *solver) eachSlot(c chunk, by int32, f func(Node)) {
	p, slot := s.pages.row(c.key)
	slot += by
	if slot < 0 || slot >= p.size {
		return
	}
	s.eachObject(p, c.bits, func(o *Object) { f(o.Base + Node(slot)) })
}

// eachObject calls f for objects of a page.
func (s *solver) eachObject(p *page, which uint64, f func(*Object)) {
	objects := p.objects // pages may be added meanwhile
	for ; which != 0; which &= which - 1 {
		f(&s.objects[objects[bits.TrailingZeros64(which)]])
	}
}
