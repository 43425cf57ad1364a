package detect_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir/irtest"
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

var update = flag.Bool("update", false, "rewrite the want/ sections")

// TestEngines runs the engines on programs in IR text. Each file of
// testdata/ir holds prog.ir, whose entry is @main, and the sections it wants
// compared: want/origins, want/calls, want/shared, want/races. With a section
// budget, origins are taken together so that there are no more instances.
func TestEngines(t *testing.T) {
	files, err := filepath.Glob("../../testdata/ir/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in testdata/ir: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(ar.Comment) == 0 {
				t.Error("the head comment must say what is tested")
			}
			prog := section(ar, "prog.ir")
			if prog == nil {
				t.Fatal("no prog.ir")
			}
			budget := 0
			if f := section(ar, "budget"); f != nil {
				if budget, err = strconv.Atoi(strings.TrimSpace(string(f.Data))); err != nil {
					t.Fatal(err)
				}
			}
			got := analyse(t, file, string(prog.Data), budget)
			changed := false
			for i := range ar.Files {
				f := &ar.Files[i]
				name, ok := strings.CutPrefix(f.Name, "want/")
				if !ok {
					continue
				}
				text, known := got[name]
				if !known {
					t.Fatalf("no such section: %s", f.Name)
				}
				if text != string(f.Data) {
					if *update {
						f.Data, changed = []byte(text), true
						continue
					}
					t.Errorf("%s:\n got:\n%s want:\n%s", f.Name, text, f.Data)
				}
			}
			if changed {
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func section(ar *txtar.Archive, name string) *txtar.File {
	for i := range ar.Files {
		if ar.Files[i].Name == name {
			return &ar.Files[i]
		}
	}
	return nil
}

// analyse runs all engines and prints what each found. A budget of 0 is none.
func analyse(t *testing.T, file, src string, budget int) map[string]string {
	prog := link.Link(irtest.Parse(t, file, src), nil)
	main := prog.Lookup("main")
	if main == link.None {
		t.Fatal("no function @main")
	}
	var pts *pointer.Result
	if roots := []pointer.Root{{Func: main}}; budget > 0 {
		plan := pointer.Survey(t.Context(), budget, prog, roots)
		pts = pointer.AnalyzeBy(t.Context(), plan, prog, origin.NewTable(1), roots)
	} else {
		pts = pointer.Analyze(t.Context(), prog, origin.NewTable(origin.DefaultDepth), roots)
	}
	rs := runs.Analyze(pts)
	values := value.Analyze(pts, rs)
	facts := detect.Facts{Points: pts, Runs: rs, Sharing: sharing.Analyze(pts, values.Runs), Locks: lockset.Analyze(pts, rs), Values: values}
	facts.Order = order.Analyze(pts, rs, facts.Locks, values)
	facts.Owners = ownership.Analyze(pts, rs, facts.Locks.FuncPaths)
	findings, _ := detect.Program(facts, detect.Config{})
	return map[string]string{
		"origins": origins(pts),
		"calls":   calls(pts),
		"shared":  shared(facts),
		"races":   races(findings),
	}
}

func origins(pts *pointer.Result) string {
	var b strings.Builder
	for _, o := range pts.Origins.List {
		var names []string
		for _, f := range o.Entries {
			names = append(names, pts.Prog.Func(f).Symbol)
		}
		sort.Strings(names)
		if len(names) == 0 {
			names = []string{"main"}
		}
		fmt.Fprintf(&b, "%s", strings.Join(names, " "))
		if o.Many {
			b.WriteString(" many")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func calls(pts *pointer.Result) string {
	var lines []string
	for i := range pts.Instances {
		for _, e := range pts.Instances[i].Calls {
			lines = append(lines, fmt.Sprintf("%s -> %s%s\n", pts.Prog.Func(pts.Instances[i].Func).Symbol,
				[]string{"", "defer ", "spawn "}[e.How], pts.Prog.Func(pts.Instances[e.Target].Func).Symbol))
		}
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

func shared(f detect.Facts) string {
	var lines []string
	for _, c := range f.Sharing.Cells {
		o := &f.Points.Objects[c.Object]
		name := o.Kind.String()
		if o.Kind == pointer.ObjectGlobal {
			name = f.Points.Prog.Global(o.Global).Symbol
		}
		line := name + f.Points.Prog.SlotName(o.Type, c.Slot) + ":"
		for _, a := range c.Accesses {
			line += fmt.Sprintf(" %s/%s", f.Points.Prog.Func(f.Points.Instances[a.Inst].Func).Symbol, detect.AccessKind(a.Kind))
		}
		lines = append(lines, line+"\n")
	}
	sort.Strings(lines)
	return strings.Join(lines, "")
}

func races(list []detect.Finding) string {
	var b strings.Builder
	for _, f := range list {
		fmt.Fprintf(&b, "%s %s %s: %s, %s\n", f.Confidence, f.Rule, f.What, accessText(f.First), accessText(f.Second))
	}
	return b.String()
}

func accessText(a detect.Access) string {
	s := fmt.Sprintf("%s in %s:%d", a.Kind, a.Symbol, a.Place.Line)
	for _, l := range a.Locks {
		mode := ""
		if l.Shared {
			mode = " shared"
		}
		s += " under " + l.Name + mode
	}
	return s
}
