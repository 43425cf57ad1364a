package lockset_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/ir/irtest"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// layers is a program of layers of functions. Each calls all of the next layer, some
// under a global lock, some under one of its parameter.
func layers(tb testing.TB, depth, width int) []*ir.Unit {
	var b strings.Builder
	b.WriteString("unit main ir\nfile \"a.ir\"\ntype T struct{mu int; n int}\n")
	b.WriteString("func @main() {\nb0:\n\tv0 = alloc.heap T\n")
	for k := range width {
		fmt.Fprintf(&b, "\tcall () @f0x%d(v0)\n", k)
	}
	b.WriteString("\tret\n}\n")
	for i := range depth {
		for k := range width {
			fmt.Fprintf(&b, "global $mu%dx%d int\nfunc @f%dx%d(v0 t: *T) {\nb0:\n", i, k, i, k)
			lock := fmt.Sprintf("$mu%dx%d", i, k)
			if k%2 == 1 {
				b.WriteString("\tv1 = field *int T.mu v0\n")
				lock = "v1"
			}
			fmt.Fprintf(&b, "\tlock.excl %s\n", lock)
			for next := 0; next < width && i+1 < depth; next++ {
				fmt.Fprintf(&b, "\tcall () @f%dx%d(v0)\n", i+1, next)
			}
			fmt.Fprintf(&b, "\tunlock.excl %s\n\tret\n}\n", lock)
		}
	}
	return irtest.Parse(tb, "bench.ir", b.String())
}

func pointsTo(tb testing.TB, units []*ir.Unit) *pointer.Result {
	prog := link.Link(units, nil)
	return pointer.Analyze(tb.Context(), prog, origin.NewTable(1), []pointer.Root{{Func: prog.Lookup("main")}})
}

// TestLayers asks what the functions of a layer hold: what main's callees have taken
// is surely held by none of the next layer, as they take different locks.
func TestLayers(t *testing.T) {
	pts := pointsTo(t, layers(t, 3, 2))
	r := lockset.Analyze(pts, runs.Analyze(pts))
	for i := range pts.Instances {
		id := pointer.InstID(i)
		name := pts.Prog.Func(pts.Instances[i].Func).Symbol
		var got []string
		for _, l := range r.At(id, 0) {
			s := r.Name(id, l)
			if l.Maybe {
				s += "?"
			}
			got = append(got, s)
		}
		want := map[string]string{"f1x0": "mu0x0? t.mu?", "f1x1": "mu0x0? t.mu?", "f2x0": "mu0x0? t.mu? mu1x0?", "f2x1": "mu0x0? t.mu? mu1x0?"}[name]
		if strings.Join(got, " ") != want {
			t.Errorf("%s holds %v at entry, want %s", name, got, want)
		}
	}
}

// BenchmarkLayers finds what instances hold that are called from many places.
func BenchmarkLayers(b *testing.B) {
	pts := pointsTo(b, layers(b, 12, 12))
	rs := runs.Analyze(pts)
	b.ReportAllocs()
	for b.Loop() {
		lockset.Analyze(pts, rs)
	}
}
