package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// writerEnv makes the test binary act as a second process that shares the
// directory it names; see TestTwoProcesses.
const writerEnv = "STORE_TEST_WRITER_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerEnv); dir != "" {
		if err := hammer(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func open(t testing.TB) *Store {
	t.Helper()
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t testing.TB, s *Store, data []byte) Digest {
	t.Helper()
	d, err := s.Put(data)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func putAction(t testing.TB, s *Store, k Key, r Record) {
	t.Helper()
	if err := s.PutAction(k, r); err != nil {
		t.Fatal(err)
	}
}

func keyOf(name string) Key { return NewKey(name).Sum() }

func TestRoundTrip(t *testing.T) {
	s := open(t)
	var r Record
	for _, data := range [][]byte{{}, []byte("unit"), bytes.Repeat([]byte{0, 1, 255}, 100_000)} {
		d := put(t, s, data)
		if d != Sum(data) {
			t.Errorf("digest of %d bytes is %v, want %v", len(data), d, Sum(data))
		}
		got, ok := s.Get(d)
		if !ok || !bytes.Equal(got, data) {
			t.Errorf("blob of %d bytes: got %d bytes, %v", len(data), len(got), ok)
		}
		r.Blobs = append(r.Blobs, d)
	}
	r.Note = []byte("note")
	k := keyOf("work")
	if _, ok := s.GetAction(k); ok {
		t.Error("record found before it was put")
	}
	for _, r := range []Record{r, {}, {Note: []byte{0}}, {Blobs: r.Blobs[:1]}} {
		putAction(t, s, k, r)
		got, ok := s.GetAction(k)
		if !ok || !equal(got, r) {
			t.Errorf("record: got %v, %v, want %v", got, ok, r)
		}
	}
	if _, ok := s.Get(Sum([]byte("absent"))); ok {
		t.Error("blob found that was never put")
	}
	// Bytes read: three blobs (0, 4 and 300,000), then four records of 76 bytes
	// plus three blobs and note, nothing, one byte, one blob.
	want := Counters{
		ActionHits: 4, ActionMisses: 1, BlobHits: 3, BlobMisses: 1,
		BytesRead: 300_004 + 4*76 + 4*32 + 4 + 1,
		Written:   7, BytesWritten: 300_004 + 4*76 + 4*32 + 4 + 1,
	}
	if got := s.Counters(); got != want {
		t.Errorf("counters\n got %+v\nwant %+v", got, want)
	}
}

func equal(a, b Record) bool {
	if len(a.Blobs) != len(b.Blobs) || !bytes.Equal(a.Note, b.Note) {
		return false
	}
	for i := range a.Blobs {
		if a.Blobs[i] != b.Blobs[i] {
			return false
		}
	}
	return true
}

func TestReopenFindsEntries(t *testing.T) {
	s := open(t)
	d := put(t, s, []byte("unit"))
	again, err := Open(s.Dir())
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := again.Get(d); !ok || string(got) != "unit" {
		t.Errorf("got %q, %v", got, ok)
	}
	put(t, again, []byte("unit"))
	if c := again.Counters(); c.Present != 1 || c.Written != 0 {
		t.Errorf("putting what is there: %+v", c)
	}
}

func TestOff(t *testing.T) {
	for name, s := range map[string]*Store{"nil": nil, "off": Off()} {
		d, err := s.Put([]byte("unit"))
		if err != nil || d != Sum([]byte("unit")) {
			t.Errorf("%s: Put: %v, %v", name, d, err)
		}
		if _, ok := s.Get(d); ok {
			t.Errorf("%s: Get hit", name)
		}
		k := keyOf("work")
		if err := s.PutAction(k, Record{}); err != nil {
			t.Errorf("%s: PutAction: %v", name, err)
		}
		if _, ok := s.GetAction(k); ok {
			t.Errorf("%s: GetAction hit", name)
		}
		if u, err := s.Stat(); u.Entries() != 0 || err != nil {
			t.Errorf("%s: Stat: %+v, %v", name, u, err)
		}
		if r, err := s.Trim(0, 0); r != (Trimmed{}) || err != nil {
			t.Errorf("%s: Trim: %+v, %v", name, r, err)
		}
		if _, ran, err := s.TrimDaily(0, 0); ran || err != nil {
			t.Errorf("%s: TrimDaily: %v, %v", name, ran, err)
		}
		if v, err := s.Verify(); v.Blobs != 0 || err != nil {
			t.Errorf("%s: Verify: %+v, %v", name, v, err)
		}
		if c := s.Counters(); c != (Counters{}) || s.Dir() != "" {
			t.Errorf("%s: counters %+v, dir %q", name, c, s.Dir())
		}
	}
}

// damages are accidents that befall a file of at least two bytes.
var damages = []struct {
	name string
	do   func(data []byte) []byte
}{
	{"flipped bit", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }},
	{"truncated", func(b []byte) []byte { return b[:len(b)-1] }},
	{"emptied", func(b []byte) []byte { return nil }},
	{"longer", func(b []byte) []byte { return append(b, 0) }},
	{"zeroed", func(b []byte) []byte { return make([]byte, len(b)) }},
}

func damage(t *testing.T, path string, do func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, do(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedBlobIsAMiss(t *testing.T) {
	for _, tt := range damages {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			d := put(t, s, []byte("some unit"))
			damage(t, s.path(blobs, d), tt.do)
			if _, ok := s.Get(d); ok {
				t.Error("damaged blob returned")
			}
			if c := s.Counters(); c.Corrupt != 1 || c.BlobMisses != 1 {
				t.Errorf("counters %+v", c)
			}
			if _, err := os.Stat(s.path(blobs, d)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("damaged blob left behind: %v", err)
			}
			put(t, s, []byte("some unit"))
			if got, ok := s.Get(d); !ok || string(got) != "some unit" {
				t.Errorf("after writing it anew: %q, %v", got, ok)
			}
		})
	}
}

func TestDamagedRecordIsAMiss(t *testing.T) {
	for _, tt := range damages {
		t.Run(tt.name, func(t *testing.T) {
			s := open(t)
			k := keyOf("work")
			r := Record{Blobs: []Digest{Sum(nil)}, Note: []byte("note")}
			putAction(t, s, k, r)
			damage(t, s.path(actions, k), tt.do)
			if _, ok := s.GetAction(k); ok {
				t.Error("damaged record returned")
			}
			if c := s.Counters(); c.Corrupt != 1 || c.ActionMisses != 1 {
				t.Errorf("counters %+v", c)
			}
			putAction(t, s, k, r)
			if got, ok := s.GetAction(k); !ok || !equal(got, r) {
				t.Errorf("after writing it anew: %v, %v", got, ok)
			}
		})
	}
}

func TestRecordUnderAnotherKeyIsAMiss(t *testing.T) {
	s := open(t)
	a, b := keyOf("a"), keyOf("b")
	putAction(t, s, a, Record{Note: []byte("of a")})
	putAction(t, s, b, Record{})
	if err := os.Rename(s.path(actions, a), s.path(actions, b)); err != nil {
		t.Fatal(err)
	}
	if r, ok := s.GetAction(b); ok {
		t.Errorf("got the record %q of another key", r.Note)
	}
}

func TestRecordTooLong(t *testing.T) {
	s := open(t)
	err := s.PutAction(keyOf("work"), Record{Note: make([]byte, maxRecord)})
	if err == nil || s.Counters().WriteErrors != 1 {
		t.Errorf("got %v, counters %+v", err, s.Counters())
	}
}

// hammer makes many goroutines put and get the same few entries in dir, and
// fails if anything read is wrong or anything written cannot be read.
func hammer(dir string) error {
	s, err := Open(dir)
	if err != nil {
		return err
	}
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for g := range errs {
		wg.Go(func() {
			for i := range 200 {
				if errs[g] = putGet(s, strconv.Itoa((g+i)%25)); errs[g] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if c := s.Counters(); c.Corrupt != 0 || c.ReadErrors != 0 || c.WriteErrors != 0 {
		errs = append(errs, fmt.Errorf("counters %+v", c))
	}
	return errors.Join(errs...)
}

func putGet(s *Store, name string) error {
	data := bytes.Repeat([]byte(name), 5000)
	d, err := s.Put(data)
	if err != nil {
		return err
	}
	if err := s.PutAction(keyOf(name), Record{Blobs: []Digest{d}}); err != nil {
		return err
	}
	r, ok := s.GetAction(keyOf(name))
	if !ok || len(r.Blobs) != 1 {
		return fmt.Errorf("%s: record %v, %v", name, r, ok)
	}
	if got, ok := s.Get(r.Blobs[0]); !ok || !bytes.Equal(got, data) {
		return fmt.Errorf("%s: got %d bytes, %v", name, len(got), ok)
	}
	return nil
}

func TestManyGoroutines(t *testing.T) {
	if err := hammer(t.TempDir()); err != nil {
		t.Error(err)
	}
}

func TestTwoProcesses(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			cmd := exec.Command(exe)
			cmd.Env = append(os.Environ(), writerEnv+"="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	u, err := s.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if u.Records != 25 || u.Blobs != 25 || u.Temps != 0 {
		t.Errorf("left behind: %+v", u)
	}
}

// Trimming and verifying while others write may cost hits but never yields
// wrong bytes or an error.
func TestTrimAgainstWriters(t *testing.T) {
	s := open(t)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := s.Trim(0, -1); err != nil {
				t.Error(err)
			}
			if v, err := s.Verify(); err != nil || v.Problems != nil {
				t.Errorf("verify: %+v, %v", v, err)
			}
		}
	})
	var writers sync.WaitGroup
	for g := range 4 {
		writers.Go(func() {
			for i := range 200 {
				data := bytes.Repeat([]byte{byte(g), byte(i)}, 1000)
				d, err := s.Put(data)
				if err != nil {
					t.Error(err)
				}
				if got, ok := s.Get(d); ok && !bytes.Equal(got, data) {
					t.Error("wrong bytes")
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	wg.Wait()
	if c := s.Counters(); c.Corrupt != 0 || c.WriteErrors != 0 || c.ReadErrors != 0 {
		t.Errorf("counters %+v", c)
	}
}

func TestOpenBelowFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "cache"), ""} {
		_, err := Open(dir)
		if err == nil {
			t.Errorf("Open(%q): no error", dir)
			continue
		}
		for _, want := range []string{dir, "--cache DIR", "--cache=off"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Open(%q): %q does not mention %q", dir, err, want)
			}
		}
	}
}

// A file where a directory is wanted makes writing and reading fail for
// everybody, root included.
func TestFailingDirectory(t *testing.T) {
	s := open(t)
	for _, k := range []kind{actions, blobs} {
		if err := os.WriteFile(filepath.Join(s.root, string(k)), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	d, err := s.Put([]byte("unit"))
	if d != Sum([]byte("unit")) {
		t.Errorf("digest %v is wrong", d)
	}
	checkWriteError(t, s, err, 1)
	checkWriteError(t, s, s.PutAction(keyOf("work"), Record{}), 2)
	if _, ok := s.Get(d); ok {
		t.Error("Get hit")
	}
	if _, ok := s.GetAction(keyOf("work")); ok {
		t.Error("GetAction hit")
	}
	// Windows says of a path below a file that it does not exist.
	if c := s.Counters(); runtime.GOOS != "windows" && (c.ReadErrors != 2 || !strings.Contains(c.FirstReadError.Error(), s.Dir())) {
		t.Errorf("reads below a file: %+v", c)
	}
	if _, err := s.Stat(); err == nil || !strings.Contains(err.Error(), s.Dir()) {
		t.Errorf("Stat: %v", err)
	}
}

func checkWriteError(t *testing.T, s *Store, err error, count int64) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{s.Dir(), "--cache DIR", "--cache=off"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if c := s.Counters(); c.WriteErrors != count || c.FirstWriteError == nil {
		t.Errorf("counters %+v, want %d write errors", c, count)
	}
}

func TestReadOnlyDirectory(t *testing.T) {
	if os.Geteuid() <= 0 {
		t.Skip("permissions do not bind root, and Windows has others; TestFailingDirectory covers the error path")
	}
	s := open(t)
	d := put(t, s, []byte("unit"))
	chmodAll(t, s.Dir(), 0o555)
	defer chmodAll(t, s.Dir(), 0o777)
	ro, err := Open(s.Dir())
	if err != nil {
		t.Fatalf("a cache that can only be read is of use: %v", err)
	}
	if _, ok := ro.Get(d); !ok {
		t.Error("Get missed")
	}
	_, err = ro.Put([]byte("other"))
	checkWriteError(t, ro, err, 1)
	if _, err := Open(filepath.Join(s.Dir(), "below")); err == nil || !strings.Contains(err.Error(), "--cache DIR") {
		t.Errorf("Open below a read-only directory: %v", err)
	}
	chmodAll(t, s.Dir(), 0o000)
	if _, err := Open(s.Dir()); err == nil {
		t.Error("Open of an unreadable directory: no error")
	}
}

func chmodAll(t *testing.T, dir string, mode fs.FileMode) {
	t.Helper()
	var dirs []string
	// The way down needs permissions that the way up takes away.
	if mode == 0o777 {
		os.Chmod(dir, mode)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			if mode == 0o777 {
				err = os.Chmod(path, mode)
			}
			dirs = append(dirs, path)
		}
		return err
	})
	for i := len(dirs) - 1; err == nil && i >= 0; i-- {
		err = os.Chmod(dirs[i], mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The directory may be removed under a running process.
func TestDirectoryRemoved(t *testing.T) {
	s := open(t)
	d := put(t, s, []byte("unit"))
	if err := os.RemoveAll(s.Dir()); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(d); ok {
		t.Error("hit in a removed directory")
	}
	put(t, s, []byte("unit"))
	if _, ok := s.Get(d); !ok {
		t.Error("miss after writing anew")
	}
}

func TestUseRenewsTime(t *testing.T) {
	s := open(t)
	now := time.Date(2030, 1, 10, 12, 0, 0, 0, time.UTC)
	s.now = func() time.Time { return now }
	used, unused := put(t, s, []byte("used")), put(t, s, []byte("not used"))
	k := keyOf("work")
	putAction(t, s, k, Record{Blobs: []Digest{unused}})
	paths := map[string]string{"record": s.path(actions, k), "blob": s.path(blobs, used), "blob of record": s.path(blobs, unused)}
	for _, tt := range []struct {
		age   time.Duration
		renew bool
	}{
		{23 * time.Hour, false},
		{25 * time.Hour, true},
		{-23 * time.Hour, false},
		{-1000 * time.Hour, true}, // a wrong clock
	} {
		before := now.Add(-tt.age)
		for _, path := range paths {
			setTime(t, path, before)
		}
		if _, ok := s.Get(used); !ok {
			t.Fatal("miss")
		}
		if _, ok := s.GetAction(k); !ok {
			t.Fatal("miss")
		}
		want := before
		if tt.renew {
			want = now
		}
		for name, path := range paths {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if !info.ModTime().Equal(want) {
				t.Errorf("age %v: %s has time %v, want %v", tt.age, name, info.ModTime(), want)
			}
		}
	}
}

func setTime(t testing.TB, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}
