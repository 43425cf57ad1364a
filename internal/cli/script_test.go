package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

// The test binary runs as the program when a script calls it by that name.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"deadheat": func() { os.Exit(Main()) },
	})
}

func TestScript(t *testing.T) {
	// One cache for all scripts: the standard library is lowered once. Scripts
	// that are about the cache use one of their own.
	cache := filepath.Join(t.TempDir(), "cache")
	//deadheat:ignore race testscript resets the input after the command has ended
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("GOROOT", goEnv(t, "GOROOT"))
			e.Setenv("GOFLAGS", "")
			e.Setenv("GOPROXY", "off")
			e.Setenv("GOTOOLCHAIN", "local")
			e.Setenv("GOCACHE", goEnv(t, "GOCACHE"))
			e.Setenv("DEADHEAT_CACHE", cache)
			for _, name := range []string{"CI", "FORCE_COLOR", "NO_COLOR", "GOWORK"} {
				e.Setenv(name, "")
			}
			for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"} {
				e.Setenv(name, "A")
				e.Setenv(strings.Replace(name, "NAME", "EMAIL", 1), "a@example.com")
			}
			e.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
			e.Setenv("GIT_CONFIG_NOSYSTEM", "1")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":        runWithCode,
			"damage":      damage,
			"fingerprint": fingerprint,
			"only":        only,
		},
	})
}

// runWithCode is the script command
//
//	code N program args…
//
// It runs a program and fails unless its exit code is N.
func runWithCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// damage is the script command
//
//	damage dir
//
// It changes the last byte of every file below a directory.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage dir")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil || len(data) == 0 {
			return err
		}
		data[len(data)-1]++
		return os.WriteFile(name, data, 0o666)
	}))
}

// fingerprint is the script command
//
//	fingerprint NAME
//
// It sets a variable to the fingerprint of the first line of the last command's
// output, which is in the format jsonl.
func fingerprint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fingerprint NAME")
	}
	var f struct{ Fingerprint string }
	ts.Check(json.NewDecoder(strings.NewReader(ts.ReadFile("stdout"))).Decode(&f))
	ts.Setenv(args[0], f.Fingerprint)
}

// only is the script command
//
//	only program…
//
// It leaves nothing but the given programs in the PATH.
func only(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: only program…")
	}
	bin := ts.MkAbs("only-bin")
	ts.Check(os.MkdirAll(bin, 0o777))
	for _, name := range args {
		found := ""
		for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
			file := filepath.Join(dir, name)
			if info, err := os.Stat(file); err == nil && !info.IsDir() {
				found = file
				break
			}
		}
		if found == "" {
			ts.Fatalf("%s is not in the PATH", name)
		}
		ts.Check(os.Symlink(found, filepath.Join(bin, name)))
	}
	ts.Setenv("PATH", bin)
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out[:len(out)-1])
}
