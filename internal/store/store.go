package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
)

// A Store is one cache directory. All methods may be called from any number of
// goroutines. A nil Store and the one made by [Off] work too: they never hit.
type Store struct {
	dir  string           // as given to Open, made absolute; empty means off
	root string           // version directory below dir
	now  func() time.Time // replaced by tests
	n    tally
}

// layoutVersion names the directory below which everything lies. It changes
// with the layout or the encoding of records, so that programs of different
// versions can share one cache directory.
const layoutVersion = "v1"

// maxBlob bounds the length of a blob. It keeps lengths within an int on
// every platform; a longer file cannot be one of ours.
const maxBlob = 1<<31 - 1

// day is how exactly the last use of an entry is known: its time of change is
// renewed on use if older than that, so that a warm run writes nothing.
const day = 24 * time.Hour

// Open returns the store kept in dir, which is made if missing. A directory
// that can be read but not written is accepted: its entries are useful, and
// only Put will fail.
func Open(dir string) (*Store, error) {
	if dir == "" {
		return nil, errors.New("no cache directory given (name one with --cache DIR, or use --cache=off)")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, openError(dir, err)
	}
	root := filepath.Join(abs, layoutVersion)
	if err := os.MkdirAll(root, 0o777); err != nil {
		return nil, openError(abs, err)
	}
	// Making the directory says nothing about reading it when it was there
	// already, and without this check every look-up would be a silent miss.
	f, err := os.Open(root)
	if err != nil {
		return nil, openError(abs, err)
	}
	defer f.Close()
	if _, err := f.Readdirnames(1); err != nil && err != io.EOF {
		return nil, openError(abs, err)
	}
	return &Store{dir: abs, root: root, now: time.Now}, nil
}

func openError(dir string, err error) error {
	return fmt.Errorf("cannot use cache directory %s: %w (choose another with --cache DIR, or use --cache=off)", dir, err)
}

// Off returns a store that never hits and keeps nothing.
func Off() *Store { return &Store{} }

func (s *Store) off() bool { return s == nil || s.root == "" }

// Dir returns the directory the store was opened with as an absolute path, or
// "" if the store is off.
func (s *Store) Dir() string {
	if s.off() {
		return ""
	}
	return s.dir
}

// Get returns the blob with the given digest, and whether it is there. The
// caller owns the bytes.
func (s *Store) Get(d Digest) ([]byte, bool) {
	if s.off() {
		return nil, false
	}
	path := s.path(blobs, d)
	data, used, err := readFile(path, maxBlob)
	if err == nil && Sum(data) != d {
		err = corruptError("digest does not match")
	}
	if err != nil {
		s.missed(path, err, &s.n.blobMisses)
		return nil, false
	}
	s.n.blobHits.Add(1)
	s.n.bytesRead.Add(int64(len(data)))
	s.touch(path, used)
	return data, true
}

// Put stores data and returns its digest, which is valid even if there is an
// error: a caller goes on without the cache, and the first such error is kept
// in [Counters].
func (s *Store) Put(data []byte) (Digest, error) {
	d := Sum(data)
	if s.off() {
		return d, nil
	}
	if len(data) > maxBlob {
		return d, s.writeFailed(fmt.Errorf("blob of %d bytes is over the limit of %d", len(data), maxBlob))
	}
	path := s.path(blobs, d)
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == int64(len(data)) {
		s.n.present.Add(1)
		s.touch(path, info.ModTime())
		return d, nil
	}
	return d, s.write(path, data)
}

// GetAction returns the record of k, and whether there is one. The blobs it
// names may have been trimmed since; see [Store.Get].
func (s *Store) GetAction(k Key) (Record, bool) {
	if s.off() {
		return Record{}, false
	}
	path := s.path(actions, k)
	var r Record
	data, used, err := readFile(path, maxRecord)
	if err == nil {
		r, err = decodeRecord(k, data)
	}
	if err != nil {
		s.missed(path, err, &s.n.actionMisses)
		return Record{}, false
	}
	s.n.actionHits.Add(1)
	s.n.bytesRead.Add(int64(len(data)))
	if s.touch(path, used) {
		// A blob that this run does not need, such as export data when nothing
		// changed, must not age away while its record is in use.
		for _, d := range r.Blobs {
			s.renew(s.path(blobs, d))
		}
	}
	return r, true
}

// PutAction stores the record of k. Every blob it names must have been put
// before. An error is treated as that of [Store.Put].
func (s *Store) PutAction(k Key, r Record) error {
	if s.off() {
		return nil
	}
	data, err := encodeRecord(k, r)
	if err != nil {
		return s.writeFailed(err)
	}
	return s.write(s.path(actions, k), data)
}

// write makes path hold data and counts the outcome.
func (s *Store) write(path string, data []byte) error {
	if err := writeFile(path, data); err != nil {
		return s.writeFailed(err)
	}
	s.n.written.Add(1)
	s.n.bytesWritten.Add(int64(len(data)))
	return nil
}

func (s *Store) writeFailed(err error) error {
	err = fmt.Errorf("cannot write to cache directory %s: %w (choose another with --cache DIR, or use --cache=off)", s.dir, err)
	s.n.failedWrite(err)
	return err
}

// missed counts a look-up without a result. A damaged entry is removed so that
// it is written anew and not found damaged again.
func (s *Store) missed(path string, err error, misses *atomic.Int64) {
	misses.Add(1)
	var damage corruptError
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &damage):
		s.n.corrupt.Add(1)
		os.Remove(path)
	default:
		s.n.failedRead(fmt.Errorf("cannot read from cache directory %s: %w (remove the directory, or choose another with --cache DIR)", s.dir, err))
	}
}

// touch renews the time of last use, given the one found, and tells whether
// that was due. A time far in the future, left by a wrong clock, is renewed too
// since it would keep the entry for ever.
func (s *Store) touch(path string, used time.Time) bool {
	age := s.now().Sub(used)
	if -day < age && age < day {
		return false
	}
	s.renew(path)
	return true
}

// renew is best effort: in a directory that cannot be written, last use does
// not matter as nobody trims it.
func (s *Store) renew(path string) {
	now := s.now()
	os.Chtimes(path, now, now)
}
