package detect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/summary"
)

// TestLibrary summarises programs in IR text and gives the library verdict on
// them. Each file of testdata/ir/library holds prog.ir and the sections it wants
// compared: want/summary, want/library. Its head comment names the rule tested.
func TestLibrary(t *testing.T) {
	files, err := filepath.Glob("../../testdata/ir/library/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in testdata/ir/library: %v", err)
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
			got := library(t, file, string(prog.Data), 1)
			if again := library(t, file, string(prog.Data), 4); again["summary"] != got["summary"] || again["library"] != got["library"] {
				t.Error("the result depends on the number of jobs")
			}
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

// library summarises a program and prints summaries and verdict.
func library(t *testing.T, file, src string, jobs int) map[string]string {
	units, err := ir.ParseAll(file, src)
	if err != nil {
		t.Fatal(err)
	}
	docs, places := map[string]bool{}, map[string]detect.Documentation{}
	for _, u := range units {
		if err := ir.Check(u); err != nil {
			t.Fatal(err)
		}
		for _, a := range u.Annotations {
			if a.Text == "concurrent" || a.Text == "concurrent with exceptions" {
				docs[a.Target] = true
				places[a.Target] = detect.Documentation{Place: detect.Place{File: "a.ir", Line: 1}, Qualified: a.Text != "concurrent"}
			}
		}
	}
	all := func(string) bool { return true }
	set, err := summary.Summarise(t.Context(), link.Link(units, nil), summary.Config{InScope: all, Summarise: all, Documented: docs, KeepAll: true, Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range set.Funcs {
		b.WriteString(set.Format(f))
	}
	findings := detect.Library(set, detect.LibraryConfig{Documented: places, Handlers: map[string]bool{"ServeHTTP": true}})
	return map[string]string{"summary": b.String(), "library": verdict(findings)}
}

// verdict prints findings, one to a line, followed by the guard and by what
// lowers the confidence.
func verdict(findings []detect.Finding) string {
	var b strings.Builder
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(&b, "%s %s %s: %s, %s\n", f.Confidence, f.Rule, f.What, sideText(&f.First), sideText(&f.Second))
		for _, r := range f.Reasons {
			if r.Kind == "lowers" || r.Kind == "guard" || r.Kind == "concurrent" {
				fmt.Fprintf(&b, "\t%s: %s\n", r.Kind, r.Text)
			}
		}
	}
	return b.String()
}

func sideText(a *detect.Access) string {
	s := fmt.Sprintf("%s in %s:%d", a.Kind, a.Function, a.Place.Line)
	for _, l := range a.Locks {
		s += " under " + l.Name
		if l.Shared {
			s += " shared"
		}
	}
	return s
}
