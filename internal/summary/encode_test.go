package summary

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// summaries returns the summaries of all programs in testdata/ir/library.
func summaries(t *testing.T) []*Set {
	files, err := filepath.Glob("../../testdata/ir/library/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	all := func(string) bool { return true }
	var out []*Set
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		units, err := ir.ParseAll(file, string(ar.Files[0].Data))
		if err != nil {
			t.Fatal(err)
		}
		set, err := Summarise(t.Context(), link.Link(units, nil), Config{InScope: all, Summarise: all, KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, set)
	}
	return out
}

func TestEncodeRoundTrip(t *testing.T) {
	for _, set := range summaries(t) {
		into := NewPaths()
		into.Root(Step{Kind: Param, N: 99}) // so that path IDs differ
		for _, s := range set.Funcs {
			data := encode(set.Paths, s)
			back, err := decode(into, data)
			if err != nil {
				t.Fatalf("%s: %v", s.Key, err)
			}
			if !bytes.Equal(encode(into, back), data) {
				t.Errorf("%s: encoding changes", s.Key)
			}
			want, got := set.Format(s), (&Set{Paths: into}).Format(back)
			if want != got {
				t.Errorf("%s: got\n%swant\n%s", s.Key, got, want)
			}
		}
	}
}

// Damaged bytes are an error or another summary, never a panic.
func TestDecodeDamaged(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	failed := 0
	for _, set := range summaries(t) {
		for _, s := range set.Funcs {
			data := encode(set.Paths, s)
			for range 50 {
				bad := bytes.Clone(data)
				bad[rnd.IntN(len(bad))] ^= byte(1 + rnd.IntN(255))
				if _, err := decode(NewPaths(), bad[:rnd.IntN(len(bad)+1)]); err != nil {
					failed++
				}
			}
		}
	}
	if failed == 0 {
		t.Error("no damage was noticed")
	}
}
