package driver_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
)

// mark is a comment that states what is true of a line:
//
//	// want race "WHAT"      there is a race on WHAT, and it is reported
//	// want race fp "WHAT"   there is none, but one is reported
//	// want none fn "WHAT"   there is a race on WHAT, and it is not reported
//
// A race has two lines; the mark may be on either. WHAT is a part of the
// finding's own words for the memory.
type mark struct {
	file string
	line int
	kind string // "race", "race fp", "none fn"
	what string
	used bool
}

var markRE = regexp.MustCompile(`// want (race fp|race|none fn) "([^"]*)"`)

// TestWant checks the programs in testdata/go against their marks, both ways,
// and prints how precise and how complete the findings are over all of them.
func TestWant(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/go")
	if err != nil {
		t.Fatal(err)
	}
	res, err := driver.Check(context.Background(), driver.Config{Dir: dir, NoTests: false})
	if err != nil {
		t.Fatal(err)
	}
	checkMarks(t, dir, res)
}

// checkMarks compares findings with the marks in the files below a directory.
func checkMarks(t *testing.T, dir string, res *driver.Result) {
	t.Helper()
	for _, n := range res.NotAnalysed {
		t.Errorf("not analysed: %+v", n)
	}
	for _, c := range res.Crashes {
		t.Errorf("%s: %s\n%s", c.Program, c.What, c.Stack)
	}
	marks := readMarks(t, dir)
	at := make(map[string][]*mark)
	for _, m := range marks {
		key := fmt.Sprintf("%s:%d", m.file, m.line)
		at[key] = append(at[key], m)
	}
	for i := range res.Findings {
		f := &res.Findings[i]
		if f.Confidence < detect.Medium {
			continue
		}
		if !matches(dir, f, at) {
			t.Errorf("%s: reported, but no mark says so: %s race on %q with %s", place(dir, f.First.Place), f.Confidence, f.What, place(dir, f.Second.Place))
		}
	}
	var found, falseAlarms, missed int
	for _, m := range marks {
		switch {
		case m.kind == "none fn" && m.used:
			t.Errorf("%s:%d: marked as a miss, but found: remove fn", m.file, m.line)
		case m.kind == "none fn":
			missed++
		case !m.used:
			t.Errorf("%s:%d: want %s %q: not reported", m.file, m.line, m.kind, m.what)
		case m.kind == "race fp":
			falseAlarms++
		default:
			found++
		}
	}
	t.Logf("found %d, known misses %d, known false alarms %d: recall %.0f %%, precision %.0f %%",
		found, missed, falseAlarms, percent(found, found+missed), percent(found, found+falseAlarms))
}

func percent(n, of int) float64 {
	if of == 0 {
		return 100
	}
	return 100 * float64(n) / float64(of)
}

// matches uses up the marks on the two lines of a finding.
func matches(dir string, f *detect.Finding, at map[string][]*mark) bool {
	ok := false
	for _, p := range []detect.Place{f.First.Place, f.Second.Place} {
		for _, m := range at[place(dir, p)] {
			if strings.Contains(f.What, m.what) {
				m.used = true
				ok = ok || m.kind != "none fn"
			}
		}
	}
	return ok
}

func place(dir string, p detect.Place) string {
	file := p.File
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) {
		file = rel
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(file), p.Line)
}

func readMarks(t *testing.T, dir string) []*mark {
	var marks []*mark
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".java") {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		rel, _ := filepath.Rel(dir, path)
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			for _, m := range markRE.FindAllStringSubmatch(lines.Text(), -1) {
				marks = append(marks, &mark{file: filepath.ToSlash(rel), line: n, kind: m[1], what: m[2]})
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return marks
}
