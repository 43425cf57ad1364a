package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// nothingIn returns an error that says what to do if a target is a directory in
// which there is nothing that can be analysed. What else is wrong with a target,
// the front end says.
func (r *run) nothingIn(target string) error {
	base, wild := strings.CutSuffix(filepath.ToSlash(target), "/...")
	local := filepath.IsAbs(target) || strings.HasPrefix(target, ".")
	dir := base
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.dir, dir)
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist) && local && base != "" && !strings.Contains(base, "..."):
		return fmt.Errorf("%s: no such directory", target)
	case err != nil || !info.IsDir():
		return nil // the pattern of a package, perhaps
	}
	found := look(dir)
	switch {
	case found.golang != "":
		return nil
	case found.classes != "" && wild:
		return fmt.Errorf("%s: no Go packages, but Java classes, such as %s: without /... the directory can be named", target, r.shown(found.classes))
	case found.archive != "":
		return fmt.Errorf("%s: neither Go packages nor class files, but archives, such as %s: name those to analyse", target, r.shown(found.archive))
	case found.java != "":
		return fmt.Errorf("%s: Java source, such as %s, but no classes: compile it (mvn compile, gradle classes, javac -g -d classes …) and name the directory of the classes, or a jar", target, r.shown(found.java))
	case found.c != "":
		return fmt.Errorf("%s: only files of C or C++, such as %s, which are not analysed: name Go packages, or Java classes or jars", target, r.shown(found.c))
	case found.classes != "":
		return nil
	}
	return fmt.Errorf("%s: nothing to analyse: there are neither Go files (*.go, in a module) nor Java classes (*.class, *.jar, *.war) below it; name a directory or archive that has them", target)
}

// shown makes a file relative to the working directory where it is below.
func (r *run) shown(file string) string {
	if rel, err := filepath.Rel(r.dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// looked has the first file of each kind below a directory, or "".
type looked struct{ golang, classes, archive, java, c string }

func look(dir string) (found looked) {
	n := 0
	note := func(first *string, name string) {
		if *first == "" {
			*first = name
		}
	}
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if n++; n > maxLooked {
			return fs.SkipAll
		}
		if err != nil {
			return nil // what cannot be read is not there
		}
		if d.IsDir() {
			if name != dir && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		switch filepath.Ext(name) {
		case ".go":
			found.golang = name
			return fs.SkipAll
		case ".class":
			note(&found.classes, name)
		case ".jar", ".war", ".ear":
			note(&found.archive, name)
		case ".java", ".kt", ".scala":
			note(&found.java, name)
		case ".c", ".cc", ".cpp", ".cxx", ".h", ".hpp":
			note(&found.c, name)
		}
		return nil
	})
	return found
}
