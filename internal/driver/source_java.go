package driver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/frontend/jvm"
	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// usualSources are where builds have their sources.
var usualSources = []string{"src/main/java", "src/test/java", "src/main/kotlin", "src", "."}

// sourceFinder finds the source files of classes, which know only the name and
// the package: in directories, and in jars of sources.
type sourceFinder struct {
	dirs  []string
	jars  []*archive.Archive
	known map[string]string // path of a class → that of the file, or itself
	inJar map[string]string // path of a class → jar that has it
	noted map[string]bool   // files whose suppressions are known
}

// newSourceFinder looks in the given places, or else where builds have their
// sources, and in x-sources.jar for each target x.jar.
func newSourceFinder(dir string, places, targets []string) (*sourceFinder, error) {
	f := &sourceFinder{known: map[string]string{}, inJar: map[string]string{}, noted: map[string]bool{}}
	var jars []string
	for _, p := range places {
		if isSourceJar(p) {
			jars = append(jars, p)
		} else {
			f.dirs = append(f.dirs, p)
		}
	}
	if len(places) == 0 {
		for _, s := range usualSources {
			f.dirs = append(f.dirs, filepath.Join(dir, s))
		}
	}
	given := len(jars)
	for _, t := range targets {
		if name, ok := strings.CutSuffix(t, ".jar"); ok {
			jars = append(jars, name+"-sources.jar")
		}
	}
	for i, name := range jars {
		a, err := archive.Open(name, archive.Config{})
		if err != nil && (i < given || !errors.Is(err, fs.ErrNotExist)) {
			f.close()
			return nil, err
		}
		if err == nil {
			f.jars = append(f.jars, a)
		}
	}
	return f, nil
}

func isSourceJar(place string) bool {
	info, err := os.Stat(place)
	return err == nil && info.Mode().IsRegular() || strings.HasSuffix(place, ".jar") || strings.HasSuffix(place, ".zip")
}

// close closes the jars. What only reads has been read, or opens them again.
func (f *sourceFinder) close() {
	for _, a := range f.jars {
		a.Close()
	}
}

// resolve makes the paths of a unit's files absolute where the files are there.
// Those in jars keep their paths.
func (f *sourceFinder) resolve(u *ir.Unit) {
	for i := range u.Files {
		if file := &u.Files[i]; !strings.Contains(file.Path, ".class") {
			file.Path = f.find(file.Path)
		}
	}
}

func (f *sourceFinder) find(path string) string {
	if found, known := f.known[path]; known {
		return found
	}
	found := path
	for _, d := range f.dirs {
		name := filepath.Join(d, filepath.FromSlash(path))
		if _, err := os.Stat(name); err == nil {
			found = filepath.ToSlash(name)
			break
		}
	}
	if found == path {
		for _, a := range f.jars {
			if a.HasResource(path) {
				f.inJar[path] = a.Name()
				break
			}
		}
	}
	f.known[path] = found
	return found
}

// read returns a source file by the path that resolve gave it.
func (f *sourceFinder) read(path string) ([]byte, error) {
	for _, a := range f.jars {
		if f.inJar[path] == a.Name() {
			return a.Resource(path)
		}
	}
	if !filepath.IsAbs(filepath.FromSlash(path)) {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(filepath.FromSlash(path))
}

// reader returns what reads source files once the finder is closed, or nil if
// all are files. Few files are asked for, those that findings are in.
func (f *sourceFinder) reader() func(string) ([]byte, error) {
	if len(f.inJar) == 0 {
		return nil
	}
	return func(path string) ([]byte, error) {
		jar, ok := f.inJar[path]
		if !ok {
			return os.ReadFile(filepath.FromSlash(path))
		}
		a, err := archive.Open(jar, archive.Config{})
		if err != nil {
			return nil, err
		}
		defer a.Close()
		return a.Resource(path)
	}
}

// noteSuppressions notes what the class file and the source of a class say to
// pass over. Where the source is at hand it says it all.
func (r *run) noteSuppressions(c *jvm.Class, find *sourceFinder) {
	u := c.Unit
	source := false
	for i := range u.Files {
		path := u.Files[i].Path
		if strings.Contains(path, ".class") {
			continue
		}
		if find.noted[path] {
			source = true
			continue
		}
		text, err := find.read(path)
		if err != nil {
			continue
		}
		source, find.noted[path] = true, true
		for _, s := range jvm.SourceSuppressions(path, text) {
			r.addSuppression(path, &s)
		}
	}
	if source {
		return
	}
	for _, s := range jvm.ClassSuppressions(u) {
		s.Line = lineOf(u, s.Symbol)
		r.addSuppression(u.Files[0].Path, &s)
	}
}

// lineOf returns the first line of a method of a unit, 0 for what is none.
func lineOf(u *ir.Unit, symbol string) int {
	for _, fn := range findFunc(u, func(f *ir.Func) bool { return f.Symbol == symbol }) {
		body, err := u.Body(fn)
		if err != nil || body == nil {
			continue
		}
		for _, pos := range body.Pos {
			if pos.IsValid() {
				return int(pos.Line)
			}
		}
	}
	return 0
}

// addSuppression notes one suppression.
func (r *run) addSuppression(file string, s *jvm.Suppression) {
	place := detect.Place{File: file, Line: s.Line, Col: s.Col}
	c, ok := report.ParseComment(s.Comment, place)
	if s.Comment == "" {
		c, ok = report.NewScoped(s.Rules, s.Reason, place, report.Scope{From: s.Line, To: s.EndLine, Symbol: s.Symbol}), true
		c.Quiet = s.Foreign
	}
	if ok {
		r.waivers = append(r.waivers, c)
	}
}
