package detect

import (
	"encoding/binary"

	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/sharing"
)

// The same accesses meet in many cells: a method that is called for a thousand
// objects touches the same field of each. What keeps two accesses apart whatever
// the object is asked once for all cells that have the same representatives.

// pairing lists the pairs of representatives that may race, for what the object
// has to say about them, in the order in which they are judged.
type pairing [4][]sidePair

// sidePair is a pair of accesses, of which the first writes; both may be the same.
type sidePair struct {
	w, o *side
	met  answer // see together
}

// together tells whether nothing keeps two accesses apart whatever the object. Most
// pairs are never asked for: their function has a race by then.
func (d *detector) together(p *sidePair) bool {
	if p.met == unasked {
		p.met = no
		if d.separate(p.w, p.o) == racing {
			p.met = yes
		}
	}
	return p.met == yes
}

// noNumber is that of an access which is not as the program has it.
const noNumber sharing.AccessID = -1

// pairsOf returns the pairs of representatives.
func (d *detector) pairsOf(reps []*side) *pairing {
	key := make([]byte, 0, 4*len(reps))
	for _, s := range reps {
		key = binary.LittleEndian.AppendUint32(key, uint32(s.number))
	}
	p, known := d.pairings[string(key)]
	if !known {
		p = d.newPairing(reps)
		d.pairings[string(key)] = p
	}
	return p
}

// newPairing puts pairs of different functions first, for two stacks tell more
// than one; then different ways to the same function, then an access and itself,
// then others of one function.
func (d *detector) newPairing(reps []*side) *pairing {
	p := new(pairing)
	for i, a := range reps {
		for _, b := range reps[i:] {
			kind := 3
			switch {
			case d.funcOf(a) != d.funcOf(b):
				kind = 0
			case a.Inst != b.Inst:
				kind = 1
			case a == b:
				kind = 2
			}
			w, o := a, b
			if !w.Kind.Writes() || o.Kind.Writes() && w.Kind.Atomic() && !o.Kind.Atomic() {
				w, o = o, w
			}
			if d.harmless(w, o, w == o) == racing {
				p[kind] = append(p[kind], sidePair{w: w, o: o})
			}
		}
	}
	return p
}

func (d *detector) funcOf(s *side) link.FuncID { return d.Points.Instances[s.Inst].Func }
