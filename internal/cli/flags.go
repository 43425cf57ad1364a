package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deadheat/deadheat/internal/config"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.allowed, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return fmt.Errorf("want one of %s", strings.Join(c.allowed, ", "))
	}
	c.value = s
	return nil
}

// addChoice defines a flag that takes one of the given words; the first is the
// default.
func addChoice(cmd *cobra.Command, c *choice, name, usage string, allowed ...string) {
	c.value, c.allowed = allowed[0], allowed
	cmd.Flags().Var(c, name, usage)
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return allowed, cobra.ShellCompDirectiveNoFileComp
	}
	if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
		panic(err) // the flag was defined two lines above
	}
}

// loadFlags say what to analyse and with what.
type loadFlags struct {
	dir     string
	tags    []string
	tests   bool
	mode    choice
	sound   bool
	depth   int
	entries []string
	jobs    int
	models  []string
	cache   string
	config  string
	java    javaFlags

	flags    *pflag.FlagSet // those of the command
	settings settings       // set by config
}

// addPackages defines the flags that loading needs.
func (f *loadFlags) addPackages(cmd *cobra.Command) {
	fs := cmd.Flags()
	f.flags = fs
	addDir(fs, &f.dir)
	fs.StringVar(&f.config, "config", "", "read the configuration from `FILE`, or off (default: $DEADHEAT_CONFIG, else the nearest .deadheat.yml upwards)")
	fs.StringSliceVar(&f.tags, "tags", nil, "build `TAGS`, separated by commas")
	fs.BoolVar(&f.tests, "tests", true, "analyse tests too")
	fs.IntVarP(&f.jobs, "jobs", "j", 0, "do this many things (`N`) at once (default: one per processor)")
	addModels(fs, &f.models)
	addCache(fs, &f.cache)
	f.java.add(cmd)
}

// add defines the flags that an analysis needs.
func (f *loadFlags) add(cmd *cobra.Command) {
	f.addPackages(cmd)
	fs := cmd.Flags()
	addChoice(cmd, &f.mode, "mode", "auto wants a verdict on every package named, program on what entry points reach, library on exported functions", config.Modes...)
	fs.BoolVar(&f.sound, "sound", false, "turn off every step of the library verdict that may hide a race")
	fs.IntVar(&f.depth, "origin-depth", 0, "tell goroutines and handlers apart by the last `N` starts that led to them (default: 2, in big programs 1)")
	fs.StringArrayVar(&f.entries, "entry", nil, "enter the function with this `SYMBOL`, or the exported functions of the package with this path, besides main and tests; repeatable")
	f.java.addEntries(cmd)
}

func addDir(fs *pflag.FlagSet, dir *string) {
	fs.StringVarP(dir, "dir", "C", "", "work in `DIR`; all paths are relative to it")
}

func addModels(fs *pflag.FlagSet, models *[]string) {
	fs.StringArrayVar(models, "models", nil, "read models from `FILE`, besides deadheat.models of the project; repeatable")
}

func addCache(fs *pflag.FlagSet, cache *string) {
	fs.StringVar(cache, "cache", "", "keep results between runs in `DIR`, or off (default: $DEADHEAT_CACHE, else deadheat in the user's cache directory)")
}

// config completes the flags and turns them into what the driver wants.
func (a *app) config(f *loadFlags, targets []string) (cfg driver.Config, err error) {
	dir, err := workDir(f.dir)
	if err != nil {
		return cfg, err
	}
	if f.settings, err = a.settle(f.flags, dir, f.config); err != nil {
		return cfg, err
	}
	if len(targets) == 0 {
		if targets, err = f.settings.targets(dir); err != nil {
			return cfg, err
		}
	}
	cfg = driver.Config{
		Dir:     dir,
		Targets: targets,
		Tags:    f.tags,
		NoTests: !f.tests,
		Sound:   f.sound,
		Depth:   f.depth,
		Entries: f.entries,
		Jobs:    f.jobs,
		Java:    f.java.config(a, dir),
	}
	if f.jobs < 0 {
		return cfg, usagef("-j %d: want a positive number", f.jobs)
	}
	if f.depth < 0 || f.flags.Changed("origin-depth") && f.depth == 0 {
		return cfg, usagef("--origin-depth %d: want a positive number", f.depth)
	}
	switch f.mode.value {
	case "program":
		cfg.Mode = driver.ModeProgram
	case "library":
		cfg.Mode = driver.ModeLibrary
	}
	for _, m := range f.models {
		cfg.Models = append(cfg.Models, inDir(dir, m))
	}
	cfg.Store, err = a.openCache(dir, f.cache)
	return cfg, err
}

// workDir returns the absolute path of the directory of -C.
func workDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", usagef("-C %s: %v", dir, err)
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", usagef("-C: %v", err)
	}
	if !info.IsDir() {
		return "", usagef("-C %s: not a directory", dir)
	}
	return abs, nil
}

// inDir resolves a path given by the user, relative to the directory of -C.
func inDir(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// openCache opens the cache that the flag or the environment names. One that
// was asked for must work; without the usual one the analysis is only slower.
func (a *app) openCache(dir, flag string) (*store.Store, error) {
	where, asked, err := a.cacheDir(dir, flag)
	if err == nil && where == "" {
		return store.Off(), nil
	}
	var s *store.Store
	if err == nil {
		s, err = store.Open(where)
	}
	if err != nil {
		if asked {
			return nil, &driver.UsageError{Err: err}
		}
		a.say("going on without a cache: %v", err)
		return store.Off(), nil
	}
	return s, nil
}

// cacheDir returns the directory of the cache, "" if there is to be none, and
// whether the user named it.
func (a *app) cacheDir(dir, flag string) (where string, asked bool, err error) {
	name := flag
	if name == "" {
		name = a.Env("DEADHEAT_CACHE")
	}
	switch name {
	case "off":
		return "", true, nil
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return "", false, fmt.Errorf("no cache directory: %w (choose one with --cache DIR, or use --cache=off)", err)
		}
		return filepath.Join(user, "deadheat"), false, nil
	}
	return inDir(dir, name), true, nil
}
