package golang

import (
	"context"
	"go/ast"
	"go/build"
	goimporter "go/importer"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deadheat/deadheat/internal/ir"
)

// TestLowerStd lowers the standard library and checks every unit.
func TestLowerStd(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the whole standard library")
	}
	lowerTree(t, checkUnit, "", "std")
}

// TestLowerGoTests lowers programs that were written to try the compiler's
// limits: generics, ranges over functions and channels.
func TestLowerGoTests(t *testing.T) {
	if testing.Short() {
		t.Skip("checks part of the standard library from source")
	}
	var names []string
	for _, pattern := range []string{"*.go", "typeparam/*.go", "chan/*.go", "ken/*.go"} {
		list, err := filepath.Glob(filepath.Join(build.Default.GOROOT, "test", pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, list...)
	}
	if len(names) == 0 {
		t.Skip("this Go installation comes without its tests")
	}
	imp := goimporter.ForCompiler(token.NewFileSet(), "source", nil)
	count := 0
	for _, name := range names {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // many are wrong on purpose
		}
		in, err := buildInput("main", fset, []*ast.File{f}, imp)
		if err != nil {
			continue
		}
		u, err := lowerPackage(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		count++
		for _, l := range u.Limits {
			if l.Kind == "unsupported" || l.Kind == "missing" {
				t.Errorf("%s: %s: %s", name, l.Symbol, l.Text)
			}
		}
		checkUnit(t, u)
	}
	if count < len(names)/2 {
		t.Errorf("only %d of %d programs could be checked", count, len(names))
	}
}

// TestLowerTree lowers another module, named by the environment.
func TestLowerTree(t *testing.T) {
	dir := os.Getenv("DEADHEAT_TEST_TREE")
	if dir == "" {
		t.Skip("DEADHEAT_TEST_TREE names no module")
	}
	lowerTree(t, checkUnit, dir, "./...")
}

// BenchmarkLowerStd compares the cost of lowering with that of what comes
// before.
func BenchmarkLowerStd(b *testing.B) {
	for b.Loop() {
		lowerTree(b, func(testing.TB, *ir.Unit) {}, "", "std")
	}
}

// tally counts what was lowered.
type tally struct {
	mu       sync.Mutex
	funcs    int
	instrs   int
	accesses int
	placed   int // accesses with a position
	kinds    map[string]int
	lower    time.Duration
}

func lowerTree(t testing.TB, check func(testing.TB, *ir.Unit), dir string, patterns ...string) {
	sum := &tally{kinds: make(map[string]int)}
	result, err := Load(context.Background(), Config{
		Dir: dir, Patterns: patterns,
		lower: func(b *Built) ([]byte, error) {
			start := time.Now()
			u, err := lowerPackage(inputOf(b))
			if err != nil {
				return nil, err
			}
			sum.add(t, u, time.Since(start))
			check(t, u)
			return []byte(u.Path), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range result.Packages {
		if p.Status != Analysed {
			t.Errorf("%s: %s: %v", p, p.Status, p.Errors)
		}
	}
	if sum.kinds["unsupported"] > 0 || sum.kinds["missing"] > 0 {
		t.Errorf("functions could not be lowered: %v", sum.kinds)
	}
	share := float64(sum.accesses-sum.placed) / float64(max(sum.accesses, 1))
	if share > 0.0005 {
		t.Errorf("%.3f %% of the accesses have no position", 100*share)
	}
	t.Logf("%d packages, %d functions, %d instructions, %d accesses, %d of them without position, limits %v",
		len(result.Packages), sum.funcs, sum.instrs, sum.accesses, sum.accesses-sum.placed, sum.kinds)
	if b, ok := t.(*testing.B); ok {
		before := result.Stats.Parse + result.Stats.Check + result.Stats.SSA
		b.ReportMetric(float64(sum.lower)/float64(before), "lower/before")
		b.ReportMetric(float64(sum.lower)/float64(sum.instrs), "lower-ns/instr")
	}
}

// add counts a unit and verifies that instructions written by people have
// positions in one of its files.
func (s *tally) add(t testing.TB, u *ir.Unit, took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lower += took
	s.funcs += len(u.Funcs)
	for _, l := range u.Limits {
		s.kinds[l.Kind]++
		if l.Kind == "unsupported" || l.Kind == "missing" {
			t.Errorf("%s: %s", l.Symbol, l.Text)
		}
	}
	for id := range u.Funcs {
		f := &u.Funcs[id]
		body, err := u.Body(ir.FuncID(id))
		if err != nil {
			t.Error(err)
		}
		if body == nil {
			continue
		}
		s.instrs += len(body.Instrs)
		for i := range body.Instrs {
			op, pos := body.Instrs[i].Op, body.Pos[i]
			if op != ir.OpLoad && op != ir.OpStore {
				continue
			}
			s.accesses++
			if pos.IsValid() {
				s.placed++
				if pos.EndLine < pos.Line || pos.EndLine == pos.Line && pos.EndCol < pos.Col {
					t.Errorf("%s: position %v ends before it begins", f.Symbol, pos)
				}
			} else if f.Flags&ir.FuncSynthetic == 0 {
				t.Errorf("%s: no position: %s", f.Symbol, u.InstrString(body, i))
			}
		}
	}
}

// TestLowerPaths verifies that units name files as the loader does, so that
// they do not depend on where the source lies.
func TestLowerPaths(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module m\n\ngo 1.24\n")
	write("a.go", "package m\n\n//line grammar.y:10\nvar A int\n\nfunc f() { A = 1 }\n")
	_, err := Load(context.Background(), Config{
		Dir: dir,
		lower: func(b *Built) ([]byte, error) {
			u, err := lowerPackage(inputOf(b))
			if err != nil {
				return nil, err
			}
			var names []string
			for _, f := range u.Files {
				names = append(names, f.Path)
			}
			if got := strings.Join(names, " "); got != "a.go grammar.y" {
				t.Errorf("files %s", got)
			}
			if pos := u.Globals[0].Pos; u.Files[pos.File].Path != "grammar.y" || pos.Line != 10 {
				t.Errorf("A is at %v", pos)
			}
			return nil, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
}
