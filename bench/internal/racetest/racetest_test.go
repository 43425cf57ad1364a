package racetest

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/bench"
)

const first = `package race_test

import (
	"runtime"
	"sync"
	"testing"
)

var shared, other int

type counter struct{ mu sync.Mutex }

func (c *counter) add() { helper() }

func helper() { shared++ }

func unused() { other++ }

func TestRaceOne(t *testing.T) {
	var c counter
	other := 1 // not the package's
	go c.add()
	runtime.RaceDisable()
	_ = other
}

func TestNoRaceSkipped(t *testing.T) {
	t.Skip("why")
}
`

const second = `package race_test

import (
	"internal/synctest"
	"testing"
)

func TestNoRaceTwo(t *testing.T) {
	synctest.Run(func() {
		go helper()
	})
}

func TestOther(t *testing.T) {}
`

func suite(t *testing.T) *Suite {
	t.Helper()
	s, err := parse(map[string][]byte{"a_test.go": []byte(first), "b_test.go": []byte(second)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPrograms(t *testing.T) {
	s := suite(t)
	var names []string
	for _, x := range s.Tests {
		names = append(names, x.Name+" "+x.Reason)
	}
	if got := strings.Join(names, ", "); got != "TestRaceOne , TestNoRaceSkipped skips itself, TestNoRaceTwo " {
		t.Fatalf("tests %s", got)
	}
	const one = `package main

import "deadheat.bench/gorace/testing"
import "runtime"
import "sync"

//line a_test.go:9
var shared, other int

//line a_test.go:11
type counter struct{ mu sync.Mutex }

//line a_test.go:13
func (c *counter) add() { helper() }

//line a_test.go:15
func helper() { shared++ }

//line a_test.go:19
func TestRaceOne(t *testing.T) {
	var c counter
	other := 1 // not the package's
	go c.add()
	runtime.Gosched()
	_ = other
}

//line program.go:1
func main() { TestRaceOne(new(testing.T)) }
`
	const two = `package main

import "testing"
import "testing/synctest"

//line a_test.go:9
var shared, other int

//line a_test.go:15
func helper() { shared++ }

//line b_test.go:8
func TestNoRaceTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go helper()
	})
}

//line program.go:1
func main() { TestNoRaceTwo(new(testing.T)) }
`
	dir := t.TempDir()
	if n, err := s.Write(dir, "1.26"); err != nil || n != 2 {
		t.Fatalf("%d programs, %v", n, err)
	}
	for name, want := range map[string]string{"TestRaceOne": one, "TestNoRaceTwo": two} {
		file := filepath.Join(dir, name, "program.go")
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
		if TestAt(file) != name {
			t.Errorf("%s is of test %s", file, TestAt(file))
		}
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "testing.go", testingStub, 0); err != nil {
		t.Error(err)
	}
	if err := s.Keep([]string{"TestRaceTwo"}); err == nil {
		t.Error("a test that is not there is kept")
	}
}

func TestScore(t *testing.T) {
	s := suite(t)
	l, err := ParseLabels("group flag what it takes\nTestNoRaceTwo flag\nTestRaceGone flag\n")
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Unknown(s); len(got) != 1 || got[0] != "TestRaceGone" {
		t.Errorf("unknown: %v", got)
	}
	score := s.Score(l, func(*Test) bool { return true })
	if want := (Tally{Race: 1, Found: 1, Clean: 1, Alarms: 1}); score.All != want {
		t.Errorf("all: %+v", score.All)
	}
	if want := (Tally{Race: 1, Found: 1}); score.Plain != want {
		t.Errorf("plain: %+v", score.Plain)
	}
	if want := (Tally{Clean: 1, Alarms: 1}); *score.ByGroup["flag"] != want || *score.ByFile["b_test.go"] != want {
		t.Errorf("groups %v, files %v", score.ByGroup, score.ByFile)
	}
	for _, tt := range []struct{ floor, want string }{
		{score.Floor(), ""},
		{"# better\nall found 0 alarms 2\n", ""},
		{"all found 2 alarms 1\n", "1 races found, were 2"},
		{"plain found 1 alarms 0\nall found 1 alarms 0\n", "1 false alarms, were 0"},
		{"index found 1 alarms 0\n", `no figures for "index"`},
		{"all 1 2\n", "line 1"},
		{"\n", "no figures"},
	} {
		err := score.CheckFloor(tt.floor)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("floor %q: %v, want %q", tt.floor, err, tt.want)
		}
	}
}

// TestLabels compares the labels with the tests of the installed Go.
func TestLabels(t *testing.T) {
	l, err := ParseLabels(bench.RaceLabels())
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"TestRaceX\n", "TestRaceX flag\n", "group a b\nTestRaceX a\nTestRaceX a\n"} {
		if _, err := ParseLabels(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		t.Fatal(err)
	}
	env := strings.Fields(string(out))
	if !strings.HasPrefix(env[1], "go1.26") {
		t.Skipf("the labels are for Go 1.26, not %s", env[1])
	}
	s, err := Read(env[0])
	if err != nil {
		t.Skip(err) // an installation without the tests
	}
	if unknown := l.Unknown(s); len(unknown) > 0 {
		t.Errorf("labels for tests that do not exist: %v", unknown)
	}
	score := s.Score(l, func(*Test) bool { return false })
	if score.All.Race != 238 || score.All.Clean != 129 {
		t.Errorf("%+v", score.All)
	}
}
