package driver

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// load makes units of the targets and all they depend on, by the front end of
// the language they are in.
func (r *run) load() error {
	targets := r.cfg.Targets
	if len(targets) == 0 {
		targets = []string{"./..."}
	}
	java, err := r.javaTargets(targets)
	switch {
	case err != nil:
		return &UsageError{err}
	case java:
		r.res.Unit = "class"
		return r.loadJava(targets)
	}
	for _, t := range targets {
		if err := r.nothingIn(t); err != nil {
			return &UsageError{err}
		}
	}
	r.res.Unit = "package"
	return r.loadGo(targets)
}

// JavaTargets tells whether the targets are places of Java classes.
func JavaTargets(dir string, targets []string) bool {
	r := &run{dir: dir}
	java, err := r.javaTargets(targets)
	return java && err == nil
}

// javaSuffixes end the names of files that hold classes.
var javaSuffixes = []string{".jar", ".war", ".ear", ".class", ".jmod"}

// javaTargets tells whether the targets are places of Java classes. They cannot
// be of both languages.
func (r *run) javaTargets(targets []string) (bool, error) {
	java := ""
	other := ""
	for _, t := range targets {
		if r.isJava(t) {
			java = t
		} else {
			other = t
		}
	}
	if java != "" && other != "" {
		return false, fmt.Errorf("%s holds Java classes and %s does not: analyse them one after the other", java, other)
	}
	return java != "", nil
}

// isJava tells whether a target is a place of Java classes: a file with one of
// the suffixes, or a directory that has a class file below it and no Go file
// right in it.
func (r *run) isJava(target string) bool {
	if slices.ContainsFunc(javaSuffixes, func(s string) bool { return strings.HasSuffix(target, s) }) || strings.HasSuffix(target, "/*") {
		return true
	}
	dir := target
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return false
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(files) > 0 {
		return false
	}
	return hasClasses(dir)
}

// maxLooked bounds how many files are looked at to find a class.
const maxLooked = 20000

func hasClasses(dir string) bool {
	found, looked := false, 0
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if looked++; err != nil || looked > maxLooked {
			return fs.SkipAll
		}
		switch {
		case d.IsDir() && name != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".class"):
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// countFunctions counts the functions of a unit that a person wrote.
func countFunctions(u *ir.Unit) int {
	n := 0
	for f := range u.Funcs {
		if u.Funcs[f].HasBody() && u.Funcs[f].Flags&ir.FuncSynthetic == 0 {
			n++
		}
	}
	return n
}
