package shuffle

import (
	"slices"
	"testing"
)

// Whatever the build, a list keeps its elements.
func TestKeepsElements(t *testing.T) {
	for n := range 40 {
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		want := slices.Clone(list)
		All(list)
		Front(list)
		Back(list)
		slices.Sort(list)
		if !slices.Equal(list, want) {
			t.Fatalf("%d elements became %v", n, list)
		}
	}
}
