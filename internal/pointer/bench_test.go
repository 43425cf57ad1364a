package pointer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/ir/irtest"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
)

// classes is a program of so many classes of one superclass. Objects of all of
// them, made in several places, meet in one list, and the methods that each calls on
// what it finds there put more objects into the list.
func classes(tb testing.TB, n int) []*ir.Unit {
	const places = 8
	var b strings.Builder
	b.WriteString("unit main ir\nfile \"a.ir\"\ntype Base struct{next *Base} {\n\tmethod run @Base.run\n}\nglobal $first *Base\n")
	b.WriteString("func[method] @Base.run(v0 b: *Base) {\nb0:\n\tret\n}\n")
	b.WriteString("func @main() {\nb0:\n")
	for i := range n {
		fmt.Fprintf(&b, "\tcall () @make%d()\n", i)
	}
	b.WriteString("\tv0 = load *Base $first\n\tinvoke () v0.run()\n\tret\n}\n")
	for i := range n {
		fmt.Fprintf(&b, "type C%d struct{next *Base; other *C%d} {\n\tsuper Base\n\tmethod run @C%d.run\n}\n", i, (i+1)%n, i)
		fmt.Fprintf(&b, "func @make%d() {\nb0:\n", i)
		for k := range places {
			fmt.Fprintf(&b, "\tv%d = alloc.heap C%d\n\tv%d = cast *Base v%d\n\tstore *Base $first, v%d\n", 2*k, i, 2*k+1, 2*k, 2*k+1)
		}
		b.WriteString("\tret\n}\n")
		fmt.Fprintf(&b, "func[method] @C%d.run(v0 c: *C%d) {\nb0:\n\tv1 = field **Base C%d.next v0\n\tv2 = load *Base $first\n\tstore *Base v1, v2\n", i, i, i)
		fmt.Fprintf(&b, "\tv3 = load *Base v1\n\tinvoke () v3.run()\n\tv4 = cast *C%d v3\n\tv5 = field **C%d C%d.other v0\n\tstore *C%d v5, v4\n\tret\n}\n", (i+1)%n, (i+1)%n, i, (i+1)%n)
	}
	return irtest.Parse(tb, "bench.ir", b.String())
}

// BenchmarkClasses solves a program whose sets have objects of many classes.
func BenchmarkClasses(b *testing.B) {
	units := classes(b, 200)
	b.ReportAllocs()
	for b.Loop() {
		prog := link.Link(units, nil)
		r := pointer.Analyze(b.Context(), prog, origin.NewTable(1), []pointer.Root{{Func: prog.Lookup("main")}})
		if len(r.Instances) < 401 {
			b.Fatalf("%d instances", len(r.Instances))
		}
	}
}
