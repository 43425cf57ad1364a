package detect_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/ownership"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
	"github.com/deadheat/deadheat/internal/value"
)

// factsOf runs the engines on prog.ir of a file of testdata/ir.
func factsOf(t *testing.T, file string) detect.Facts {
	t.Helper()
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	units, err := ir.ParseAll(file, string(section(ar, "prog.ir").Data))
	if err != nil {
		t.Fatal(err)
	}
	prog := link.Link(units, nil)
	pts := pointer.Analyze(t.Context(), prog, origin.NewTable(origin.DefaultDepth), []pointer.Root{{Func: prog.Lookup("main")}})
	rs := runs.Analyze(pts)
	f := detect.Facts{Points: pts, Runs: rs, Values: value.Analyze(pts, rs), Locks: lockset.Analyze(pts, rs)}
	f.Sharing = sharing.Analyze(pts, f.Values.Runs)
	f.Order = order.Analyze(pts, rs, f.Locks, f.Values)
	f.Owners = ownership.Analyze(pts, rs, f.Locks.FuncPaths)
	return f
}

func lineOnly(p detect.Place) string { return fmt.Sprint(p.Line) }

// What Why says of two lines, one example for each thing that keeps accesses
// apart.
func TestWhy(t *testing.T) {
	for _, tt := range []struct {
		file string
		a, b int
		want string
	}{
		{"spawn-order", 2, 4, "one-origin: both are run by main"},
		{"spawn-order", 1, 10, "ordered R-ORDER-1: 1 comes before the start of goroutine child at 3"},
		{"spawn-order", 4, 11, "race"},
		{"spawn-order", 1, 11, "other memory"},
		{"group-wait", 6, 20, "ordered R-ORDER-3: 6 comes after the wait at 4, which waits for the Done at 21"},
		{"group-wait", 7, 22, "race"},
		{"channel", 5, 20, "ordered R-ORDER-3: 5 comes after the receive at 4, which waits for the send at 21"},
		{"channel", 3, 22, "ordered R-ORDER-4: 22 comes after the send at 21, which waits, for want of a buffer, for the receive at 4"},
		{"select", 5, 10, "ordered R-ORDER-3: 5 comes after the select at 4, which waits for the send at 12"},
		{"flag", 3, 20, "ordered R-ORDER-5: 3 comes after the test at 2, which succeeds only after the write of the flag at 21"},
		{"lock-handed", 4, 20, "ordered R-ORDER-6: 4 comes after the lock taken at 3, which waits for the unlock at 21"},
		{"enclosed", 2, 20, "ordered R-ORDER-7: what is started inside a call is waited for before the call returns at 12"},
		{"once", 12, 20, "ordered R-ORDER-8: 12 comes after the Once at 11 has run, in which is 20"},
		{"once", 20, 20, "ordered R-ORDER-8: both are inside the Once at 11, which runs one time only"},
		{"alternatives", 30, 40, "other-start: no run of the program comes to both: it begins with one or the other"},
		{"lock-relative", 21, 21, "lock: both hold s.mu, taken at 20"},
		{"ownership", 11, 21, "owned: at 11 nobody else knows the object yet; it gets out at 4"},
		{"elements", 3, 10, "element: they use different elements, 0 and 1"},
		{"handover", 11, 11, "own-object: every start of goroutine worker at 3 passes an object of its own, made at 1"},
		{"many", 11, 12, "own-instance: every instance of goroutine worker has its own, made at 10 and never handed out"},
	} {
		t.Run(fmt.Sprintf("%s/%d-%d", tt.file, tt.a, tt.b), func(t *testing.T) {
			f := factsOf(t, "../../testdata/ir/"+tt.file+".txtar")
			lines := []detect.Line{{File: "a.ir", Line: tt.a}, {File: "a.ir", Line: tt.b}}
			answer := detect.Why(f, detect.InspectConfig{}, lines)
			if got := verdictText(answer); got != tt.want {
				t.Errorf("got:  %s\nwant: %s", got, tt.want)
			}
		})
	}
}

// verdictText writes the verdicts of an answer, those of mere reads left out.
func verdictText(a detect.Answer) string {
	var out []string
	for _, p := range a.Pairs {
		if p.Race {
			out = append(out, "race")
		}
		for _, v := range p.Verdicts {
			if v.Kind != "reads" {
				out = append(out, strings.TrimSpace(v.Kind+" "+v.Rule)+": "+v.Text.Text(lineOnly))
			}
		}
	}
	if len(a.Pairs) == 0 {
		return "other memory"
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "; ")
}

// Why and detection agree: what is reported is a race to Why, and what is a race
// to Why is reported. What is none has a reason, and an order a rule.
func TestWhyAgrees(t *testing.T) {
	files, err := filepath.Glob("../../testdata/ir/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in testdata/ir: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			f := factsOf(t, file)
			findings, _ := detect.Program(f, detect.Config{})
			ask := func(lines ...detect.Line) detect.Answer {
				return detect.Why(f, detect.InspectConfig{}, lines)
			}
			for _, g := range findings {
				a, b := g.First.Place, g.Second.Place
				answer := ask(detect.Line{File: a.File, Line: a.Line, Col: a.Col}, detect.Line{File: b.File, Line: b.Line, Col: b.Col})
				if !slices.ContainsFunc(answer.Pairs, func(p detect.Pair) bool { return p.Race && p.Reported == g.Fingerprint }) {
					t.Errorf("%s at %d and %d is reported, but to Why it is no race", g.What, a.Line, b.Line)
				}
			}
			for _, l := range accessLines(f) {
				for _, p := range ask(l).Pairs {
					checkPair(t, &p)
				}
			}
		})
	}
}

func checkPair(t *testing.T, p *detect.Pair) {
	where := fmt.Sprintf("%s at %d and %d", p.What, p.First.Place.Line, p.Second.Place.Line)
	switch {
	case p.Race && p.Reported == "":
		t.Errorf("%s: a race that is not reported", where)
	case !p.Race && len(p.Verdicts) == 0:
		t.Errorf("%s: neither a race nor a reason why not", where)
	}
	for _, v := range p.Verdicts {
		if v.Text.Text(lineOnly) == "" || v.Kind == "ordered" && v.Rule == "" {
			t.Errorf("%s: no reason given for %q", where, v.Kind)
		}
	}
}

// accessLines lists the lines of accesses to shared cells.
func accessLines(f detect.Facts) []detect.Line {
	var lines []detect.Line
	for _, c := range f.Sharing.Cells {
		for _, a := range c.Accesses {
			body := f.Points.Body(a.Inst)
			unit := f.Points.Prog.Unit(f.Points.Instances[a.Inst].Func)
			p := body.Pos[a.Instr]
			if l := (detect.Line{File: unit.Files[p.File].Path, Line: int(p.Line)}); p.IsValid() && !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// Origins are listed with their parents and the reason for being many.
func TestOrigins(t *testing.T) {
	f := factsOf(t, "../../testdata/ir/many.txtar")
	nodes := detect.Origins(detect.Facts{Points: f.Points, Runs: f.Runs}, detect.InspectConfig{})
	if len(nodes) != 2 {
		t.Fatalf("%d origins, want 2", len(nodes))
	}
	got := fmt.Sprintf("%s %s %v %q", nodes[1].Kind, nodes[1].Name, nodes[1].Parents, nodes[1].Why.Text(lineOnly))
	if want := `goroutine worker [0] "started in a loop"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
