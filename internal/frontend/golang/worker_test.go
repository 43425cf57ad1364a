package golang

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deadheat/deadheat/internal/store"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

// TestSameResult loads part of the standard library with different numbers of
// workers, and with a store that has lost some of its records, and expects the
// same units from real lowering.
func TestSameResult(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a part of the standard library several times")
	}
	root := t.TempDir()
	dir := t.TempDir()
	cfg := Config{Dir: root, Patterns: []string{"encoding/json"}, Env: offline(), Workers: 4, Store: openStore(t, dir)}
	want, err := Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if want.Stats.Misses != len(want.Packages) {
		t.Errorf("%d packages checked, want all %d", want.Stats.Misses, len(want.Packages))
	}
	for _, p := range want.Packages {
		if p.Status != Analysed || len(p.Errors) > 0 {
			t.Errorf("%s: %s, %v", p, p.Status, p.Errors)
		}
	}
	for part := range 3 {
		cfg.Workers = 1 + 2*part
		lost := 0
		for i, file := range storedFiles(t, dir, "action") {
			if i%3 == part {
				lost++
				if err := os.Remove(file); err != nil {
					t.Fatal(err)
				}
			}
		}
		got, err := Load(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		if got.Stats.Misses != lost || got.Stats.Hits != len(got.Packages)-lost {
			t.Errorf("%d checked and %d from the store, want %d and %d", got.Stats.Misses, got.Stats.Hits, lost, len(got.Packages)-lost)
		}
		compareResults(t, got, want)
	}
}

func storedFiles(t *testing.T, dir, kind string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(dir, "v1", kind), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no %s files in the store: %v", kind, err)
	}
	return files
}

// TestTrimmed checks that a package is found again when its export data is
// gone, and only its unit is left in the store.
func TestTrimmed(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	dir := t.TempDir()
	cfg := Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Store: openStore(t, dir), lower: lowerToText}
	first, err := Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range first.Packages {
		name := p.API.String()
		if err := os.Remove(filepath.Join(dir, "v1", "blob", name[:2], name)); err != nil {
			t.Fatal(err)
		}
	}
	edit(t, filepath.Join(root, "c/c.go"), "return", "return 1 +")
	warm, err := Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := missed(warm); !slices.Equal(got, []string{"m/c"}) {
		t.Errorf("checked anew: %v", got)
	}
	cfg.Store = nil
	cold, err := Load(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	compareResults(t, warm, cold)
}

