package pointer

import "github.com/deadheat/deadheat/internal/link"

// apply derives what a constraint says of addresses newly at its base.
func (s *solver) apply(c *complex, d *Set) {
	switch c.kind {
	case tLoad:
		for _, row := range d.chunks {
			s.eachSlot(row, c.aux, func(n Node) { s.edge(n, c.other) })
		}
	case tStore:
		for _, row := range d.chunks {
			s.eachSlot(row, c.aux, func(n Node) { s.edge(c.other, n) })
		}
	case tGep:
		s.chosen.chunks = s.chosen.chunks[:0]
		for _, row := range d.chunks {
			if key, ok := s.pages.moved(row.key, c.aux); ok {
				s.chosen.chunks = append(s.chosen.chunks, chunk{key, row.bits})
			}
		}
		s.pass(s.find(c.other), &s.chosen)
	case tUnbox:
		for _, row := range d.chunks {
			if p, _ := s.pages.row(row.key); p.kind == ObjectBox && p.typ == link.TypeID(c.aux) {
				s.eachObject(p, row.bits, func(o *Object) { s.edge(o.Base+Node(c.aux2), c.other) })
			}
		}
	case tFilter, tSame, tClass:
		s.chosen.chunks = s.chosen.chunks[:0]
		for _, row := range d.chunks {
			if s.passes(c, row.key) {
				s.chosen.chunks = append(s.chosen.chunks, row)
			}
		}
		s.pass(s.find(c.other), &s.chosen)
	case tCall:
		t := s.templates[s.instances[c.inst].Func]
		desc := &t.calls[c.aux]
		for _, row := range d.chunks {
			s.dispatch(c.inst, desc, c.aux, row)
		}
	}
}

// passes tells whether a constraint lets the addresses of a row through.
func (s *solver) passes(c *complex, key uint32) bool {
	p, slot := s.pages.row(key)
	t := link.TypeID(c.aux)
	switch c.kind {
	case tFilter:
		return p.kind == ObjectBox && s.prog.Implements(p.typ, t)
	case tSame:
		return slot == 0 && p.typ == t
	}
	return p.kind != ObjectCell && p.kind != ObjectValue || slot != 0 || !s.prog.IsClass(p.typ) || s.prog.Extends(p.typ, t)
}
