package ir

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// FuzzParse demands that no text makes the parser panic, and that what it
// accepts survives both forms.
func FuzzParse(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "ir", "roundtrip-*.ir"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	for seed := range uint64(10) {
		f.Add(text(f, randomUnit(seed, 2)))
	}
	f.Fuzz(func(t *testing.T, src string) {
		units, err := ParseAll("fuzz.ir", src)
		if err != nil {
			return
		}
		for _, u := range units {
			if Check(u) == nil {
				checkRoundTrip(t, u)
			}
		}
	})
}

// FuzzDecode demands that no bytes make the decoder or the checker panic, and
// that a unit that passes the checker survives both forms.
func FuzzDecode(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(Encode(randomUnit(seed, 3)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := Decode(data)
		if err != nil || Check(u) != nil {
			return
		}
		canonical, err := Canonical(u)
		if err != nil {
			t.Fatal(err)
		}
		if err := Check(canonical); err != nil {
			t.Fatal(err)
		}
		checkRoundTrip(t, canonical)
		again, err := Decode(Encode(decoded(t, u)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(decoded(t, u), decoded(t, again)) {
			t.Fatal("Decode(Encode(u)) differs from u")
		}
	})
}
