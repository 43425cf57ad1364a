package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// FileName is the name of a configuration file.
const FileName = ".deadheat.yml"

// Version is the version of the format.
const Version = 1

// Config is what a configuration file says. What it does not say is the zero
// value; see [Config.Has].
type Config struct {
	File string // absolute path

	Version    int
	Targets    []string
	Tags       []string
	Tests      bool
	Mode       string
	Sound      bool
	Depth      int
	Entry      []string
	Models     []string
	Confidence string
	Format     []string
	Layout     string
	Baseline   string
	Exclude    Exclude

	at map[string]Position // of the keys that are there
}

// Exclude says which findings are left out.
type Exclude struct {
	Paths []string
	Rules []string
}

// Position is a place in the file.
type Position struct{ Line, Col int }

// Has tells whether the file says something about a key, and where.
func (c *Config) Has(key string) (Position, bool) {
	if c == nil {
		return Position{}, false
	}
	at, ok := c.at[key]
	return at, ok
}

// Dir is the directory that paths in the file are relative to.
func (c *Config) Dir() string { return filepath.Dir(c.File) }

// Values returns what the file says about a key, as the words of a flag of that
// name would have it. Files are absolute.
func (c *Config) Values(key string) []string {
	for _, k := range Keys() {
		if k.Name != key {
			continue
		}
		switch v := k.field(c).(type) {
		case *[]string:
			return c.resolve(k, *v)
		case *string:
			return c.resolve(k, []string{*v})
		case *bool:
			return []string{fmt.Sprint(*v)}
		case *int:
			return []string{fmt.Sprint(*v)}
		}
	}
	return nil
}

// resolve makes the files among the values of a key absolute.
func (c *Config) resolve(k Key, values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		head, file := "", v
		switch k.files {
		case noFile:
			out[i] = v
			continue
		case afterEquals:
			name, rest, ok := strings.Cut(v, "=")
			if !ok {
				out[i] = v
				continue
			}
			head, file = name+"=", rest
		case fileOrOff:
			if v == "off" {
				out[i] = v
				continue
			}
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.Dir(), filepath.FromSlash(file))
		}
		out[i] = head + file
	}
	return out
}

// Find returns the configuration file that governs a directory, or "" if there
// is none.
func Find(dir string) (string, error) { return FindUp(dir, FileName) }

// FindUp looks for a file in a directory and those above it, up to the root of
// the repository that the directory is in.
func FindUp(dir, name string) (string, error) {
	for {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		switch {
		case err == nil && info.Mode().IsRegular():
			return file, nil
		case err == nil:
			return "", fmt.Errorf("%s: not a file", file)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return "", nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		dir = up
	}
}

// Load reads the file with the given path.
func Load(file string) (*Config, error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(abs)
	if err != nil {
		return nil, err
	}
	return Parse(abs, data)
}

// ruleIDs lists the rules of the catalogue.
func ruleIDs() []string {
	var ids []string
	for _, r := range detect.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}
