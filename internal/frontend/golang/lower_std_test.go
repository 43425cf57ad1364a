package golang

import (
	"context"
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
	lowerTree(t, "", "std")
}

// TestLowerTree does the same for another module, named by the environment.
func TestLowerTree(t *testing.T) {
	dir := os.Getenv("DEADHEAT_TEST_TREE")
	if dir == "" {
		t.Skip("DEADHEAT_TEST_TREE names no module")
	}
	lowerTree(t, dir, "./...")
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

func lowerTree(t *testing.T, dir string, patterns ...string) {
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
			if os.Getenv("DEADHEAT_TEST_TIMING") == "" {
				checkUnit(t, u)
			}
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
	t.Logf("parse %v, check %v, ssa %v, lower %v", result.Stats.Parse, result.Stats.Check, result.Stats.SSA, sum.lower)
}

// add counts a unit and verifies that instructions written by people have
// positions in one of its files.
func (s *tally) add(t *testing.T, u *ir.Unit, took time.Duration) {
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
