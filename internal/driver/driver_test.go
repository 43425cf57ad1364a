package driver

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/store"
)

// module writes files into a new module and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	mod := "module example.com/m\n\ngo 1.26\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// sharedCache is used by all tests that do not ask for a cold start, so that the
// standard library is lowered once.
var sharedCache = sync.OnceValues(func() (*store.Store, error) {
	dir, err := os.MkdirTemp("", "deadheat-driver-test")
	if err != nil {
		return nil, err
	}
	return store.Open(dir)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if s, err := sharedCache(); err == nil {
		os.RemoveAll(s.Dir())
	}
	os.Exit(code)
}

func warm(t *testing.T) *store.Store {
	t.Helper()
	s, err := sharedCache()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func check(t *testing.T, cfg Config) *Result {
	t.Helper()
	res, err := Check(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range res.Crashes {
		t.Errorf("%s: %s\n%s", c.Program, c.What, c.Stack)
	}
	return res
}

// The examples of every rule show what they are for: the racy program has a
// finding of that rule, the fixed one has none at all.
func TestRuleExamples(t *testing.T) {
	for _, rule := range detect.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			racy := check(t, Config{Dir: module(t, map[string]string{"main.go": rule.Racy}), Store: warm(t)})
			if !slices.ContainsFunc(racy.Findings, func(f detect.Finding) bool { return f.Rule == rule.ID && f.Confidence == detect.High }) {
				t.Errorf("the racy example has no finding of high confidence: %s", summary(racy))
			}
			fixed := check(t, Config{Dir: module(t, map[string]string{"main.go": rule.Fixed}), Store: warm(t)})
			if shown, _ := report.AtLeast(fixed.Findings, detect.Medium); len(shown) > 0 {
				t.Errorf("the fixed example has findings: %s", summary(fixed))
			}
		})
	}
}

func summary(res *Result) string {
	var b bytes.Buffer
	if err := (&report.Text{}).Write(&b, &res.Document); err != nil {
		return err.Error()
	}
	return b.String()
}

const racy = `package main

var n int

func main() {
	go func() { n = 1 }()
	println(n)
}
`

// A finding that several programs have is reported once.
func TestJoinFindings(t *testing.T) {
	dir := module(t, map[string]string{
		"lib/lib.go":      "package lib\n\nvar n int\n\nfunc Start() {\n\tgo func() { n = 1 }()\n\tprintln(n)\n}\n",
		"cmd/a/main.go":   "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { lib.Start() }\n",
		"cmd/b/main.go":   "package main\n\nimport \"example.com/m/lib\"\n\nfunc main() { lib.Start() }\n",
		"lib/lib_test.go": "package lib\n\nfunc Example() { Start() }\n",
	})
	res := check(t, Config{Dir: dir, Store: warm(t)})
	if len(res.Programs) != 4 || len(res.Findings) != 1 { // with the library verdict
		t.Errorf("%d programs, findings:\n%s", len(res.Programs), summary(res))
	}
	want := []string{"example.com/m/cmd/a.main", "example.com/m/cmd/b.main", "example.com/m/lib.Example"}
	if !slices.Equal(res.Entries, want) {
		t.Errorf("entries %v, want %v", res.Entries, want)
	}
	if !res.Complete() {
		t.Errorf("not analysed: %v", res.NotAnalysed)
	}
}

// Neither the number of jobs nor the cache changes the document.
func TestDeterministic(t *testing.T) {
	dir := module(t, map[string]string{
		"a/main.go": racy,
		"b/main.go": strings.ReplaceAll(racy, "n", "m"),
		"c/main.go": racy,
	})
	cache := warm(t)
	var first string
	for _, cfg := range []Config{{Jobs: 8}, {Jobs: 1, Store: cache}, {Jobs: 8, Store: cache}} {
		cfg.Dir = dir
		var b bytes.Buffer
		if err := report.WriteJSON(&b, &check(t, cfg).Document, report.Paths{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Errorf("-j %d, cache %q: got\n%s\nwant\n%s", cfg.Jobs, cfg.Store.Dir(), b.String(), first)
		}
	}
	if cache.Counters().ActionHits == 0 {
		t.Error("the cache was not used")
	}
}

func TestErrors(t *testing.T) {
	dir := module(t, map[string]string{"main.go": racy})
	for _, tt := range []struct {
		cfg  Config
		want string
	}{
		{Config{Targets: []string{"./nowhere/..."}}, "nowhere"},
		{Config{Entries: []string{"example.com/m.nope"}}, "--entry example.com/m.nope"},
		{Config{Models: []string{filepath.Join(dir, "x.models")}}, "x.models"},
	} {
		tt.cfg.Dir, tt.cfg.Store = dir, warm(t)
		_, err := Check(t.Context(), tt.cfg)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: %v", tt.cfg, err)
		}
	}
}

// A run that is cancelled ends with the stage it is in, whichever that is.
func TestCancel(t *testing.T) {
	dir := module(t, map[string]string{"main.go": racy})
	names := []string{"load"}
	for _, s := range programStages {
		names = append(names, "analyse: "+s.name)
	}
	for _, name := range names {
		ctx, cancel := context.WithCancel(t.Context())
		var last string
		_, err := Check(ctx, Config{Dir: dir, Store: warm(t), Jobs: 1, Progress: func(e Event) {
			last = e.Stage
			if e.Stage == name {
				cancel()
			}
		}})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
		if last != name {
			t.Errorf("%s: went on with %s", name, last)
		}
	}
}

// A panic of an engine ends its program only.
func TestCrash(t *testing.T) {
	r := &run{ctx: t.Context(), cfg: new(Config), res: new(Result)}
	a := r.analyseProgram(&program{name: "p"}) // has no models: the first stage fails
	if a.crash == nil || a.crash.Program != "p" || !strings.HasPrefix(a.crash.What, "link: ") || !strings.Contains(a.crash.Stack, "driver") {
		t.Fatalf("got %+v", a.crash)
	}
}
