package model

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted sections of testdata")

// TestPass runs the archives of testdata/pass. The section "models", if there is
// one, holds the rows, else the embedded tables are used; "prog.ir" is the input;
// "want.ir" is what the functions of prog.ir become, together with what the pass
// adds.
func TestPass(t *testing.T) {
	files, err := filepath.Glob("testdata/pass/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got := runPass(t, section(ar, "models"), section(ar, "prog.ir"))
			want := section(ar, "want.ir")
			if got == want {
				return
			}
			if !*update {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
				return
			}
			setSection(ar, "want.ir", got)
			if err := os.WriteFile(name, txtar.Format(ar), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func section(ar *txtar.Archive, name string) string {
	for _, f := range ar.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setSection(ar *txtar.Archive, name, text string) {
	for i := range ar.Files {
		if ar.Files[i].Name == name {
			ar.Files[i].Data = []byte(text)
			return
		}
	}
	ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(text)})
}

func setOf(t *testing.T, models string) *Set {
	t.Helper()
	if models == "" {
		set, err := Load()
		if err != nil {
			t.Fatal(err)
		}
		return set
	}
	rows, err := Read("models", models)
	if err != nil {
		t.Fatal(err)
	}
	return NewSet(rows)
}

// runPass applies a set to a unit and prints the outcome, which must be sound IR.
func runPass(t *testing.T, models, prog string) string {
	t.Helper()
	u, err := ir.Parse("prog.ir", prog)
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Check(u); err != nil {
		t.Fatal("the input is not sound: ", err)
	}
	set := setOf(t, models)
	pass := set.NewPass()
	pass.Classes = set.Hierarchy([]*ir.Unit{u})
	view := pass.Unit(u)
	out := *view
	out.Funcs = append([]ir.Func(nil), view.Funcs...)
	for i := range out.Funcs {
		f := &out.Funcs[i]
		body, err := view.Body(ir.FuncID(i))
		if err != nil {
			t.Fatal(err)
		}
		body = pass.Body(view, ir.FuncID(i), body)
		if body != nil {
			f.SetBody(body)
			f.Flags &^= ir.FuncExternal
		}
	}
	if err := ir.Check(&out); err != nil {
		t.Error(err)
	}
	canonical, err := ir.Canonical(&out)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	if err := ir.Print(&buf, canonical); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// A row for many functions gives way to their own code where that is analysed,
// unless it says how they synchronise.
func TestGeneral(t *testing.T) {
	rows, err := Read("models", "lang go\npackage p\n\tF*\tread arg1\n\tLoad*\tatomic load arg1\n\tG\tread arg1\n\tA*\tanalyse\n")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false, false, false} {
		if got := rows[i].General(); got != want {
			t.Errorf("%s: %v, want %v", rows[i].Pattern, got, want)
		}
	}
}
