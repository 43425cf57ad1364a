package pointer

import (
	"math/rand"
	"strconv"
	"testing"
)

// TestSet compares sets with plain maps under random operations.
func TestSet(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for round := 0; round < 200; round++ {
		var s, other Set
		ref, otherRef := map[Node]bool{}, map[Node]bool{}
		span := int32(1 + rng.Intn(2000))
		for op := 0; op < 100; op++ {
			n := Node(rng.Int31n(span))
			switch rng.Intn(3) {
			case 0:
				if got := s.Add(n); got == ref[n] {
					t.Fatalf("Add(%d) = %v", n, got)
				}
				ref[n] = true
			case 1:
				other.Add(n)
				otherRef[n] = true
			case 2:
				var fresh Set
				changed := s.AddAll(&other, &fresh)
				want := 0
				for m := range otherRef {
					if !ref[m] {
						want++
						if !fresh.Has(m) {
							t.Fatalf("AddAll: %d is new but not in fresh", m)
						}
						ref[m] = true
					}
				}
				if fresh.Len() != want || changed != (want > 0) {
					t.Fatalf("AddAll: %d fresh, changed %v; want %d", fresh.Len(), changed, want)
				}
			}
			check(t, &s, ref)
		}
	}
}

func check(t *testing.T, s *Set, ref map[Node]bool) {
	t.Helper()
	if s.Len() != len(ref) || s.Empty() != (len(ref) == 0) {
		t.Fatalf("Len = %d, want %d", s.Len(), len(ref))
	}
	for lo := Node(len(ref)); lo < 2000; lo += 331 {
		for _, hi := range []Node{lo + 1, lo + 3, lo + 64, lo + 100} {
			want := false
			for n := lo; n < hi; n++ {
				want = want || ref[n]
			}
			if got := s.hasBetween(lo, hi); got != want {
				t.Fatalf("from %d below %d: %v, want %v", lo, hi, got, want)
			}
		}
	}
	last := Node(-1)
	s.Each(func(n Node) bool {
		if n <= last || !ref[n] || !s.Has(n) {
			t.Fatalf("element %d after %d, wanted: %v", n, last, ref[n])
		}
		last = n
		return true
	})
	if n, ok := s.Single(); ok != (len(ref) == 1) || ok && !ref[n] {
		t.Fatalf("Single = %d, %v with %d elements", n, ok, len(ref))
	}
}

// BenchmarkAddAll adds sets of several sizes to a large one that has most of their
// elements, as the solver does nearly always.
func BenchmarkAddAll(b *testing.B) {
	var large Set
	for i := range 6000 {
		large.Add(Node(97 * i))
	}
	for _, n := range []int{1, 30, 1000, 6000} {
		var few Set
		for i := range n {
			few.Add(Node(97 * ((i+1)*(6000/n) - 1)))
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			var fresh Set
			for b.Loop() {
				if large.AddAll(&few, &fresh) {
					b.Fatal("something is new")
				}
			}
		})
	}
}
