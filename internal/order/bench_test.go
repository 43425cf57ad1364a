package order_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/ir/irtest"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/value"
)

// events is a program that hands events of so many kinds through layers of
// functions, each of which starts something for one kind and passes it on to all
// functions of the next layer.
func events(tb testing.TB, kinds, depth, width int) []*ir.Unit {
	var b strings.Builder
	b.WriteString("unit main ir\nfile \"a.ir\"\nglobal $n int\nfunc @work() {\nb0:\n\tstore int $n, 1:int\n\tret\n}\n")
	b.WriteString("func @main() {\nb0:\n")
	for k := range kinds {
		fmt.Fprintf(&b, "\tcall () @f0x%d(%d:int)\n", k%width, k)
	}
	b.WriteString("\tret\n}\n")
	for i := range depth {
		for k := range width {
			fmt.Fprintf(&b, "func @f%dx%d(v0 kind: int) {\nb0:\n\tv1 = binary.eq bool v0, %d:int\n\tif v1 b1 b2\nb1: preds b0\n\tspawn call () @work()\n\tjump b2\nb2: preds b0 b1\n", i, k, (i*width+k)%kinds)
			for next := 0; next < width && i+1 < depth; next++ {
				fmt.Fprintf(&b, "\tcall () @f%dx%d(v0)\n", i+1, next)
			}
			b.WriteString("\tret\n}\n")
		}
	}
	return irtest.Parse(tb, "bench.ir", b.String())
}

// BenchmarkEvents finds out what may have been started behind a call that passes
// the kind of an event.
func BenchmarkEvents(b *testing.B) {
	prog := link.Link(events(b, 40, 8, 8), nil)
	pts := pointer.Analyze(b.Context(), prog, origin.NewTable(1), []pointer.Root{{Func: prog.Lookup("main")}})
	rs := runs.Analyze(pts)
	locks := lockset.Analyze(pts, rs)
	main := runs.Point{Inst: 0, Instr: 39}
	b.ReportAllocs()
	for b.Loop() {
		// Values remember what they have been asked.
		r := order.Analyze(pts, rs, locks, value.Analyze(pts, rs))
		r.Moment(main) // origins are solved when they are asked for
	}
}
