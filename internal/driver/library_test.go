package driver_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

// TestLibraryWant checks the library verdict on the packages in testdata/golib
// against their marks, both ways.
func TestLibraryWant(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/golib")
	if err != nil {
		t.Fatal(err)
	}
	res, err := driver.Check(context.Background(), driver.Config{Dir: dir, Mode: driver.ModeLibrary})
	if err != nil {
		t.Fatal(err)
	}
	checkMarks(t, dir, res)
}

// A second run takes the verdict from the store and says the same; a change of
// the source is seen.
func TestLibraryCached(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const src = "package p\n\nimport \"sync\"\n\ntype T struct {\n\tmu sync.Mutex\n\tn  int\n}\n\n" +
		"func (t *T) Inc() {\n\tt.mu.Lock()\n\tt.n++\n\tt.mu.Unlock()\n}\n\n" +
		"func (t *T) Dec() {\n\tt.mu.Lock()\n\tt.n--\n\tt.mu.Unlock()\n}\n"
	write("go.mod", "module example.com/p\n\ngo 1.26\n")
	write("p.go", src+"\nfunc (t *T) Get() int { return t.n }\n")
	cache, err := store.Open(filepath.Join(dir, "cache"))
	if err != nil {
		t.Fatal(err)
	}
	var counts driver.Summaries
	run := func() []detect.Finding {
		res, err := driver.Check(context.Background(), driver.Config{Dir: dir, Mode: driver.ModeLibrary, Store: cache})
		if err != nil {
			t.Fatal(err)
		}
		counts = res.Summaries
		return res.Findings
	}
	first := run()
	if counts.Computed != 4 || counts.Functions != 4 { // with the package's init
		t.Errorf("first run: %+v", counts)
	}
	if len(first) != 1 || first[0].Confidence != detect.High {
		t.Fatalf("got %+v", first)
	}
	before := cache.Counters().ActionHits
	if second := run(); !reflect.DeepEqual(first, second) {
		t.Errorf("the second run says\n%+v\nthe first said\n%+v", second, first)
	}
	if cache.Counters().ActionHits == before {
		t.Error("nothing came from the store")
	}
	if counts.Computed != 0 || counts.Functions != 4 {
		t.Errorf("second run: %+v", counts)
	}
	write("p.go", src+"\nfunc (t *T) Get() int { return t.n + 1 }\n")
	if again := run(); !reflect.DeepEqual(first, again) {
		t.Errorf("after an edit of a body:\n%+v\nbefore:\n%+v", again, first)
	}
	if counts.Computed != 1 || counts.Functions != 4 {
		t.Errorf("after an edit of one body: %+v", counts)
	}
	write("p.go", src)
	if fixed := run(); len(fixed) != 0 {
		t.Errorf("after the change: %+v", fixed)
	}
}

// In auto mode a program confirms, or keeps apart, what the library verdict finds
// in code that it reaches; what it does not reach stays.
func TestLibraryReconciled(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.26\n")
	src := "package lib\n\nimport \"sync\"\n"
	for _, name := range []string{"Raced", "Alone", "Unused"} {
		src += strings.ReplaceAll("\ntype T struct {\n\tmu sync.Mutex\n\tn  int\n}\n\n"+
			"func (t *T) Inc() {\n\tt.mu.Lock()\n\tt.n++\n\tt.mu.Unlock()\n}\n\n"+
			"func (t *T) Dec() {\n\tt.mu.Lock()\n\tt.n--\n\tt.mu.Unlock()\n}\n\n"+
			"func (t *T) Get() int { return t.n }\n", "T", name)
	}
	write("lib/lib.go", src)
	write("cmd/c/main.go", "package main\n\nimport \"example.com/p/lib\"\n\nfunc main() {\n"+
		"\tr := new(lib.Raced)\n\tgo r.Inc()\n\tprintln(r.Get())\n\tr.Dec()\n"+
		"\ta := new(lib.Alone)\n\ta.Inc()\n\ta.Dec()\n\tprintln(a.Get())\n}\n")
	res, err := driver.Check(context.Background(), driver.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range res.Findings {
		s := f.Confidence.String() + " " + f.First.Function + "/" + f.Second.Function
		for _, r := range f.Reasons {
			if r.Kind == "library" || r.Kind == "lowers" && strings.HasPrefix(r.Text, "program: ") {
				s += " " + r.Kind
			}
		}
		got = append(got, s)
	}
	slices.Sort(got)
	want := []string{
		"high (*Raced).Inc/(*Raced).Get library",
		"high (*Unused).Get/(*Unused).Dec",
		"low (*Alone).Get/(*Alone).Dec lowers",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// With Sound nothing is left out for want of evidence, nor lowered.
func TestLibrarySound(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/golib")
	if err != nil {
		t.Fatal(err)
	}
	res, err := driver.Check(context.Background(), driver.Config{Dir: dir, Mode: driver.ModeLibrary, Sound: true})
	if err != nil {
		t.Fatal(err)
	}
	found, blamed := map[string]bool{}, map[string]bool{}
	for _, f := range res.Findings {
		blamed[f.First.Function] = true
		if f.Confidence != detect.High {
			t.Errorf("%s in %s is of %s confidence", f.What, f.First.Function, f.Confidence)
		}
		found[f.First.Function] = true
		found[f.Second.Function] = true
	}
	for _, fn := range []string{
		"(*Plain).Inc",      // no evidence
		"(*Named).SetName",  // may be set-up
		"(*Sema).Inc",       // guarded by a channel
		"StartResult.func1", // ordered by a channel that callers may wait for
		"(*Dir).Name",       // made where it is missing
		"Grow",              // put into memory of a type without evidence
		"(*Flag).Get",       // published by an atomic
	} {
		if !found[fn] {
			t.Errorf("nothing found in %s", fn)
		}
	}
	for _, fn := range []string{"(*Pair).CopyTo", "(*Sharded).Put", "(*Lazy).Get", "NewBuilt", "(*Closure).Inc", "(*Bound).Dec"} {
		if blamed[fn] {
			t.Errorf("something found in %s, which is guarded", fn)
		}
	}
	if !slices.ContainsFunc(res.Notes, func(s string) bool { return strings.HasPrefix(s, "sound: ") }) {
		t.Errorf("nothing says what was turned off: %q", res.Notes)
	}
}
