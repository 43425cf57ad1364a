package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Limits for [Store.TrimDaily] that suit a developer's machine.
const (
	DefaultMaxBytes = 10 << 30
	DefaultMaxAge   = 30 * day
)

// tempAge is how long a temporary file may exist. Writing takes far less, so an
// older one was left by a killed process.
const tempAge = time.Hour

// Trimmed says what a trim removed and what it left.
type Trimmed struct {
	Removed      int
	RemovedBytes int64
	Kept         int
	KeptBytes    int64
	Temps        int // left-over temporary files removed
}

// Trim removes entries not used for longer than maxAge and then, least recently
// used first, as many as are needed for the rest to be at most maxBytes long. A
// negative limit is none; maxBytes 0 removes everything.
//
// Readers and writers need not stop. An entry used while Trim runs is kept if
// Trim sees that in time, else it becomes a miss. Trim goes on past entries that
// it cannot remove and returns the first such error.
func (s *Store) Trim(maxBytes int64, maxAge time.Duration) (Trimmed, error) {
	var t Trimmed
	if s.off() {
		return t, nil
	}
	entries, temps, err := s.list()
	if err != nil {
		return t, err
	}
	now := s.now()
	var first error
	for _, tmp := range temps {
		if now.Sub(tmp.made) < tempAge {
			continue
		}
		if err := os.Remove(tmp.path); err == nil {
			t.Temps++
		} else if !errors.Is(err, fs.ErrNotExist) && first == nil {
			first = err
		}
	}

	var total int64
	for _, e := range entries {
		total += e.size
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.kind, b.kind), bytes.Compare(a.id[:], b.id[:]))
	})
	for _, e := range entries {
		old := maxAge >= 0 && now.Sub(e.used) > maxAge
		if !old && (maxBytes < 0 || total <= maxBytes) {
			t.Kept++
			t.KeptBytes += e.size
			continue
		}
		removed, gone, err := s.removeUnused(e)
		if err != nil && first == nil {
			first = err
		}
		if gone {
			total -= e.size
		} else {
			t.Kept++
			t.KeptBytes += e.size
		}
		if removed {
			t.Removed++
			t.RemovedBytes += e.size
		}
	}
	if first != nil {
		return t, fmt.Errorf("cannot trim cache directory %s: %w", s.dir, first)
	}
	return t, nil
}

// removeUnused removes an entry unless it was used since it was listed. It
// tells whether it removed it, and whether it is gone: somebody else may have
// removed it before.
func (s *Store) removeUnused(e entry) (removed, gone bool, err error) {
	path := s.path(e.kind, e.id)
	info, err := os.Stat(path)
	if err == nil {
		if !info.ModTime().Equal(e.used) {
			return false, false, nil
		}
		err = os.Remove(path)
	}
	switch {
	case err == nil:
		return true, true, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, true, nil
	}
	return false, false, err
}

// TrimDaily does what Trim does unless it was done within the last day, by this
// or any other process, and tells whether it ran. It is cheap to call at the end
// of every run.
func (s *Store) TrimDaily(maxBytes int64, maxAge time.Duration) (t Trimmed, ran bool, err error) {
	if s.off() {
		return t, false, nil
	}
	now := s.now()
	marker := filepath.Join(s.root, "trimmed")
	if info, err := os.Stat(marker); err == nil {
		if age := now.Sub(info.ModTime()); -day < age && age < day {
			return t, false, nil
		}
	}
	// Marked before the work, so that processes which end at the same time do not
	// all do it. If two get here together no harm is done.
	err = os.WriteFile(marker, nil, 0o666)
	if err == nil {
		err = os.Chtimes(marker, now, now)
	}
	if err != nil {
		return t, false, fmt.Errorf("cannot trim cache directory %s: %w", s.dir, err)
	}
	t, err = s.Trim(maxBytes, maxAge)
	return t, true, err
}
