package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// JDK is the class library of a Java installation.
type JDK struct {
	Home    string
	Release int // the feature version, e.g. 17; 0 if the installation does not say
	Path    *Path
}

// FindJDK returns the home directory of the Java installation: javaHome (the
// value of JAVA_HOME) if it is not empty, else that of the first program java in
// the directories of pathList (the value of PATH).
func FindJDK(javaHome, pathList string) (string, error) {
	if javaHome != "" {
		if !hasLibrary(javaHome) {
			return "", fmt.Errorf("JAVA_HOME is %s, which has neither lib/modules, jmods nor lib/rt.jar: set it to the directory of a JDK", javaHome)
		}
		return javaHome, nil
	}
	for _, dir := range filepath.SplitList(pathList) {
		for _, name := range []string{"java", "java.exe"} {
			// Programs in PATH are often links to the installation.
			file, err := filepath.EvalSymlinks(filepath.Join(dir, name))
			if err != nil {
				continue
			}
			if home := filepath.Dir(filepath.Dir(file)); hasLibrary(home) {
				return home, nil
			}
		}
	}
	return "", errors.New("no JDK found: set JAVA_HOME or put java into PATH")
}

// libraries are the places of the class library in an installation, by
// preference: the image has everything since Java 9; jmods may be missing
// (JEP 493), rt.jar is that of Java 8 and before.
var libraries = []string{"lib/modules", "jmods/*.jmod", "jre/lib/*.jar", "lib/rt.jar"}

func hasLibrary(home string) bool {
	files, err := LibraryFiles(home)
	return err == nil && len(files) > 0
}

// LibraryFiles returns the files of the class library of an installation.
func LibraryFiles(home string) (files []string, err error) {
	for _, pattern := range libraries {
		dir, file := filepath.Split(filepath.FromSlash(pattern))
		entries, err := os.ReadDir(filepath.Join(home, dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if ok, _ := filepath.Match(file, e.Name()); ok && !e.IsDir() {
				files = append(files, filepath.Join(home, dir, e.Name()))
			}
		}
		if len(files) > 0 {
			return files, nil
		}
	}
	return nil, fmt.Errorf("%s has none of %s: name the directory of a JDK", home, strings.Join(libraries, ", "))
}

// OpenJDK opens the class library of the installation in a directory, for
// example one that FindJDK returned.
func OpenJDK(home string, cfg Config) (*JDK, error) {
	files, err := LibraryFiles(home)
	if err != nil {
		return nil, err
	}
	p, err := OpenPath(files, cfg)
	if err != nil {
		return nil, err
	}
	return &JDK{Home: home, Release: release(home), Path: p}, nil
}

// release reads the feature version from the file release of an installation.
func release(home string) int {
	b, err := os.ReadFile(filepath.Join(home, "release"))
	if err != nil {
		return 0
	}
	for line := range strings.SplitSeq(string(b), "\n") {
		value, ok := strings.CutPrefix(strings.TrimSpace(line), "JAVA_VERSION=")
		if !ok {
			continue
		}
		// 1.8.0_392 is version 8.
		value = strings.TrimPrefix(strings.Trim(value, `"`), "1.")
		digits := strings.IndexFunc(value, func(r rune) bool { return r < '0' || r > '9' })
		if digits >= 0 {
			value = value[:digits]
		}
		n, err := strconv.Atoi(value)
		if err != nil {
			return 0
		}
		return n
	}
	return 0
}
