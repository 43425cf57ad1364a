package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/deadheat/deadheat/bench/internal/corpus"
	"github.com/deadheat/deadheat/bench/internal/process"
	"github.com/deadheat/deadheat/internal/ir"
)

// TestMain lets the test binary be the processes that are measured.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(context.Background(), os.Args[2:]))
	}
	os.Exit(m.Run())
}

// tree writes a small program that can be edited.
func tree(t *testing.T) *corpus.Tree {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":       "module m\n\ngo 1.26\n",
		"main.go":      "package main\n\nimport \"m/edit\"\n\nvar x int\n\nfunc main() {\n\tgo func() { x = edit.F() }()\n\tx = 2\n}\n",
		"edit/edit.go": "package edit\n\nfunc F() int { return 1 }\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return &corpus.Tree{Dir: dir, Corpus: corpus.Corpus{
		Name: "small", Package: "m", Edit: corpus.Edit{File: "edit.go", Func: "F"},
	}}
}

func TestMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the runtime several times")
	}
	var out strings.Builder
	set := &settings{dir: t.TempDir(), runs: 1, timeout: time.Minute, steps: "reference,load,check", out: &out, log: func(string) {}}
	if ok, err := measure(t.Context(), tree(t), set); !ok || err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	packages := regexp.MustCompile(`load cold .* (\d+) packages, 0 from the cache`).FindStringSubmatch(out.String())
	if packages == nil {
		t.Fatalf("no cold load in\n%s", out.String())
	}
	for _, want := range []string{
		`reference-gc +\d+\.\d+ `,
		`reference +\d+\.\d+ +\d+\.\d+ +\d+ +- +- +- `,
		`load warm .* ` + packages[1] + ` packages, ` + packages[1] + ` from the cache`,
		`check cold .* exit code 1, 1 findings`,
		`check edited .* exit code 1, 1 findings`,
		`bar (kept|OVER): \d+\.\d+ of 0\.10: processor time of a warm load`,
		`counters: ` + packages[1] + ` units, \d+ functions, \d+ instructions, \d+ bytes\n`,
	} {
		if !regexp.MustCompile(want).MatchString(out.String()) {
			t.Errorf("no %s in\n%s", want, out.String())
		}
	}
	out.Reset()
	set.check = true
	if ok, err := measure(t.Context(), tree(t), set); !ok || err != nil || !strings.Contains(out.String(), " 0 failures") {
		t.Errorf("%v\n%s", err, out.String())
	}
	if left, err := os.ReadDir(set.dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestMedians(t *testing.T) {
	at := func(seconds int, err error) []*step {
		return []*step{{kind: "load", usage: process.Usage{CPU: time.Duration(seconds) * time.Second}, err: err}}
	}
	if got := medians([][]*step{at(9, nil), at(1, nil), at(2, nil)}); got[0].usage.CPU != 2*time.Second {
		t.Errorf("median of 9, 1 and 2 is %v", got[0].usage.CPU)
	}
	if got := medians([][]*step{at(1, nil), at(2, errors.New("no")), at(3, nil)}); got[0].err == nil {
		t.Error("a failure is lost")
	}
}

func TestBars(t *testing.T) {
	run := func(reference, cold, warm int) []*step {
		at := func(kind, state string, seconds int) *step {
			return &step{kind: kind, state: state, usage: process.Usage{CPU: time.Duration(seconds) * time.Second}}
		}
		return []*step{at("reference", "", reference), at("load", "cold", cold), at("load", "warm", warm)}
	}
	var out strings.Builder
	printBars(&out, [][]*step{run(10, 20, 2), run(10, 10, 2), run(100, 140, 2)})
	const want = `bar OVER: 1.400 (1.000 to 2.000 in 3 runs) of 1.30: processor time of a cold load to that of the reference
bar kept: 0.100 (0.014 to 0.200 in 3 runs) of 0.10: processor time of a warm load to that of a cold one
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestVerifyUnit(t *testing.T) {
	u, err := ir.Parse("p.ir", "unit p go\n\nfunc @p.f \"f\" () {\nb0:\n\tret\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := verifyUnit(u, ir.Encode(u)); err != nil {
		t.Error(err)
	}
	other, err := ir.Parse("q.ir", "unit q go\n")
	if err != nil {
		t.Fatal(err)
	}
	if err := verifyUnit(u, ir.Encode(other)); err == nil {
		t.Error("the encoding of another unit is accepted")
	}
}