// TestFault checks that a panic or an error while one package is lowered stays
// with that package.
func TestFault(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	kept := openStore(t, t.TempDir())
	cfg := Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Store: kept}
	cfg.lower = func(b *Built) ([]byte, error) {
		switch b.Path {
		case "m/a":
			panic("no such thing")
		case "m/b":
			return nil, errors.New("not this one")
		}
		return lowerToText(b)
	}
	for range 2 { // what failed must not be in the store
		r, err := Load(context.Background(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Packages {
			for _, e := range p.Errors {
				got = append(got, fmt.Sprintf("%s: %s: %s", p, p.Status, e))
				if strings.Contains(e.Msg, "fault") != (e.Stack != "") {
					t.Errorf("stack of %q: %q", e.Msg, e.Stack)
				}
			}
			if (p.Status == Analysed) != (p.Encoded() != nil) {
				t.Errorf("%s is %s, and its unit is %q", p, p.Status, p.Encoded())
			}
		}
		want := []string{
			"m/a: not analysed: not analysed because of a fault in deadheat: no such thing",
			"m/b: not analysed: not analysed: not this one",
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestImportsLookAlike checks what Built promises about imported packages: when
// all are checked in the same run by the same worker, and when one finds
// imports that no other package has asked for.
func TestImportsLookAlike(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	kept := openStore(t, t.TempDir())
	checkImports(t, Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Workers: 1, Store: kept}, 4)
	edit(t, filepath.Join(root, "c/c.go"), "return", "return 1 +")
	checkImports(t, Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Workers: 1, Store: kept}, 2)
}

// checkImports looks at the calls of imported functions, of which there must be
// as many as said.
func checkImports(t *testing.T, cfg Config, want int) {
	t.Helper()
	calls := 0
	cfg.lower = func(b *Built) ([]byte, error) {
		for _, fn := range b.funcs {
			for _, block := range fn.Blocks {
				for _, instr := range block.Instrs {
					call, ok := instr.(ssa.CallInstruction)
					if !ok || call.Common().StaticCallee() == nil {
						continue
					}
					callee := call.Common().StaticCallee()
					if callee.Object().Pkg() == b.Types {
						continue
					}
					//deadheat:ignore race there is one worker
					calls++
					if len(callee.Blocks) > 0 || callee.Pos().IsValid() || callee.Syntax() != nil {
						t.Errorf("%s sees more of %s than its type", b.Path, callee)
					}
					if callee.Pkg == nil || callee.Pkg.Pkg != callee.Object().Pkg() {
						t.Errorf("%s: package of %s is %v", b.Path, callee, callee.Pkg)
					}
				}
			}
		}
		return []byte(b.Path), nil
	}
	if _, err := Load(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	if calls != want {
		t.Errorf("saw %d calls of imported functions, want %d", calls, want)
	}
}

// TestLoopVariable checks that loop variables are per iteration from language
// version 1.22 on, by the go line of the module or the build line of the file.
func TestLoopVariable(t *testing.T) {
	const loop = "func f%s(g func(*int)) {\n\tfor i := 0; i < 3; i++ {\n\t\tg(&i)\n\t}\n}\n"
	root := writeFiles(t, []txtar.File{
		{Name: "go.work", Data: []byte("go 1.24\n\nuse (\n\t./old\n\t./new\n)\n")},
		{Name: "old/go.mod", Data: []byte("module old\n\ngo 1.21\n")},
		{Name: "old/a.go", Data: fmt.Appendf(nil, "package p\n\n"+loop, "")},
		{Name: "old/b.go", Data: fmt.Appendf(nil, "//go:build go1.22\n\npackage p\n\n"+loop, "Newer")},
		{Name: "new/go.mod", Data: []byte("module new\n\ngo 1.22\n")},
		{Name: "new/a.go", Data: fmt.Appendf(nil, "package p\n\n"+loop, "")},
		{Name: "new/b.go", Data: fmt.Appendf(nil, "//go:build go1.21\n\npackage p\n\n"+loop, "Older")},
	})
	var mu sync.Mutex
	perIteration := make(map[string]bool)
	cfg := Config{Dir: root, Patterns: []string{"./old", "./new"}, Env: offline()}
	cfg.lower = func(b *Built) ([]byte, error) {
		mu.Lock()
		defer mu.Unlock()
		for _, fn := range b.funcs {
			for _, block := range fn.Blocks {
				for _, instr := range block.Instrs {
					if a, ok := instr.(*ssa.Alloc); ok && a.Heap && block.Index > 0 {
						perIteration[fn.String()] = true
					}
				}
			}
		}
		return nil, nil
	}
	if _, err := Load(context.Background(), cfg); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"old.f": false, "old.fNewer": true, "new.f": true, "new.fOlder": false} {
		if perIteration[name] != want {
			t.Errorf("%s: a variable for each iteration is %t, want %t", name, perIteration[name], want)
		}
	}
}

// TestCancel checks that loading stops when it is no longer wanted.
func TestCancel(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	ctx, cancel := context.WithCancel(context.Background())
	lowered := 0
	cfg := Config{Dir: root, Patterns: []string{"./d"}, Env: offline(), Workers: 1}
	cfg.lower = func(b *Built) ([]byte, error) {
		//deadheat:ignore race there is one worker
		lowered++
		cancel()
		return nil, nil
	}
	if _, err := Load(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	if lowered != 1 {
		t.Errorf("%d packages were lowered", lowered)
	}
}

// TestOrder checks that packages come in dependency order, and that progress is
// told for each.
func TestOrder(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	var told []int
	r, err := Load(context.Background(), Config{
		Dir: root, Patterns: []string{"./..."}, Env: offline(), lower: lowerToText, Store: store.Off(),
		//deadheat:ignore race progress is called with the lock of the schedule held
		Progress: func(done, total int) { told = append(told, done, total) },
	})
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for i, p := range r.Packages {
		paths = append(paths, p.Path)
		if p.ID != PackageID(i) {
			t.Errorf("%s at %d has ID %d", p, i, p.ID)
		}
		for _, id := range p.Imports {
			if id >= p.ID {
				t.Errorf("%s comes before its import %s", p, r.Packages[id])
			}
		}
	}
	if want := []string{"m/a", "m/b", "m/c", "m/d", "m/e"}; !slices.Equal(paths, want) {
		t.Errorf("packages are %v, want %v", paths, want)
	}
	if want := []int{1, 5, 2, 5, 3, 5, 4, 5, 5, 5}; !slices.Equal(told, want) {
		t.Errorf("progress was %v, want %v", told, want)
	}
}
