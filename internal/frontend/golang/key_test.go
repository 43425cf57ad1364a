package golang

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// keyModule has a chain d -> c -> b -> a of imports. What b exports mentions a,
// what c exports does not mention b, and d does not import b.
const keyModule = `
-- go.mod --
module m

go 1.24
-- a/a.go --
package a

const Limit = 10

type T struct {
	N int
	hidden int
}

func (t *T) Get() int {
	return t.N
}

func New(n int) *T {
	return &T{N: n}
}

func unused() {}
-- b/b.go --
package b

import "m/a"

func Make() *a.T { return a.New(a.Limit) }
-- c/c.go --
package c

import "m/b"

func Count() int { return b.Make().Get() }
-- d/d.go --
package d

import "m/c"

func Twice() int { return 2 * c.Count() }
-- e/e.go --
package e
`

// TestKeys edits a module that has been loaded and looks at what is not taken
// from the store the next time.
func TestKeys(t *testing.T) {
	tests := []struct {
		name     string
		file     string
		old, new string
		want     string
	}{
		{"nothing", "a/a.go", "", "", ""},
		{"comment", "a/a.go", "type T", "// T is a type.\ntype T", "m/a"},
		{"body", "a/a.go", "return t.N", "return t.N + 1", "m/a"},
		{"body with more lines", "a/a.go", "return t.N", "t.N++\n\n\n\tif t.N > 3 {\n\t\tt.N = 0\n\t}\n\treturn t.N", "m/a"},
		{"unexported function", "a/a.go", "func unused() {}", "func unused() int { return 1 }", "m/a"},
		{"body calling another function", "a/a.go", "return t.N", "unused(); return t.N", "m/a"},
		{"constant", "a/a.go", "Limit = 10", "Limit = 11", "m/a m/b"},
		{"exported field", "a/a.go", "N int", "N int\n\tM int", "m/a m/b m/c"},
		{"unexported field", "a/a.go", "hidden int", "hidden string", "m/a m/b m/c"},
		{"new method", "a/a.go", "const Limit", "func (*T) extra() {}\n\nconst Limit", "m/a m/b m/c"},
		{"signature", "a/a.go", "func New(n int)", "func New(n int, _ ...string)", "m/a m/b"},
		{"new exported function", "a/a.go", "func unused()", "func Used()", "m/a m/b"},
		{"parameter name", "b/b.go", "Make()", "Make(_ ...int)", "m/b m/c"},
		{"top", "d/d.go", "Twice", "Double", "m/d"},
		{"leaf", "e/e.go", "package e", "package e\n\nvar X int", "m/e"},
		{"language version", "go.mod", "go 1.24", "go 1.23", "m/a m/b m/c m/d m/e"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
			cfg := Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Store: openStore(t, t.TempDir()), lower: lowerToText}
			if _, err := Load(context.Background(), cfg); err != nil {
				t.Fatal(err)
			}
			edit(t, filepath.Join(root, test.file), test.old, test.new)
			warm, err := Load(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Store = openStore(t, t.TempDir())
			cold, err := Load(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			compareResults(t, warm, cold)
			if got := strings.Join(missed(warm), " "); got != test.want {
				t.Errorf("checked anew: %q, want %q", got, test.want)
			}
		})
	}
}

func edit(t *testing.T, file, old, new string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not contain %q", file, old)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), old, new, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compareResults checks that two results have the same packages and units.
func compareResults(t *testing.T, got, want *Result) {
	t.Helper()
	if len(got.Packages) != len(want.Packages) {
		t.Fatalf("%d packages, want %d", len(got.Packages), len(want.Packages))
	}
	for i, p := range got.Packages {
		q := want.Packages[i]
		switch {
		case p.String() != q.String() || p.Status != q.Status || !slices.Equal(p.Imports, q.Imports) || !slices.Equal(p.Errors, q.Errors):
			t.Errorf("package %d is %s (%s) %v %v, want %s (%s) %v %v", i, p, p.Status, p.Imports, p.Errors, q, q.Status, q.Imports, q.Errors)
		case p.API != q.API:
			t.Errorf("%s: export data differs", p)
		case p.Unit != q.Unit:
			t.Errorf("%s: units differ:\n%s\nwant:\n%s", p, p.Encoded(), q.Encoded())
		}
	}
}

// TestKeySettings checks that settings which change units are part of keys,
// and that others are not.
func TestKeySettings(t *testing.T) {
	root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
	base := Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Store: openStore(t, t.TempDir()), lower: lowerToText}
	if _, err := Load(context.Background(), base); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		change func(*Config)
		hit    bool
	}{
		{"workers", func(c *Config) { c.Workers = 7 }, true},
		{"tags that choose no files", func(c *Config) { c.Tags = []string{"x"} }, true},
		{"patterns", func(c *Config) { c.Patterns = []string{"./d"} }, true},
		{"architecture", func(c *Config) { c.Env = offline("GOARCH=386") }, false},
		{"system", func(c *Config) { c.Env = offline("GOOS=windows") }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			cfg := base
			test.change(&cfg)
			r, err := Load(context.Background(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got := missed(r); (len(got) == 0) != test.hit {
				t.Errorf("checked anew: %v", got)
			}
		})
	}
}

// TestKeyPlace checks that units do not depend on where the source lies.
func TestKeyPlace(t *testing.T) {
	kept := openStore(t, t.TempDir())
	var results []*Result
	for range 2 {
		root := writeFiles(t, txtar.Parse([]byte(keyModule)).Files)
		r, err := Load(context.Background(), Config{Dir: root, Patterns: []string{"./..."}, Env: offline(), Store: kept, lower: lowerToText})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	if got := missed(results[1]); len(got) > 0 {
		t.Errorf("checked anew in another directory: %v", got)
	}
	compareResults(t, results[1], results[0])
}
