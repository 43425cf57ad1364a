package golang

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// raceCall is a line of the compiler's listing where it calls the race
// detector's runtime.
var raceCall = regexp.MustCompile(`^\s+0x[0-9a-f]+ \d+ \((.*):(\d+)\)\s+CALL\s+runtime\.race(read|write)(range)?\(SB\)`)

// compilerAccesses compiles packages for the race detector and returns where
// it watches memory, as "r file:line" and "w file:line".
func compilerAccesses(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	args := append([]string{"build", "-race", "-gcflags=-l -S"}, patterns...)
	var listing bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stderr = &listing
	if err := cmd.Run(); err != nil {
		t.Skipf("the go command cannot build for the race detector: %v", err)
	}
	found := make(map[string]bool)
	scanner := bufio.NewScanner(&listing)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		if m := raceCall.FindStringSubmatch(scanner.Text()); m != nil && filepath.IsAbs(m[1]) {
			found[m[3][:1]+" "+m[1]+":"+m[2]] = true
		}
	}
	return found
}

// TestLowerLines compares units with what the compiler makes of the same source
// for the race detector: wherever it watches memory, the unit must have an
// access on the same line.
func TestLowerLines(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles part of the standard library")
	}
	patterns := strings.Fields(os.Getenv("DEADHEAT_TEST_RACE"))
	if len(patterns) == 0 {
		patterns = []string{"bufio", "container/list", "context", "encoding/json", "sort", "text/template"}
	}
	want := compilerAccesses(t, patterns...)
	ours := make(map[string]bool)
	loaded := make(map[string]bool)
	_, err := Load(context.Background(), Config{
		Patterns: patterns, Workers: 1,
		lower: func(b *Built) ([]byte, error) {
			if !slices.Contains(patterns, b.Path) {
				return nil, nil
			}
			u, err := lowerPackage(inputOf(b))
			if err != nil {
				return nil, err
			}
			for _, f := range u.Files {
				//deadheat:ignore race there is one worker
				loaded[filepath.Join(b.dir, f.Path)] = true
			}
			unitAccesses(t, u, b.dir, ours)
			return nil, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	missing := 0
	total := 0
	for key := range want {
		file, _, _ := strings.Cut(key[2:], ":")
		if !loaded[file] {
			continue
		}
		total++
		if !ours[key] {
			missing++
			t.Logf("no access: %s", key)
		}
	}
	t.Logf("%d of %d lines have no access", missing, total)
	// What is left are reads of the iteration state of a range over a function
	// and of values the compiler keeps in memory for its own reasons.
	if total == 0 || float64(missing)/float64(total) > 0.005 {
		t.Error("too many accesses are on other lines than the race detector names")
	}
}

// unitAccesses notes the lines of a unit's accesses.
func unitAccesses(t *testing.T, u *ir.Unit, dir string, found map[string]bool) {
	note := func(kind byte, pos ir.Pos) {
		if pos.IsValid() {
			//deadheat:ignore race there is one worker
			found[fmt.Sprintf("%c %s:%d", kind, filepath.Join(dir, u.Files[pos.File].Path), pos.Line)] = true
		}
	}
	for id := range u.Funcs {
		body, err := u.Body(ir.FuncID(id))
		if err != nil {
			t.Fatal(err)
		}
		if body == nil {
			continue
		}
		for i := range body.Instrs {
			pos := body.Pos[i]
			switch body.Instrs[i].Op {
			case ir.OpLoad:
				note('r', pos)
			case ir.OpStore, ir.OpSetRange:
				note('w', pos)
			case ir.OpAppend, ir.OpCopyRange, ir.OpMapGet, ir.OpMapSet, ir.OpMapDelete, ir.OpLen, ir.OpRange, ir.OpNext, ir.OpConvert:
				note('r', pos)
				note('w', pos)
			case ir.OpAssert, ir.OpCopy:
				note('r', pos) // the compiler reads what an interface points to
			case ir.OpAlloc, ir.OpMakeMap, ir.OpClosure, ir.OpBox, ir.OpBinary:
				note('w', pos) // it fills new objects, and tables of strings to be joined
			case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
				if body.Instrs[i].Sub != uint8(ir.Now) {
					note('w', pos) // it fills the record of a deferred call
				}
			}
		}
	}
}
