package lattice_test

import (
	"testing"

	"github.com/deadheat/deadheat/internal/lattice"
	"github.com/deadheat/deadheat/internal/lattice/latticetest"
)

// subsets returns all sets of the numbers below n.
func subsets(n int) [][]int {
	var out [][]int
	for bits := range 1 << n {
		var s []int
		for k := range n {
			if bits>>k&1 != 0 {
				s = append(s, k)
			}
		}
		out = append(out, s)
	}
	return out
}

func TestLaws(t *testing.T) {
	sets := subsets(4)
	latticetest.Laws(t, lattice.May[int]{}, sets)
	must := []lattice.MustSet[int]{{All: true}}
	for _, s := range sets {
		must = append(must, lattice.MustSet[int]{Keys: s})
	}
	latticetest.Laws(t, lattice.Must[int]{}, must)

	// RELAY's relative locksets (section 3.2) are the product of the two.
	relative := lattice.Product[lattice.MustSet[int], []int]{First: lattice.Must[int]{}, Second: lattice.May[int]{}}
	var pairs []lattice.Pair[lattice.MustSet[int], []int]
	for _, m := range must[:9] {
		for _, s := range sets[:8] {
			pairs = append(pairs, lattice.Pair[lattice.MustSet[int], []int]{A: m, B: s})
		}
	}
	latticetest.Laws(t, relative, pairs)
}
