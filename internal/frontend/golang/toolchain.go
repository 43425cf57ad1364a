package golang

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"go/version"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Toolchain is the go command in use and what it builds for.
type Toolchain struct {
	Version string // GOVERSION, such as go1.26.1
	Root    string // GOROOT
	OS      string // GOOS
	Arch    string // GOARCH
	Cgo     bool   // CGO_ENABLED
	Module  string // path of go.mod, or empty
	Work    string // path of go.work, or empty

	// What cgo's output depends on besides the source.
	cc       string
	cflags   string
	cppflags string
}

// goCommand runs the go command in the directory and environment of a Config.
type goCommand struct {
	dir string
	env []string // nil means that of this process
}

func newGoCommand(cfg *Config) (*goCommand, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("cannot load Go packages: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("cannot load Go packages from %s: not a directory", dir)
	}
	return &goCommand{dir: dir, env: cfg.Env}, nil
}

// set returns a command with one more variable in its environment.
func (g *goCommand) set(variable string) *goCommand {
	env := g.env
	if env == nil {
		env = os.Environ()
	}
	return &goCommand{dir: g.dir, env: append(env[:len(env):len(env)], variable)}
}

// lookup returns the value of an environment variable.
func (g *goCommand) lookup(name string) string {
	if g.env == nil {
		return os.Getenv(name)
	}
	value := ""
	for _, kv := range g.env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			value = v // the last one counts, as in exec.Cmd
		}
	}
	return value
}

// find returns the path of an executable as a command run by g would find it.
func (g *goCommand) find(name string) (string, bool) {
	if strings.ContainsRune(name, filepath.Separator) || g.env == nil {
		path, err := exec.LookPath(name)
		return path, err == nil || errors.Is(err, exec.ErrDot)
	}
	for _, dir := range filepath.SplitList(g.lookup("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, true
		}
	}
	return "", false
}

// run runs the go command with args, gives read its standard output and
// returns the processor time used and what was written to standard error.
// The error is one of running the command, not of its exit status alone: with
// -e, go list reports most failures in its output.
func (g *goCommand) run(ctx context.Context, read func(*json.Decoder) error, args ...string) (cpu time.Duration, stderr string, err error) {
	path, ok := g.find("go")
	if !ok {
		return 0, "", errors.New("no go command found: install Go from https://go.dev/dl and put it on the PATH")
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = g.dir
	if g.env != nil {
		// Tells the go command the name the user knows the directory by when
		// there are symbolic links; exec does so itself for a nil Env.
		cmd.Env = append(g.env[:len(g.env):len(g.env)], "PWD="+g.dir)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, "", err
	}
	if err := cmd.Start(); err != nil {
		return 0, "", fmt.Errorf("cannot run %s: %w", path, err)
	}
	readErr := read(json.NewDecoder(out))
	io.Copy(io.Discard, out) // lets the command end after bytes that cannot be read
	waitErr := cmd.Wait()
	if state := cmd.ProcessState; state != nil {
		cpu = state.UserTime() + state.SystemTime()
	}
	stderr = strings.TrimSpace(errs.String())
	switch {
	case ctx.Err() != nil:
		return cpu, stderr, ctx.Err()
	case waitErr != nil:
		return cpu, stderr, &goError{dir: g.dir, args: args, stderr: stderr, err: waitErr}
	case readErr != nil:
		return cpu, stderr, fmt.Errorf("cannot read the output of go %s: %w", args[0], readErr)
	}
	return cpu, stderr, nil
}

// environment asks the go command what it would build for.
func (g *goCommand) environment(ctx context.Context) (*Toolchain, error) {
	var env struct {
		GOVERSION, GOROOT, GOOS, GOARCH, CGO_ENABLED, GOMOD, GOWORK string
		CC, CGO_CFLAGS, CGO_CPPFLAGS                                string
	}
	_, _, err := g.run(ctx, func(d *json.Decoder) error { return d.Decode(&env) },
		"env", "-json", "GOVERSION", "GOROOT", "GOOS", "GOARCH", "CGO_ENABLED", "GOMOD", "GOWORK",
		"CC", "CGO_CFLAGS", "CGO_CPPFLAGS")
	if err != nil {
		return nil, err
	}
	tc := &Toolchain{
		Version: env.GOVERSION, Root: env.GOROOT, OS: env.GOOS, Arch: env.GOARCH, Cgo: env.CGO_ENABLED == "1",
		Module: env.GOMOD, Work: env.GOWORK,
		cc: env.CC, cflags: env.CGO_CFLAGS, cppflags: env.CGO_CPPFLAGS,
	}
	if tc.Module == os.DevNull {
		tc.Module = ""
	}
	if tc.Work == "off" {
		tc.Work = ""
	}
	return tc, nil
}

// sizes returns the layout rules of the target.
func (tc *Toolchain) sizes() types.Sizes {
	if s := types.SizesFor("gc", tc.Arch); s != nil {
		return s
	}
	// An architecture newer than this binary. All of those have been like
	// amd64, and only sizes of constants are at stake.
	return types.SizesFor("gc", "amd64")
}

// checkerVersion is the newest language version that the type checker in this
// binary knows, or empty if that cannot be told.
func checkerVersion() string { return version.Lang(runtime.Version()) }

// language returns the language version to check a package with: that of its
// module, or of the toolchain for the standard library and for files given on
// the command line. It is never newer than what the checker knows, which would
// make it refuse the whole package instead of the few lines it cannot know.
func (tc *Toolchain) language(p *listed) string {
	v := version.Lang(tc.Version)
	if m := p.Module; m != nil && !p.Standard {
		v = "go" + m.GoVersion
		if m.GoVersion == "" {
			v = "go1.16" // what the go command takes a missing go line to mean
		}
	}
	if limit := checkerVersion(); limit != "" && (v == "" || version.Compare(v, limit) > 0) {
		return limit
	}
	return v
}
