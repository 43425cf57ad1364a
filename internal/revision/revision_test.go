package revision

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/store"
)

// repository makes a repository with one commit and returns a directory in it.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "sub")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package sub\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, root, "git", "init", "-q", "-b", "main")
	run(t, root, "git", "add", ".")
	run(t, root, "git", "commit", "-q", "-m", "one")
	return dir
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

func open(t *testing.T, dir string) (*Repo, Revision) {
	t.Helper()
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	rev, err := r.Base(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	return r, rev
}

// However an analysis ends, its working tree is gone afterwards.
func TestWorktreeIsRemoved(t *testing.T) {
	dir := repository(t)
	r, rev := open(t, dir)
	failure := errors.New("failure")
	var there string
	for _, tt := range []struct {
		name string
		end  func(cancel func()) error
	}{
		{"well", func(func()) error { return nil }},
		{"with an error", func(func()) error { return failure }},
		{"by an interrupt", func(cancel func()) error { cancel(); return context.Canceled }},
		{"by a panic", func(func()) error { panic("boom") }},
		{"locked", func(func()) error { run(t, dir, "git", "worktree", "lock", filepath.Dir(there)); return failure }},
		{"removed by somebody", func(func()) error { return os.RemoveAll(filepath.Dir(there)) }},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		there = ""
		cfg := Config{Driver: driver.Config{Dir: dir}, Analyse: func(_ context.Context, cfg driver.Config) (*driver.Result, error) {
			there = cfg.Dir
			if _, err := os.Stat(filepath.Join(there, "a.go")); err != nil {
				t.Errorf("%s: the commit is not there: %v", tt.name, err)
			}
			return new(driver.Result), tt.end(cancel)
		}}
		func() {
			defer func() { recover() }()
			r.Findings(ctx, rev, cfg)
		}()
		cancel()
		if there == "" || there == dir {
			t.Fatalf("%s: analysed in %q", tt.name, there)
		}
		if _, err := os.Stat(filepath.Dir(filepath.Dir(there))); err == nil {
			t.Errorf("%s: %s is still there", tt.name, there)
		}
		if list := run(t, dir, "git", "worktree", "list"); strings.Count(list, "\n") != 1 {
			t.Errorf("%s: git still has\n%s", tt.name, list)
		}
	}
}

// Findings keep their places, in the user's working tree, on the way through
// the other one and through the cache.
func TestPlaces(t *testing.T) {
	dir := repository(t)
	r, rev := open(t, dir)
	cache, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	cfg := Config{Driver: driver.Config{Dir: dir, Store: cache}, Analyse: func(_ context.Context, cfg driver.Config) (*driver.Result, error) {
		runs++
		at := func(name string) detect.Place {
			return detect.Place{File: filepath.ToSlash(filepath.Join(cfg.Dir, name)), Line: 1}
		}
		var f detect.Finding
		f.First.Place, f.Second.Place = at("a.go"), at("../b.go")
		f.First.Trace = []detect.Frame{{Place: at("a.go")}, {Place: detect.Place{File: "/go/src/c.go", Line: 2}}}
		f.Suppression = &detect.Suppression{Place: at("a.go")}
		return &driver.Result{Document: report.Document{Findings: []detect.Finding{f}}, Functions: report.Functions{"f": true}}, nil
	}}
	root := filepath.ToSlash(filepath.Dir(dir))
	want := []string{"", root + "/sub/a.go", "", root + "/sub/a.go", "/go/src/c.go", root + "/b.go", "", root + "/sub/a.go"}
	for i := range 2 {
		snap, how, err := r.Findings(t.Context(), rev, cfg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		eachPlace(&snap.Findings[0], func(p *detect.Place) { got = append(got, p.File) })
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if how.Cached != (i == 1) || runs != 1 || !snap.Functions["f"] {
			t.Errorf("time %d: %+v, %d runs, functions %v", i+1, how, runs, snap.Functions)
		}
	}
}

// A result must not be found under other settings. A setting that is new to
// driver.Config belongs into Repo.key, unless results do not depend on it.
func TestKeyHasEverySetting(t *testing.T) {
	dir := repository(t)
	r, rev := open(t, dir)
	models := filepath.Join(t.TempDir(), "m")
	if err := os.WriteFile(models, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	// diff refuses targets that are Java classes: they are not in the repository.
	irrelevant := []string{"Dir", "Jobs", "Store", "Progress", "Java"}
	key := func(cfg Config) store.Key {
		k, err := r.key(t.Context(), rev.Tree, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	plain := Config{Driver: driver.Config{Dir: dir}}
	typ := reflect.TypeFor[driver.Config]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		if slices.Contains(irrelevant, name) {
			continue
		}
		cfg := plain
		field := reflect.ValueOf(&cfg.Driver).Elem().Field(i)
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.ValueOf([]string{models}))
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uint:
			field.SetUint(1)
		case reflect.Int, reflect.Int64:
			field.SetInt(1)
		case reflect.String:
			field.SetString("x")
		default:
			t.Errorf("%s: this test does not know how to change it", name)
		}
		if key(cfg) == key(plain) {
			t.Errorf("%s is not in the key of stored findings", name)
		}
	}
	other := plain
	other.Program = "another version"
	if key(other) == key(plain) {
		t.Error("the program is not in the key")
	}
}

// In a hook git names the repository and index of its own in the environment.
func TestHookEnvironment(t *testing.T) {
	dir := repository(t)
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "nowhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if rev, clean := r.Head(t.Context()); rev.Commit == "" || !clean {
		t.Errorf("head %+v, clean %t", rev, clean)
	}
}

// A working tree is as good as its commit only if nothing in it would be
// missing elsewhere.
func TestClean(t *testing.T) {
	dir := repository(t)
	r, _ := open(t, dir)
	for _, tt := range []struct {
		file, text string
		want       bool
	}{
		{"notes.txt", "not a source", true},
		{".gitignore", "gen.go\n", true},
		{"gen.go", "package sub // generated and ignored\n", false},
		{"a.go", "package sub // changed\n", false},
	} {
		name := filepath.Join(dir, tt.file)
		old, _ := os.ReadFile(name)
		if err := os.WriteFile(name, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, clean := r.Head(t.Context()); clean != tt.want {
			t.Errorf("%s: clean is %t", tt.file, clean)
		}
		if tt.file == "gen.go" {
			os.Remove(name)
		} else if old != nil {
			os.WriteFile(name, old, 0o666)
		}
	}
}
