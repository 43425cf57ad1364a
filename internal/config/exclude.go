package config

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Excludes tells whether a finding is left out: its rule is, or both its
// accesses are in files that are. One access elsewhere is reason enough to show
// it.
func (c *Config) Excludes(f *detect.Finding) bool {
	if c == nil {
		return false
	}
	return slices.Contains(c.Exclude.Rules, f.Rule) || c.excludesFile(f.First.Place.File) && c.excludesFile(f.Second.Place.File)
}

func (c *Config) excludesFile(file string) bool {
	rel, err := filepath.Rel(c.Dir(), filepath.FromSlash(file))
	if err != nil || !filepath.IsLocal(rel) {
		return false
	}
	return slices.ContainsFunc(c.Exclude.Paths, func(p string) bool { return matchPath(p, filepath.ToSlash(rel)) })
}

// matchPath tells whether a pattern matches a path or a directory above it. In
// a pattern * stands for anything within a name, ? for one character, [ab] for
// one of some, and ** for any number of names.
func matchPath(pattern, file string) bool {
	return matchNames(strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(file, "/"))
}

func matchNames(pattern, names []string) bool {
	if len(pattern) == 0 {
		return true // what is left is below the directory matched
	}
	if pattern[0] == "**" {
		for i := range len(names) + 1 {
			if matchNames(pattern[1:], names[i:]) {
				return true
			}
		}
		return false
	}
	if len(names) == 0 {
		return false
	}
	ok, err := path.Match(pattern[0], names[0])
	return err == nil && ok && matchNames(pattern[1:], names[1:])
}

func checkPattern(value string) error {
	for name := range strings.SplitSeq(strings.Trim(value, "/"), "/") {
		if name == "" || name == ".." || name == "." {
			return fmt.Errorf("want a path below the file's directory, without . and .. and doubled slashes")
		}
		if _, err := path.Match(name, ""); err != nil {
			return fmt.Errorf("%q is not a pattern: %w", name, err)
		}
	}
	return nil
}

func checkFormat(value string) error {
	name, file, hasFile := strings.Cut(value, "=")
	if !slices.Contains(Formats, name) {
		return fmt.Errorf("want one of %s, each with an optional =FILE", strings.Join(Formats, ", "))
	}
	if hasFile && file == "" {
		return errors.New("no file after =")
	}
	return nil
}

func positive(value string) error {
	if n, err := strconv.Atoi(value); err != nil || n < 1 {
		return errors.New("want a positive number")
	}
	return nil
}

func notEmpty(value string) error {
	if value == "" {
		return errors.New("want the name of a file, or off")
	}
	return nil
}
