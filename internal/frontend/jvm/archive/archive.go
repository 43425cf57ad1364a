package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// Config says how archives are read. The zero value is the recommended setting.
type Config struct {
	// Release is the version of Java for which multi-release jars are read,
	// e.g. 17. 0 takes the newest version that a jar has.
	Release int
}

// Archive is one place that has classes. Close it when it is not needed.
type Archive struct {
	name     string
	src      container
	classes  []string       // sorted internal names
	entries  []int          // of classes, in the container
	byName   map[string]int // resources, after versions were picked
	modules  []string       // resource names of module-info classes
	manifest *Manifest      // never nil
	nested   []*Archive     // jars within, by name
	problems []Problem      // found while opening
	closer   func() error   // nil for archives within others
}

// container is what a kind of archive does: it has numbered entries.
type container interface {
	// read returns the contents of an entry if they have no more than max bytes.
	read(entry int, max int64) ([]byte, error)
}

// Problem is something that could not be read and was passed over.
type Problem struct {
	Archive string // name of the place
	Entry   string // the class or entry, "" for the place itself
	Err     error
}

func (p Problem) String() string {
	if p.Entry == "" {
		return fmt.Sprintf("%s: %v", p.Archive, p.Err)
	}
	return fmt.Sprintf("%s: %s: %v", p.Archive, p.Entry, p.Err)
}

const (
	// maxEntry bounds a class or resource. The greatest class that the format
	// allows is bounded by 65,535 methods of 65,535 bytes, but no compiler makes
	// classes beyond a few megabytes.
	maxEntry = 64 << 20
	// maxNested bounds the memory for compressed jars within one archive.
	maxNested = 1 << 30
	// maxDepth bounds archives within archives: a jar in a war in an ear.
	maxDepth = 3
)

// Open opens a directory, a jar, war, ear or jmod, a run-time image, or a single
// class file. What it is, is told by its first bytes.
func Open(path string, cfg Config) (*Archive, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return openDir(path)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is neither a file nor a directory", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	budget := int64(maxNested)
	a, err := openBytes(path, f, info.Size(), cfg, 0, &budget)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	a.closer = f.Close
	return a, nil
}

// openBytes opens an archive that is a file or an entry of another. budget is
// what is left of maxNested.
func openBytes(name string, r io.ReaderAt, size int64, cfg Config, depth int, budget *int64) (*Archive, error) {
	var head [4]byte
	if n, err := r.ReadAt(head[:], 0); n < len(head) {
		if err == io.EOF {
			err = errors.New("not an archive: fewer than four bytes")
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	be, le := binary.BigEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[:])
	switch {
	case be == imageMagic || le == imageMagic:
		return openImage(name, r, size)
	case be == 0xCAFEBABE:
		return openClass(name, r, size)
	case be == jmodMagic:
		return openZip(name, io.NewSectionReader(r, 4, size-4), size-4, jmodRoots, cfg, depth, budget)
	}
	return openZip(name, r, size, jarRoots, cfg, depth, budget)
}

// Name is the path that the archive was opened by; for one within another the
// path of that, "!/" and the entry.
func (a *Archive) Name() string { return a.name }

// Classes returns the internal names of the classes, sorted. They are the names
// of entries: whether an entry has the class of its name is found out by
// reading it. Neither archives within nor descriptors of modules are included.
func (a *Archive) Classes() []string { return a.classes }

// Nested returns the archives within that containers take classes from.
func (a *Archive) Nested() []*Archive { return a.nested }

// Modules returns the names of the resources that describe modules.
func (a *Archive) Modules() []string { return a.modules }

// Manifest returns the manifest; an empty one if there is none.
func (a *Archive) Manifest() *Manifest { return a.manifest }

// Problems returns what was passed over while opening: nested archives that
// could not be opened.
func (a *Archive) Problems() []Problem { return a.problems }

// Has reports whether the archive has a class.
func (a *Archive) Has(class string) bool {
	_, ok := slices.BinarySearch(a.classes, class)
	return ok
}

// Read returns the bytes of a class. The error is fs.ErrNotExist if there is
// none.
func (a *Archive) Read(class string) ([]byte, error) {
	i, ok := slices.BinarySearch(a.classes, class)
	if !ok {
		return nil, &fs.PathError{Op: "read class", Path: a.name + ": " + class, Err: fs.ErrNotExist}
	}
	b, err := a.src.read(a.entries[i], maxEntry)
	if err != nil {
		return nil, fmt.Errorf("%s: class %s: %w", a.name, class, err)
	}
	return b, nil
}

// Class reads and parses a class. That the class has another name than its
// entry is a *MisplacedError.
func (a *Archive) Class(name string) (*classfile.Class, error) {
	b, err := a.Read(name)
	if err != nil {
		return nil, err
	}
	k, err := classfile.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: entry of %s: %w", a.name, name, err)
	}
	if k.Name != name {
		return nil, &MisplacedError{Archive: a.name, Entry: name, Class: k}
	}
	return k, nil
}

