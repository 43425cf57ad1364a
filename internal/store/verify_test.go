package store

import (
	"slices"
	"testing"
)

func TestVerify(t *testing.T) {
	s := open(t)
	good, bad, short := put(t, s, []byte("good")), put(t, s, []byte("bad")), put(t, s, []byte("short"))
	whole, dangling, broken := keyOf("whole"), keyOf("dangling"), keyOf("broken")
	putAction(t, s, whole, Record{Blobs: []Digest{good}})
	putAction(t, s, dangling, Record{Blobs: []Digest{good, bad}})
	putAction(t, s, broken, Record{Blobs: []Digest{good}})

	v, err := s.Verify()
	if err != nil || v.Problems != nil || v.Records != 3 || v.Blobs != 3 || v.Dangling != 0 {
		t.Fatalf("before any damage: %+v, %v", v, err)
	}

	damage(t, s.path(blobs, bad), damages[0].do)
	damage(t, s.path(blobs, short), func(b []byte) []byte { return b[:2] })
	damage(t, s.path(actions, broken), damages[0].do)
	v, err = s.Verify()
	if err != nil || v.Records != 3 || v.Blobs != 3 || v.Corrupt != 3 || v.Dangling != 1 {
		t.Errorf("after damage: %+v, %v", v, err)
	}
	var paths []string
	for _, p := range v.Problems {
		if !p.Removed || p.Err == nil {
			t.Errorf("problem %+v", p)
		}
		paths = append(paths, p.Path)
	}
	want := []string{s.path(actions, broken), s.path(blobs, bad), s.path(blobs, short)}
	slices.Sort(want)
	if !slices.Equal(paths, want) {
		t.Errorf("problems in\n%q, want\n%q", paths, want)
	}

	v, err = s.Verify()
	if err != nil || v.Problems != nil || v.Records != 2 || v.Blobs != 1 || v.Dangling != 1 {
		t.Errorf("after removal: %+v, %v", v, err)
	}
	if _, ok := s.Get(good); !ok {
		t.Error("the good blob is gone")
	}
}
