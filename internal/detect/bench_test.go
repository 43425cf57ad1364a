package detect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/ir/irtest"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/ownership"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
	"github.com/deadheat/deadheat/internal/summary"
	"github.com/deadheat/deadheat/internal/value"
)

// benchProgram is a program of n origins that work on a chain of objects: each
// has a lock, a counter under it, a flag that another origin sets, and a field
// that nothing protects. Functions are exported, so that it is a library too.
func benchProgram(tb testing.TB, n int) []*ir.Unit {
	var b strings.Builder
	b.WriteString("unit main ir\nfile \"a.ir\"\ntype Node struct{mu int; n int; m int; flag int; next *Node}\nglobal $first *Node\nglobal $once int\nglobal $table int\n")
	b.WriteString("func @fill() {\nb0:\n\tstore int $table, 1:int ; 1:1\n\tret\n}\n")
	b.WriteString("func[exported] @main() {\nb0:\n\tv0 = alloc.heap Node ; 2:1\n\tstore *Node $first, v0 ; 2:2\n")
	for i := range n {
		fmt.Fprintf(&b, "\tv%d = alloc.heap Node ; %d:1\n\tcall () @link(v%d, v%d) ; %d:2\n\tspawn call () @work%d(v%d) ; %d:3\n", i+1, i+3, i, i+1, i+3, i, i+1, i+3)
	}
	b.WriteString("\tret\n}\n")
	b.WriteString("func[exported] @link(v0 a: *Node, v1 b: *Node) {\nb0:\n\tv2 = field **Node Node.next v1 ; 1000:1\n\tstore *Node v2, v0 ; 1000:2\n\tret\n}\n")
	b.WriteString("func[exported] @bump(v0 s: *Node) {\nb0:\n\tv1 = field *int Node.mu v0 ; 1001:1\n\tlock.excl v1 ; 1001:2\n\tv2 = field *int Node.n v0 ; 1002:1\n" +
		"\tv3 = load int v2 ; 1002:2\n\tv4 = binary.add int v3, 1:int\n\tstore int v2, v4 ; 1002:3\n\tunlock.excl v1 ; 1003:1\n\tret\n}\n")
	for i := range n {
		at := 2000 + 100*i
		fmt.Fprintf(&b, "func[exported] @work%d(v0 s: *Node) {\nb0:\n\tonce () $once, @fill ; %d:1\n\tv1 = load int $table ; %d:2\n\tcall () @bump(v0) ; %d:1\n", i, at, at, at+1)
		fmt.Fprintf(&b, "\tv2 = field **Node Node.next v0 ; %d:1\n\tv3 = load *Node v2 ; %d:2\n\tcall () @bump(v3) ; %d:1\n", at+2, at+2, at+3)
		fmt.Fprintf(&b, "\tv4 = field *int Node.m v3 ; %d:1\n\tstore int v4, %d:int ; %d:2\n", at+4, i, at+4)
		fmt.Fprintf(&b, "\tv5 = field *int Node.flag v3 ; %d:1\n\tatomic.store int seqcst v5, 1:int ; %d:2\n", at+5, at+5)
		fmt.Fprintf(&b, "\tv6 = field *int Node.flag v0 ; %d:1\n\tv7 = atomic.load int seqcst v6 ; %d:2\n\tv8 = binary.eq bool v7, 1:int\n\tif v8 b1 b2\nb1: preds b0\n", at+6, at+6)
		fmt.Fprintf(&b, "\tv9 = field *int Node.m v0 ; %d:1\n\tv10 = load int v9 ; %d:2\n", at+7, at+7)
		if i+1 < n {
			fmt.Fprintf(&b, "\tcall () @work%d(v3) ; %d:1\n", i+1, at+8)
		}
		b.WriteString("\tjump b2\nb2: preds b0 b1\n\tret\n}\n")
	}
	return irtest.Parse(tb, "bench.ir", b.String())
}

// BenchmarkStages runs the stages of the program verdict, each on what those
// before it found.
func BenchmarkStages(b *testing.B) {
	units := benchProgram(b, 24)
	var prog *link.Program
	var f detect.Facts
	for _, stage := range []struct {
		name string
		do   func()
	}{
		{"link", func() { link.Link(units, nil) }},
		{"points-to", func() {
			prog = link.Link(units, nil) // each solution numbers functions anew
			f.Points = pointer.Analyze(b.Context(), prog, origin.NewTable(origin.DefaultDepth), []pointer.Root{{Func: prog.Lookup("main")}})
		}},
		{"runs", func() { f.Runs = runs.Analyze(f.Points) }},
		{"values", func() { f.Values = value.Analyze(f.Points, f.Runs) }},
		{"sharing", func() { f.Sharing = sharing.Analyze(f.Points, f.Values.Runs) }},
		{"locks", func() { f.Locks = lockset.Analyze(f.Points, f.Runs) }},
		{"order", func() { f.Order = order.Analyze(f.Points, f.Runs, f.Locks, f.Values) }},
		{"owners", func() { f.Owners = ownership.Analyze(f.Points, f.Runs, f.Locks.FuncPaths) }},
		// Locks and order answer when asked: what they find out counts here.
		{"detect", func() {
			f.Locks = lockset.Analyze(f.Points, f.Runs)
			f.Order = order.Analyze(f.Points, f.Runs, f.Locks, f.Values)
			f.Owners = ownership.Analyze(f.Points, f.Runs, f.Locks.FuncPaths)
			if list, _ := detect.Program(f, detect.Config{}); len(list) == 0 {
				b.Fatal("no findings")
			}
		}},
	} {
		stage.do() // also if the benchmark is not asked for: the next one needs it
		b.Run(stage.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				stage.do()
			}
		})
	}
}

// BenchmarkLibrary summarises a library and gives its verdict.
func BenchmarkLibrary(b *testing.B) {
	units := benchProgram(b, 24)
	all := func(string) bool { return true }
	summarise := func() *summary.Set {
		set, err := summary.Summarise(b.Context(), link.Link(units, nil), summary.Config{InScope: all, Summarise: all, KeepAll: true})
		if err != nil {
			b.Fatal(err)
		}
		return set
	}
	b.Run("summaries", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			summarise()
		}
	})
	set := summarise()
	b.Run("verdict", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if len(detect.Library(set, detect.LibraryConfig{})) == 0 {
				b.Fatal("no findings")
			}
		}
	})
}
