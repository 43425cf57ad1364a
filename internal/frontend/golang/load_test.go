package golang

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/store"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"
)

var updateLoad = flag.Bool("update-load", false, "rewrite what loading is expected to give")

// TestLoad loads the module in each archive of testdata/load and compares what
// it says of the packages outside the standard library. The file "config" holds
// settings as words (tests, tags=a,b, env=K=V, dir=sub, and cgo for an archive that
// needs a C compiler), then patterns.
func TestLoad(t *testing.T) {
	files, err := filepath.Glob("testdata/load/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test archives: %v", err)
	}
	kept := openStore(t, t.TempDir()) // shared, so that testing is checked once
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			last := &archive.Files[len(archive.Files)-1]
			if last.Name != "want" {
				t.Fatalf("the last file of %s is %s, not want", file, last.Name)
			}
			root := writeFiles(t, archive.Files[:len(archive.Files)-1])
			cfg := testConfig(t, root, kept)
			got := describe(Load(context.Background(), cfg))
			got = strings.ReplaceAll(got, root, "$ROOT")
			if *updateLoad {
				last.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != string(last.Data) {
				t.Errorf("got:\n%s\nwant:\n%s", got, last.Data)
			}
			cfg.Workers = 1
			again := strings.ReplaceAll(describe(Load(context.Background(), cfg)), root, "$ROOT")
			if again != got {
				t.Errorf("the second time, with one worker:\n%s\nfirst:\n%s", again, got)
			}
		})
	}
}

func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// writeFiles writes the files of an archive to a new directory.
func writeFiles(t *testing.T, files []txtar.File) string {
	t.Helper()
	// The go command resolves symbolic links, such as that of macOS's /var.
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := filepath.Join(root, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// offline is an environment in which the go command finds only what is there.
func offline(more ...string) []string {
	return append(os.Environ(), append([]string{"GOPROXY=off", "GOFLAGS=", "GOWORK=", "GO111MODULE=on"}, more...)...)
}

func testConfig(t *testing.T, root string, s *store.Store) Config {
	t.Helper()
	cfg := Config{Dir: root, Store: s, Env: offline(), Workers: 3, lower: lowerToText}
	words, err := os.ReadFile(filepath.Join(root, "config"))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(string(words)) {
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "cgo":
			if _, err := exec.LookPath("gcc"); err != nil {
				t.Skip("no C compiler")
			}
			cfg.Env = append(cfg.Env, "CGO_ENABLED=1", "CC=gcc")
		case "tests":
			cfg.Tests = true
		case "tags":
			cfg.Tags = strings.Split(value, ",")
		case "env":
			cfg.Env = append(cfg.Env, value)
		case "dir":
			cfg.Dir = filepath.Join(root, value)
		default:
			cfg.Patterns = append(cfg.Patterns, w)
		}
	}
	return cfg
}

// lowerToText stands in for lowering. It gives the files of a package and its
// functions with their instructions and positions, so that everything lowering
// can see of the package itself is in the unit.
func lowerToText(b *Built) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s %v\n", b.Path, b.Imports)
	for _, f := range b.Files {
		fmt.Fprintf(&out, "%s generated=%t test=%t\n", f.Name, f.Generated, f.Test)
	}
	for _, fn := range b.funcs {
		writeFunc(&out, b, fn)
	}
	return out.Bytes(), nil
}

func writeFunc(out *bytes.Buffer, b *Built, fn *ssa.Function) {
	pos := b.Fset.Position(fn.Pos())
	fmt.Fprintf(out, "%s %s %s:%d\n", fn, fn.Signature, b.FileName(pos.Filename), pos.Line)
	for _, block := range fn.Blocks {
		fmt.Fprintf(out, "%d: %s\n", block.Index, block.Comment)
		for _, instr := range block.Instrs {
			if v, ok := instr.(ssa.Value); ok {
				fmt.Fprintf(out, "%s %s = ", v.Name(), v.Type())
			}
			fmt.Fprintf(out, "%s @%d\n", instr, instr.Pos())
		}
	}
	for _, f := range fn.AnonFuncs {
		writeFunc(out, b, f)
	}
}

// describe says what was loaded beyond the standard library. Of the text of a
// unit it gives the lines about files.
func describe(r *Result, err error) string {
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var out strings.Builder
	for _, note := range r.Notes {
		fmt.Fprintf(&out, "note: %s\n", note)
	}
	for _, p := range r.Packages {
		if p.Standard {
			continue
		}
		fmt.Fprintf(&out, "%s: %s, %s", p, p.Kind, p.Status)
		if p.Target {
			out.WriteString(", target")
		}
		if p.Module.Path != "" {
			fmt.Fprintf(&out, ", module %s", p.Module.Path)
			if p.Module.Version != "" {
				out.WriteString("@" + p.Module.Version)
			}
			if p.Module.Main {
				out.WriteString(" (main)")
			}
			fmt.Fprintf(&out, ", %s", p.Language)
		}
		out.WriteByte('\n')
		for _, id := range p.Imports {
			if m := r.Packages[id]; !m.Standard {
				fmt.Fprintf(&out, "\timports %s\n", m)
			}
		}
		for _, line := range strings.Split(string(p.Encoded()), "\n") {
			if strings.Contains(line, " generated=") {
				fmt.Fprintf(&out, "\tfile %s\n", line)
			}
		}
		for _, e := range p.Errors {
			fmt.Fprintf(&out, "\terror %s\n", e)
		}
	}
	return out.String()
}

// missed returns the packages outside the standard library that did not come
// from the store.
func missed(r *Result) []string {
	var list []string
	for _, p := range r.Packages {
		if !p.Standard && !p.Cached {
			list = append(list, p.String())
		}
	}
	slices.Sort(list)
	return list
}
