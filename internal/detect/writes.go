package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// maxWritten bounds the places that a write may be to for it to be listed with
// each of them.
const maxWritten = 64

// writes lists, for every place in memory, what writes it.
type writes struct {
	at  map[pointer.Node][]runs.Point
	far []uint64 // the places that something writes which may write many, as a bit set
}

// stores returns the instructions that write a place. ok is false if something
// else may write it than stores of a value.
func (d *detector) stores(n pointer.Node) (list []runs.Point, ok bool) {
	list, ok = d.writersAt(n)
	for _, p := range list {
		ok = ok && d.Points.Body(p.Inst).Instrs[p.Instr].Op == ir.OpStore
	}
	return list, ok
}

// writersAt returns the instructions that write a place. ok is false if they are
// not all known.
func (d *detector) writersAt(n pointer.Node) (list []runs.Point, ok bool) {
	if d.written == nil {
		d.findWrites()
	}
	k := int(n >> 6)
	return d.written.at[n], k >= len(d.written.far) || d.written.far[k]&(1<<(uint(n)&63)) == 0
}

func (d *detector) findWrites() {
	d.written = &writes{at: make(map[pointer.Node][]runs.Point)}
	accesses := sharing.NewAccesses(d.Points)
	for i := range d.Points.Instances {
		accesses.Of(pointer.InstID(i), func(a sharing.Access, first pointer.Node, n int32) {
			if !a.Kind.Writes() {
				return
			}
			far := a.Far || d.Points.PointsTo(a.Inst, a.Addr, 0).Len() > maxWritten
			for k := range pointer.Node(n) {
				if at := first + k; far {
					d.written.spoil(at)
				} else {
					d.written.at[at] = append(d.written.at[at], runs.Point{Inst: a.Inst, Instr: a.Instr})
				}
			}
		})
	}
}

func (w *writes) spoil(n pointer.Node) {
	for int(n>>6) >= len(w.far) {
		w.far = append(w.far, 0)
	}
	w.far[n>>6] |= 1 << (uint(n) & 63)
}
