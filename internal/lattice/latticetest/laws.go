// Package latticetest checks the laws of lattices.
package latticetest

import (
	"testing"

	"github.com/deadheat/deadheat/internal/lattice"
)

// Laws checks that join is associative, commutative and idempotent with bottom
// as its identity, and that the transfer functions are monotone, for all
// combinations of the samples. For a finite domain the samples should be all of
// it.
func Laws[E any](t *testing.T, l lattice.Semilattice[E], samples []E, transfers ...func(E) E) {
	t.Helper()
	bottom := l.Bottom()
	for _, a := range samples {
		if !l.Equal(l.Join(a, a), a) {
			t.Errorf("not idempotent: %v", a)
		}
		if !l.Equal(l.Join(a, bottom), a) || !l.Equal(l.Join(bottom, a), a) {
			t.Errorf("bottom is no identity: %v", a)
		}
		for _, b := range samples {
			ab := l.Join(a, b)
			if !l.Equal(ab, l.Join(b, a)) {
				t.Errorf("not commutative: %v, %v", a, b)
			}
			if !lattice.Leq(l, a, ab) || !lattice.Leq(l, b, ab) {
				t.Errorf("join is no upper bound: %v, %v", a, b)
			}
			for _, c := range samples {
				if !l.Equal(l.Join(ab, c), l.Join(a, l.Join(b, c))) {
					t.Errorf("not associative: %v, %v, %v", a, b, c)
				}
			}
			for k, f := range transfers {
				if lattice.Leq(l, a, b) && !lattice.Leq(l, f(a), f(b)) {
					t.Errorf("transfer %d is not monotone: %v, %v", k, a, b)
				}
			}
		}
	}
}
