package driver_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/deadheat/deadheat/internal/driver"
)

// TestWantJava checks the programs in testdata/java against their marks, a
// directory at a time: javac compiles its files together.
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
			res, err := driver.Check(context.Background(), driver.Config{
				Dir:     dir,
				Targets: []string{compileJava(t, javac, dir)},
				Java:    driver.JavaConfig{Sources: []string{dir}, JavaHome: os.Getenv("JAVA_HOME"), PathList: os.Getenv("PATH")},
			})
			if err != nil {
				t.Fatal(err)
			}
			checkMarks(t, dir, res)
		})
	}
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
	return classes
}
