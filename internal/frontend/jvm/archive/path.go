package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// Path is a class path: archives in the order in which classes are looked for.
type Path struct {
	Archives []*Archive // archives within others follow those
	// Problems has what was passed over. Places that the manifest of a jar names
	// and that are not there are among them (their Err is fs.ErrNotExist); the
	// launcher does not mind these.
	Problems []Problem

	classes []string
	where   []int32 // the archive of each class
}

// OpenPath opens the places of a class path, and those that manifests add. "x/*"
// stands for all jars in the directory x. It is an error if a place cannot be
// opened.
func OpenPath(places []string, cfg Config) (*Path, error) {
	p := &Path{}
	seen := map[string]bool{}
	for _, place := range places {
		files := []string{place}
		if dir, ok := strings.CutSuffix(filepath.ToSlash(place), "/*"); ok || place == "*" {
			if place == "*" {
				dir = "."
			}
			var err error
			if files, err = jarsIn(filepath.FromSlash(dir)); err != nil {
				return nil, errors.Join(err, p.Close())
			}
		}
		for _, file := range files {
			if err := p.open(file, cfg, seen); err != nil {
				return nil, errors.Join(err, p.Close())
			}
		}
	}
	p.index()
	return p, nil
}

// jarsIn returns the jars of a directory, sorted.
func jarsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".jar") && !e.IsDir() {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// open adds a place and what its manifest names, unless it is there already.
func (p *Path) open(file string, cfg Config, seen map[string]bool) error {
	key, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if seen[key] {
		return nil
	}
	seen[key] = true
	a, err := Open(file, cfg)
	if err != nil {
		return err
	}
	p.add(a)
	p.Problems = append(p.Problems, a.problems...)
	if _, isDir := a.src.(*dir); isDir {
		return nil
	}
	for _, ref := range a.manifest.ClassPath() {
		next, err := relative(file, ref)
		if err == nil {
			err = p.open(next, cfg, seen)
		}
		if err != nil {
			p.Problems = append(p.Problems, Problem{file, "Class-Path " + ref, err})
		}
	}
	return nil
}

// add appends an archive and those within it.
func (p *Path) add(a *Archive) {
	p.Archives = append(p.Archives, a)
	for _, n := range a.nested {
		p.add(n)
	}
}

// relative resolves a URL of a Class-Path against the file of the jar.
func relative(jar, ref string) (string, error) {
	u, err := url.Parse(ref)
	if err != nil {
		return "", err
	}
	if u.Scheme != "" && u.Scheme != "file" || u.Host != "" {
		return "", fmt.Errorf("only files are read, not %s URLs", u.Scheme)
	}
	file := u.Path
	if file == "" { // file:x.jar, without a slash
		if file, err = url.PathUnescape(u.Opaque); err != nil {
			return "", err
		}
	}
	file = filepath.FromSlash(file)
	if filepath.IsAbs(file) {
		return file, nil
	}
	return filepath.Join(filepath.Dir(jar), file), nil
}

// index lists the classes, each with the first archive that has it.
func (p *Path) index() {
	first := map[string]int32{}
	for i, a := range p.Archives {
		for _, c := range a.classes {
			if _, ok := first[c]; !ok {
				first[c] = int32(i)
			}
		}
	}
	p.classes = make([]string, 0, len(first))
	for c := range first {
		p.classes = append(p.classes, c)
	}
	slices.Sort(p.classes)
	p.where = make([]int32, len(p.classes))
	for i, c := range p.classes {
		p.where[i] = first[c]
	}
}

// Classes returns the internal names of all classes, sorted.
func (p *Path) Classes() []string { return p.classes }

// Find returns the archive that has a class, nil if there is none.
func (p *Path) Find(class string) *Archive {
	i, ok := slices.BinarySearch(p.classes, class)
	if !ok {
		return nil
	}
	return p.Archives[p.where[i]]
}

// Read returns the bytes of a class. The error is fs.ErrNotExist if there is
// none.
func (p *Path) Read(class string) ([]byte, error) {
	a := p.Find(class)
	if a == nil {
		return nil, &fs.PathError{Op: "read class", Path: class, Err: fs.ErrNotExist}
	}
	return a.Read(class)
}

// Class reads and parses a class. The error is fs.ErrNotExist if there is none.
func (p *Path) Class(name string) (*classfile.Class, error) {
	a := p.Find(name)
	if a == nil {
		return nil, &fs.PathError{Op: "read class", Path: name, Err: fs.ErrNotExist}
	}
	return a.Class(name)
}

// Load reads and parses classes, by up to jobs goroutines. The result has the
// classes at the index of their names, nil where one could not be read; why is
// in the problems, in the same order.
func (p *Path) Load(names []string, jobs int) ([]*classfile.Class, []Problem) {
	out := make([]*classfile.Class, len(names))
	errs := make([]error, len(names))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range max(1, min(jobs, len(names))) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) {
					return
				}
				out[i], errs[i] = p.Class(names[i])
			}
		})
	}
	wg.Wait()
	var problems []Problem
	for i, err := range errs {
		if err != nil {
			where := ""
			if a := p.Find(names[i]); a != nil {
				where = a.name
			}
			problems = append(problems, Problem{where, names[i], err})
		}
	}
	return out, problems
}

// Close closes all archives.
func (p *Path) Close() error {
	var errs []error
	for _, a := range p.Archives {
		errs = append(errs, a.Close())
	}
	return errors.Join(errs...)
}
