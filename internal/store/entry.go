package store

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A kind is one of the two maps of the store, and the name of its directory.
type kind string

const (
	actions kind = "action"
	blobs   kind = "blob"
)

// path returns where an entry lies. Keys and digests are both 32 bytes; the
// kind tells them apart.
func (s *Store) path(k kind, id [32]byte) string {
	name := hex.EncodeToString(id[:])
	return filepath.Join(s.root, string(k), name[:2], name)
}

// An entry is a file of the store as a listing found it.
type entry struct {
	kind kind
	id   [32]byte
	size int64
	used time.Time // last use, to the day
}

// A temp is a temporary file: an entry being written, or what a killed process
// left.
type temp struct {
	path string
	size int64
	made time.Time
}

// list returns all entries and temporary files, in the order of their paths.
// What vanishes meanwhile is left out. Files with other names are not ours and
// are passed over.
func (s *Store) list() (entries []entry, temps []temp, err error) {
	for _, k := range []kind{actions, blobs} {
		fans, err := readDir(filepath.Join(s.root, string(k)))
		if err != nil {
			return nil, nil, s.listError(err)
		}
		for _, fan := range fans {
			if !fan.IsDir() || len(fan.Name()) != 2 {
				continue
			}
			dir := filepath.Join(s.root, string(k), fan.Name())
			files, err := readDir(dir)
			if err != nil {
				return nil, nil, s.listError(err)
			}
			for _, f := range files {
				name, suffix, isTemp := strings.Cut(f.Name(), tempMark)
				id, ok := parseName(name)
				if !ok || name[:2] != fan.Name() || isTemp && suffix == "" {
					continue
				}
				info, err := f.Info()
				if errors.Is(err, fs.ErrNotExist) {
					continue
				}
				if err != nil {
					return nil, nil, s.listError(err)
				}
				if isTemp {
					temps = append(temps, temp{filepath.Join(dir, f.Name()), info.Size(), info.ModTime()})
				} else {
					entries = append(entries, entry{k, id, info.Size(), info.ModTime()})
				}
			}
		}
	}
	return entries, temps, nil
}

func (s *Store) listError(err error) error {
	return fmt.Errorf("cannot list cache directory %s: %w", s.dir, err)
}

// readDir lists a directory which may be missing.
func readDir(dir string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

// parseName is the inverse of the name given by path.
func parseName(name string) (id [32]byte, ok bool) {
	if len(name) != hex.EncodedLen(len(id)) || strings.ToLower(name) != name {
		return id, false
	}
	_, err := hex.Decode(id[:], []byte(name))
	return id, err == nil
}

// Usage describes the contents of a cache directory. Sizes are lengths of
// files.
type Usage struct {
	Records, Blobs         int
	RecordBytes, BlobBytes int64
	// Temporary files: entries being written, or left by killed processes and
	// removed by the next Trim.
	Temps     int
	TempBytes int64
	// When the entry used least recently and the one used most recently were
	// used, to the day. Zero if there are no entries.
	Oldest, Newest time.Time
}

// Entries returns the number of records and blobs.
func (u Usage) Entries() int { return u.Records + u.Blobs }

// Bytes returns the length of all records and blobs.
func (u Usage) Bytes() int64 { return u.RecordBytes + u.BlobBytes }

// Stat describes what the store holds now.
func (s *Store) Stat() (Usage, error) {
	var u Usage
	if s.off() {
		return u, nil
	}
	entries, temps, err := s.list()
	if err != nil {
		return u, err
	}
	for _, e := range entries {
		switch e.kind {
		case actions:
			u.Records++
			u.RecordBytes += e.size
		case blobs:
			u.Blobs++
			u.BlobBytes += e.size
		}
		if u.Oldest.IsZero() || e.used.Before(u.Oldest) {
			u.Oldest = e.used
		}
		if e.used.After(u.Newest) {
			u.Newest = e.used
		}
	}
	for _, t := range temps {
		u.Temps++
		u.TempBytes += t.size
	}
	return u, nil
}