// MisplacedError says that an entry has a class of another name: the Java
// machine refuses it, except for a class loader of the program's own that looks
// for it there.
type MisplacedError struct {
	Archive string
	Entry   string // the class that the entry should have
	Class   *classfile.Class
}

func (e *MisplacedError) Error() string {
	return fmt.Sprintf("%s: entry of %s has the class %s", e.Archive, e.Entry, e.Class.Name)
}

// HasResource reports whether the archive has an entry.
func (a *Archive) HasResource(name string) bool {
	_, ok := a.byName[name]
	return ok
}

// Resource returns the bytes of an entry, e.g. META-INF/services/x.Y. In an
// image names begin with the module. The error is fs.ErrNotExist if there is
// none.
func (a *Archive) Resource(name string) ([]byte, error) {
	entry, ok := a.byName[name]
	if !ok {
		return nil, &fs.PathError{Op: "read resource", Path: a.name + ": " + name, Err: fs.ErrNotExist}
	}
	b, err := a.src.read(entry, maxEntry)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", a.name, name, err)
	}
	return b, nil
}

// Resources returns the names of the resources below a directory, sorted, e.g.
// of META-INF/services.
func (a *Archive) Resources(dir string) []string {
	var out []string
	for name := range a.byName {
		if strings.HasPrefix(name, dir+"/") && !strings.HasSuffix(name, "/") {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// Close closes the file below. The archives within must not be used afterwards.
func (a *Archive) Close() error {
	if a.closer == nil {
		return nil
	}
	return a.closer()
}

// setClasses sorts the classes that were found.
func (a *Archive) setClasses(found map[string]int) {
	a.classes = make([]string, 0, len(found))
	for name := range found {
		a.classes = append(a.classes, name)
	}
	slices.Sort(a.classes)
	a.entries = make([]int, len(a.classes))
	for i, name := range a.classes {
		a.entries[i] = found[name]
	}
}

// className returns the internal name of the class that an entry must have.
func className(entry string) (string, bool) {
	name, ok := strings.CutSuffix(entry, ".class")
	if !ok || name == "" || strings.HasSuffix(name, "/") {
		return "", false
	}
	return name, true
}

// isModuleInfo reports whether an entry describes a module.
func isModuleInfo(entry string) bool {
	return entry == "module-info.class" || strings.HasSuffix(entry, "/module-info.class")
}

// openClass opens a class file as an archive of one class.
func openClass(name string, r io.ReaderAt, size int64) (*Archive, error) {
	if size > maxEntry {
		return nil, fmt.Errorf("%s: class file of %d bytes, more than %d", name, size, maxEntry)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), b); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	k, err := classfile.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	a := &Archive{name: name, src: oneEntry(b), manifest: &Manifest{}, byName: map[string]int{}}
	if k.Module == nil {
		a.setClasses(map[string]int{k.Name: 0})
	}
	return a, nil
}

// oneEntry is the container of a single class file.
type oneEntry []byte

func (o oneEntry) read(int, int64) ([]byte, error) { return bytes.Clone(o), nil }
