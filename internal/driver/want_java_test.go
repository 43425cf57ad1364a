package driver_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/frontend/jvm"
)

// TestWantJava checks the programs in testdata/java against their marks, a
// directory at a time: javac compiles its files together. Without a JDK the
// findings must be the same.
func TestWantJava(t *testing.T) {
	root, err := filepath.Abs("../../testdata/java")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("javac is not in PATH")
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(root, e.Name())
			classes := compileJava(t, javac, dir)
			check := func(j driver.JavaConfig) *driver.Result {
				j.Sources = []string{dir}
				res, err := driver.Check(context.Background(), driver.Config{Dir: dir, Targets: []string{classes}, Java: j})
				if err != nil {
					t.Fatal(err)
				}
				return res
			}
			res := check(driver.JavaConfig{JavaHome: os.Getenv("JAVA_HOME"), PathList: os.Getenv("PATH")})
			checkMarks(t, dir, res)
			alone := check(driver.JavaConfig{Library: jvm.LibraryNone})
			if got, want := findingLines(dir, alone), findingLines(dir, res); !slices.Equal(got, want) {
				t.Errorf("without a JDK:\n%s\nwith it:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// findingLines has a line for each finding of a result.
func findingLines(dir string, res *driver.Result) []string {
	lines := make([]string, len(res.Findings))
	for i := range res.Findings {
		f := &res.Findings[i]
		lines[i] = fmt.Sprintf("%s %s %s %s %s %s", f.Fingerprint, f.Rule, f.Confidence, f.What, place(dir, f.First.Place), place(dir, f.Second.Place))
	}
	return lines
}

// compileJava compiles the Java files of a directory and returns where the
// classes are.
func compileJava(t *testing.T, javac, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.java"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no Java files in %s (%v)", dir, err)
	}
	classes := t.TempDir()
	out, err := exec.Command(javac, append([]string{"-g", "-nowarn", "-d", classes}, files...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	if meta := filepath.Join(dir, "META-INF"); exists(meta) {
		if err := os.CopyFS(filepath.Join(classes, "META-INF"), os.DirFS(meta)); err != nil {
			t.Fatal(err)
		}
	}
	return classes
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
