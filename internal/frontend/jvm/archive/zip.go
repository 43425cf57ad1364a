package archive

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// jmodMagic is "JM", version 1.0: a zip file follows.
const jmodMagic = 0x4A4D0100

// Directories of an archive that have classes, those that count most first.
var (
	jarRoots  = []string{"BOOT-INF/classes/", "WEB-INF/classes/", ""}
	jmodRoots = []string{"classes/"}
)

// hidden are the directories whose entries are not classes of the root.
var hidden = []string{"META-INF/", "BOOT-INF/", "WEB-INF/"}

// zipped is the container of a zip file.
type zipped struct {
	r     io.ReaderAt
	files []*zip.File
}

func (z *zipped) read(entry int, max int64) ([]byte, error) {
	f := z.files[entry]
	if f.UncompressedSize64 > uint64(max) {
		return nil, fmt.Errorf("%d bytes, more than %d", f.UncompressedSize64, max)
	}
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// The directory is not believed: memory grows with what comes out.
	var b bytes.Buffer
	b.Grow(int(min(f.UncompressedSize64, 1<<20)))
	n, err := io.Copy(&b, io.LimitReader(r, max+1))
	if err == nil && n > max {
		err = fmt.Errorf("more than %d bytes", max)
	}
	return b.Bytes(), err
}

// open returns the entry as something to read at random. Stored entries are
// read in place, others take memory of the budget.
func (z *zipped) open(entry int, budget *int64) (io.ReaderAt, int64, error) {
	f := z.files[entry]
	if f.Method == zip.Store && f.Flags&1 == 0 {
		off, err := f.DataOffset()
		if err != nil {
			return nil, 0, err
		}
		n := int64(f.CompressedSize64)
		if n < 0 {
			return nil, 0, zip.ErrFormat
		}
		return io.NewSectionReader(z.r, off, n), n, nil
	}
	b, err := z.read(entry, *budget)
	if err != nil {
		return nil, 0, err
	}
	*budget -= int64(len(b))
	return bytes.NewReader(b), int64(len(b)), nil
}

// openZip opens a jar, war, ear or jmod.
func openZip(name string, r io.ReaderAt, size int64, roots []string, cfg Config, depth int, budget *int64) (*Archive, error) {
	zr, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// Entries that share their bytes would make reading all of them take longer
	// than any bound on the file or one entry says.
	var sum uint64
	for _, f := range zr.File {
		if sum += f.CompressedSize64; f.CompressedSize64 > uint64(size) || sum > uint64(size) {
			return nil, fmt.Errorf("%s: the entries overlap: together they have more bytes than the file", name)
		}
	}
	z := &zipped{r: r, files: zr.File}
	a := &Archive{name: name, src: z, manifest: &Manifest{}, byName: make(map[string]int, len(z.files))}
	for i, f := range z.files {
		a.byName[f.Name] = i // the last of one name stays
	}
	if b, err := a.Resource(manifestName); err == nil {
		a.manifest = parseManifest(b)
	}
	if a.manifest.MultiRelease() {
		a.pickVersions(cfg.Release)
	}
	a.findClasses(roots)
	a.findNested(z, cfg, depth, budget)
	return a, nil
}

// pickVersions replaces resources by those for the newest release up to the
// given one. Those below META-INF have no versions.
func (a *Archive) pickVersions(release int) {
	const versions = "META-INF/versions/"
	best := map[string]int{}
	for entry := range a.byName {
		version, name, ok := versioned(entry, versions)
		if !ok || release > 0 && version > release || strings.HasPrefix(name, "META-INF/") {
			continue
		}
		best[name] = max(best[name], version)
	}
	for name, version := range best {
		a.byName[name] = a.byName[versions+strconv.Itoa(version)+"/"+name]
	}
}

// versioned takes apart META-INF/versions/N/name, N of 9 or more.
func versioned(entry, prefix string) (version int, name string, ok bool) {
	rest, ok := strings.CutPrefix(entry, prefix)
	if !ok {
		return 0, "", false
	}
	n, name, _ := strings.Cut(rest, "/")
	version, err := strconv.Atoi(n)
	// Written in another way than Itoa, a number is none for the launcher.
	return version, name, err == nil && version >= 9 && strconv.Itoa(version) == n && name != "" && !strings.HasSuffix(name, "/")
}

// findClasses lists the classes of the roots; an earlier root counts more.
func (a *Archive) findClasses(roots []string) {
	found := map[string]int{}
	rank := map[string]int{}
	for entry, i := range a.byName {
		for r, root := range roots {
			rest, ok := strings.CutPrefix(entry, root)
			if !ok || root == "" && slices.ContainsFunc(hidden, func(h string) bool { return strings.HasPrefix(entry, h) }) {
				continue
			}
			if isModuleInfo(rest) {
				a.modules = append(a.modules, entry)
			} else if class, ok := className(rest); ok {
				if old, twice := rank[class]; !twice || r < old {
					found[class], rank[class] = i, r
				}
			}
			break
		}
	}
	slices.Sort(a.modules)
	a.setClasses(found)
}

// findNested opens the archives within.
func (a *Archive) findNested(z *zipped, cfg Config, depth int, budget *int64) {
	var names []string
	for entry := range a.byName {
		if nestedPlace(a.name, entry) {
			names = append(names, entry)
		}
	}
	slices.Sort(names)
	for _, entry := range names {
		fail := func(err error) { a.problems = append(a.problems, Problem{a.name, entry, err}) }
		if depth+1 >= maxDepth {
			fail(fmt.Errorf("archives nested more than %d deep", maxDepth))
			continue
		}
		r, size, err := z.open(a.byName[entry], budget)
		if err != nil {
			fail(err)
			continue
		}
		n, err := openBytes(a.name+"!/"+entry, r, size, cfg, depth+1, budget)
		if err != nil {
			fail(err)
			continue
		}
		a.nested = append(a.nested, n)
		a.problems = append(a.problems, n.problems...)
	}
}

// nestedPlace reports whether containers take classes from an entry of an
// archive: the libraries of a servlet or Spring Boot application, and the
// modules and libraries of an enterprise application.
func nestedPlace(archive, entry string) bool {
	ext := strings.ToLower(entry[strings.LastIndexByte(entry, '.')+1:])
	if ext != "jar" && ext != "war" && ext != "rar" {
		return false
	}
	for _, dir := range []string{"BOOT-INF/lib/", "WEB-INF/lib/", "WEB-INF/lib-provided/"} {
		if rest, ok := strings.CutPrefix(entry, dir); ok {
			return ext == "jar" && !strings.Contains(rest, "/")
		}
	}
	return strings.HasSuffix(strings.ToLower(archive), ".ear") && !strings.HasPrefix(entry, "META-INF/")
}
