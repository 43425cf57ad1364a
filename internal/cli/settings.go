package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deadheat/deadheat/internal/config"
	"github.com/deadheat/deadheat/internal/driver"
)

// A flag that is not given takes its value from the environment, and else from
// the configuration file. Both use the name of the flag: --models is
// DEADHEAT_MODELS, with commas between several, and the key models.

// settings is the configuration file in force.
type settings struct {
	conf *config.Config    // nil if there is none
	from map[string]string // by key: where its value is from; absent for defaults
}

// settle completes the flags from the environment and the configuration file
// that governs dir, or the one that file names.
func (a *app) settle(fs *pflag.FlagSet, dir, file string) (settings, error) {
	s := settings{from: map[string]string{}}
	conf, err := a.findConfig(dir, file)
	if err != nil {
		return s, err
	}
	s.conf = conf
	for _, k := range config.Keys() {
		at, inFile := conf.Has(k.Name)
		where := ""
		if inFile {
			where = fmt.Sprintf("%s:%d", showIn(dir, conf.File), at.Line)
		}
		f := fs.Lookup(k.Name)
		if f == nil {
			if inFile {
				s.from[k.Name] = where
			}
			continue
		}
		env := envName(k.Name)
		switch {
		case f.Changed:
			s.from[k.Name] = "--" + k.Name
		case a.Env(env) != "":
			s.from[k.Name] = env
			if err := setFlag(f, strings.Split(a.Env(env), ",")); err != nil {
				return s, usagef("%s=%s: %v", env, a.Env(env), err)
			}
		case inFile:
			s.from[k.Name] = where
			if err := setFlag(f, conf.Values(k.Name)); err != nil {
				return s, usagef("%s:%d:%d: %s: %v", conf.File, at.Line, at.Col, k.Name, err)
			}
		}
	}
	return s, nil
}

// envName is the variable that stands for a key.
func envName(key string) string { return "DEADHEAT_" + strings.ToUpper(key) }

// setFlag gives a flag a value, or several if it takes a list.
func setFlag(f *pflag.Flag, values []string) error {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.Replace(values)
	}
	return f.Value.Set(strings.Join(values, ","))
}

// findConfig reads the configuration file. It returns nil if there is none.
func (a *app) findConfig(dir, file string) (*config.Config, error) {
	if file == "" {
		file = a.Env("DEADHEAT_CONFIG")
	}
	switch file {
	case "off":
		return nil, nil
	case "":
		found, err := config.Find(dir)
		if err != nil || found == "" {
			return nil, asUsage(err)
		}
		file = found
	}
	conf, err := config.Load(inDir(dir, file))
	var bad *config.Error
	if errors.As(err, &bad) {
		bad.File = showIn(dir, bad.File)
	}
	return conf, asUsage(err)
}

// asUsage makes an error one of configuration.
func asUsage(err error) error {
	if err == nil {
		return nil
	}
	return &driver.UsageError{Err: err}
}

// showIn writes a path for people who work in a directory.
func showIn(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// targets returns the patterns that the configuration file names, relative to
// dir instead of the file's own directory.
func (s settings) targets(dir string) ([]string, error) {
	if s.conf == nil {
		return nil, nil
	}
	var out []string
	for _, t := range s.conf.Targets {
		local := t == "." || t == ".." || strings.HasPrefix(t, "./") || strings.HasPrefix(t, "../")
		if !local {
			out = append(out, t)
			continue
		}
		rel, err := filepath.Rel(dir, filepath.Join(s.conf.Dir(), filepath.FromSlash(t)))
		if err != nil {
			return nil, asUsage(fmt.Errorf("%s: targets: %s: %w", s.conf.File, t, err))
		}
		if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") {
			rel = "./" + rel
		}
		out = append(out, rel)
	}
	return out, nil
}
