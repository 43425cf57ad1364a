package lattice

import (
	"cmp"
	"slices"
)

// Semilattice is a domain of facts. Join must be associative, commutative and
// idempotent, with Bottom as its identity; Equal must agree with it.
type Semilattice[E any] interface {
	Bottom() E // no way leads here
	Join(a, b E) E
	Equal(a, b E) bool
}

// Leq tells whether a says at least as much as b: whether b is what both join
// to.
func Leq[E any](l Semilattice[E], a, b E) bool { return l.Equal(l.Join(a, b), b) }

// May is the domain of sets whose members hold on some way: more is greater,
// join is union. Sets are sorted.
type May[K cmp.Ordered] struct{}

func (May[K]) Bottom() []K { return nil }

func (May[K]) Join(a, b []K) []K {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

func (May[K]) Equal(a, b []K) bool { return slices.Equal(a, b) }

// MustSet is a set whose members hold on every way, or everything.
type MustSet[K cmp.Ordered] struct {
	All  bool // nothing leads here: every fact holds
	Keys []K  // sorted; empty if All
}

// Must is the domain of such sets: fewer is greater, join is intersection.
type Must[K cmp.Ordered] struct{}

func (Must[K]) Bottom() MustSet[K] { return MustSet[K]{All: true} }

func (Must[K]) Join(a, b MustSet[K]) MustSet[K] {
	switch {
	case a.All:
		return b
	case b.All:
		return a
	}
	var out []K
	for _, k := range a.Keys {
		if _, ok := slices.BinarySearch(b.Keys, k); ok {
			out = append(out, k)
		}
	}
	return MustSet[K]{Keys: out}
}

func (Must[K]) Equal(a, b MustSet[K]) bool { return a.All == b.All && slices.Equal(a.Keys, b.Keys) }

// Pair is an element of a Product.
type Pair[A, B any] struct {
	A A
	B B
}

// Product joins two domains side by side.
type Product[A, B any] struct {
	First  Semilattice[A]
	Second Semilattice[B]
}

func (p Product[A, B]) Bottom() Pair[A, B] { return Pair[A, B]{p.First.Bottom(), p.Second.Bottom()} }

func (p Product[A, B]) Join(a, b Pair[A, B]) Pair[A, B] {
	return Pair[A, B]{p.First.Join(a.A, b.A), p.Second.Join(a.B, b.B)}
}

func (p Product[A, B]) Equal(a, b Pair[A, B]) bool {
	return p.First.Equal(a.A, b.A) && p.Second.Equal(a.B, b.B)
}
