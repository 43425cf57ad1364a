package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/bench"
)

func TestParse(t *testing.T) {
	all, err := Parse(bench.Corpora())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Select(all, []string{"etcd"}); err != nil || got[0].Module.Path != "go.etcd.io/etcd/server/v3" || got[0].Edit.Func == "" {
		t.Errorf("etcd is %+v, %v", got, err)
	}
	if _, err := Select(all, []string{"etc"}); err == nil || !strings.Contains(err.Error(), "etcd") {
		t.Errorf("a wrong name gives %v", err)
	}
	for _, tt := range []struct{ text, want string }{
		{"module m v1\n", "before the first corpus"},
		{"corpus a\nmodule m\n", "corpus.txt:2: module takes 2 words"},
		{"corpus a\ncommit x\n", "unknown word"},
		{"corpus a\nmodule m v1\npackage m\nlicence MIT\n", "corpus a has no edit"},
	} {
		if _, err := Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestEdited(t *testing.T) {
	tree := &Tree{Dir: t.TempDir(), Corpus: Corpus{Edit: Edit{File: "a.go", Func: "T.f"}}}
	file := filepath.Join(tree.Dir, copyDir, "a.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	const before = "package a\n\ntype T[P any] struct{}\n\nfunc f() {}\nfunc (*T[P]) f() {\n}\n"
	const after = "package a\n\ntype T[P any] struct{}\n\nfunc f() {}\nfunc (*T[P]) f() { println(\"edited\");\n}\n"
	read := func() string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	err := tree.Edited(func() error {
		if got := read(); got != after {
			t.Errorf("edited to %s", got)
		}
		return nil
	})
	if err != nil || read() != before {
		t.Errorf("afterwards %v and %s", err, read())
	}
	tree.Edit.Func = "T.g"
	if err := tree.Edited(func() error { t.Error("edited nothing"); return nil }); err == nil {
		t.Error("no error for a function that is not there")
	}
}

// A directory with files of someone else is left alone.
func TestClear(t *testing.T) {
	tree := &Tree{Dir: t.TempDir()}
	mine := filepath.Join(tree.Dir, "thesis.tex")
	if err := os.WriteFile(mine, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := tree.clear(); err == nil || !strings.Contains(err.Error(), "thesis.tex") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
}
