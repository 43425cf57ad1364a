package store

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Verified is the result of [Store.Verify].
type Verified struct {
	Records, Blobs int   // entries read, damaged ones included
	Bytes          int64 // length of the entries read

	Problems []Problem // in the order of their paths
	Corrupt  int       // problems that are damage

	// Dangling counts records naming a blob that is not there. It was trimmed or
	// damaged; the work of such a record is done again when the blob is needed.
	Dangling int
}

// A Problem is an entry that Verify could not vouch for.
type Problem struct {
	Path    string
	Err     error
	Removed bool // damaged entries are; unreadable ones are left alone
}

// Verify reads every entry, and removes those whose bytes are not what was
// written. It returns an error only if the directory cannot be listed.
func (s *Store) Verify() (Verified, error) {
	var v Verified
	if s.off() {
		return v, nil
	}
	entries, _, err := s.list()
	if err != nil {
		return v, err
	}
	var records []Record
	buf := make([]byte, 1<<20)
	for _, e := range entries {
		path := s.path(e.kind, e.id)
		var err error
		if e.kind == blobs {
			err = checkBlob(path, e.id, buf)
		} else {
			var r Record
			if r, err = checkRecord(path, e.id); err == nil {
				records = append(records, r)
			}
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if e.kind == blobs {
			v.Blobs++
		} else {
			v.Records++
		}
		v.Bytes += e.size
		if err == nil {
			continue
		}
		p := Problem{Path: path, Err: err}
		var damage corruptError
		if errors.As(err, &damage) {
			v.Corrupt++
			p.Removed = os.Remove(path) == nil
		}
		v.Problems = append(v.Problems, p)
	}
	// Last, so that blobs just removed count as missing and those just written
	// do not.
	for _, r := range records {
		if !s.complete(r) {
			v.Dangling++
		}
	}
	return v, nil
}

func (s *Store) complete(r Record) bool {
	for _, d := range r.Blobs {
		if _, err := os.Stat(s.path(blobs, d)); errors.Is(err, fs.ErrNotExist) {
			return false
		}
	}
	return true
}

func checkRecord(path string, k Key) (Record, error) {
	data, _, err := readFile(path, maxRecord)
	if err != nil {
		return Record{}, err
	}
	return decodeRecord(k, data)
}

// checkBlob hashes a blob through buf, without holding it in memory whole.
func checkBlob(path string, d Digest, buf []byte) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	// The anonymous structs hide methods that would bypass buf.
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, buf); err != nil {
		return err
	}
	if Digest(h.Sum(nil)) != d {
		return corruptError("digest does not match")
	}
	return nil
}
