package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// A corruptError says in which way the bytes of an entry are not what was
// written.
type corruptError string

func (e corruptError) Error() string { return "damaged: " + string(e) }

// readFile returns the bytes of an entry and its time of change. It refuses
// files longer than limit.
func readFile(path string, limit int64) ([]byte, time.Time, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, time.Time{}, err
	}
	if info.Size() > limit {
		return nil, time.Time{}, corruptError("too long")
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = corruptError("shorter than its length")
		}
		return nil, time.Time{}, err
	}
	return data, info.ModTime(), nil
}

// writeFile makes path hold data in one step. It does not wait for the disk: an
// entry lost or cut short by a crash is found out by its digest.
func writeFile(path string, data []byte) error {
	f, err := createTemp(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o777); err == nil {
			f, err = createTemp(path)
		}
	}
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		// Some systems do not replace a file that another process is reading. What
		// it reads was written for the same name, and so is as good as ours.
		if info, serr := os.Stat(path); serr == nil && info.Mode().IsRegular() && errors.Is(err, fs.ErrPermission) {
			return nil
		}
	}
	return err
}

// tempMark stands between the name of an entry and a random number in the name
// of a temporary file.
const tempMark = ".tmp"

// createTemp makes a new file next to path, with the permissions that the
// user's mask leaves: a cache may be shared by a group.
func createTemp(path string) (*os.File, error) {
	for tries := 0; ; tries++ {
		name := fmt.Sprintf("%s%s%016x", path, tempMark, rand.Uint64())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil || tries == 100 || !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}
