package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tenBlobs fills a store with ten blobs of 100 bytes, blob i last used i days
// ago.
func tenBlobs(t *testing.T) (s *Store, names []Digest, now time.Time) {
	s = open(t)
	now = time.Date(2030, 1, 10, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	for i := range 10 {
		d := put(t, s, bytes.Repeat([]byte{byte(i)}, 100))
		setTime(t, s.path(blobs, d), now.Add(-time.Duration(i)*day))
		names = append(names, d)
	}
	return s, names, now
}

func TestTrimOrder(t *testing.T) {
	tests := []struct {
		maxBytes int64
		maxAge   time.Duration
		kept     int // the most recently used ones
	}{
		{-1, -1, 10},
		{1000, -1, 10},
		{999, -1, 9},
		{400, -1, 4},
		{0, -1, 0},
		{-1, 3 * day, 4},
		{-1, 3*day - 1, 3},
		{500, 8 * day, 5},
		{800, 2 * day, 3},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%d bytes, %v", tt.maxBytes, tt.maxAge), func(t *testing.T) {
			s, names, _ := tenBlobs(t)
			got, err := s.Trim(tt.maxBytes, tt.maxAge)
			if err != nil {
				t.Fatal(err)
			}
			n := tt.kept
			want := Trimmed{Removed: 10 - n, RemovedBytes: int64(10-n) * 100, Kept: n, KeptBytes: int64(n) * 100}
			if got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			for i, d := range names {
				if _, ok := s.Get(d); ok != (i < n) {
					t.Errorf("blob used %d days ago: there is %v", i, ok)
				}
			}
		})
	}
}

func TestUseSavesFromTrim(t *testing.T) {
	s, names, _ := tenBlobs(t)
	if _, ok := s.Get(names[9]); !ok {
		t.Fatal("miss")
	}
	if _, err := s.Trim(200, -1); err != nil {
		t.Fatal(err)
	}
	for i, d := range names {
		if _, ok := s.Get(d); ok != (i == 0 || i == 9) {
			t.Errorf("blob %d: there is %v", i, ok)
		}
	}
}

// An entry used between listing and removing stays.
func TestTrimSparesEntryJustUsed(t *testing.T) {
	s, names, now := tenBlobs(t)
	entries, _, err := s.list()
	if err != nil {
		t.Fatal(err)
	}
	setTime(t, s.path(blobs, names[3]), now)
	if err := os.Remove(s.path(blobs, names[4])); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		removed, gone, err := s.removeUnused(e)
		if err != nil {
			t.Fatal(err)
		}
		wantRemoved, wantGone := e.id != names[3] && e.id != names[4], e.id != names[3]
		if removed != wantRemoved || gone != wantGone {
			t.Errorf("%v: removed %v, gone %v", e, removed, gone)
		}
	}
}

func TestTrimTemps(t *testing.T) {
	s, names, now := tenBlobs(t)
	old, young := s.path(blobs, names[0])+tempMark+"0", s.path(blobs, names[0])+tempMark+"1"
	foreign := filepath.Join(filepath.Dir(old), "README")
	for _, path := range []string{old, young, foreign} {
		if err := os.WriteFile(path, []byte("part"), 0o666); err != nil {
			t.Fatal(err)
		}
		setTime(t, path, now.Add(-48*time.Hour))
	}
	setTime(t, young, now.Add(-time.Minute))
	u, err := s.Stat()
	if err != nil {
		t.Fatal(err)
	}
	want := Usage{Blobs: 10, BlobBytes: 1000, Temps: 2, TempBytes: 8, Oldest: u.Oldest, Newest: u.Newest}
	if u != want || !u.Newest.Equal(now) || !u.Oldest.Equal(now.Add(-9*day)) {
		t.Errorf("usage %+v", u)
	}
	got, err := s.Trim(0, -1)
	if err != nil || got.Temps != 1 || got.Removed != 10 {
		t.Errorf("trim: %+v, %v", got, err)
	}
	for path, want := range map[string]bool{old: false, young: true, foreign: true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", filepath.Base(path), err)
		}
	}
}

func TestTrimDaily(t *testing.T) {
	s, _, now := tenBlobs(t)
	steps := []struct {
		after time.Duration
		ran   bool
	}{
		{0, true},
		{time.Hour, false},
		{23 * time.Hour, false},
		{25 * time.Hour, true},
		{26 * time.Hour, false},
		{-48 * time.Hour, true}, // the clock was put back
	}
	for _, step := range steps {
		s.now = func() time.Time { return now.Add(step.after) }
		if _, ran, err := s.TrimDaily(500, -1); ran != step.ran || err != nil {
			t.Errorf("after %v: ran %v, %v", step.after, ran, err)
		}
	}
	if u, err := s.Stat(); err != nil || u.Blobs != 5 {
		t.Errorf("usage %+v, %v", u, err)
	}
}

func TestTrimDailyFails(t *testing.T) {
	s := open(t)
	if err := os.Mkdir(filepath.Join(s.root, "trimmed"), 0o777); err != nil {
		t.Fatal(err)
	}
	setTime(t, filepath.Join(s.root, "trimmed"), time.Now().Add(-2*day))
	if _, ran, err := s.TrimDaily(0, -1); ran || err == nil || !strings.Contains(err.Error(), s.Dir()) {
		t.Errorf("ran %v, %v", ran, err)
	}
}
