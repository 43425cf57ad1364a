package jvm

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

var update = flag.Bool("update", false, "rewrite the files that tests compare with")

// TestLower compares the units of the classes in testdata/lower with the text
// beside each source file.
func TestLower(t *testing.T) {
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("javac is not in PATH: the sources in testdata/lower cannot be compiled")
	}
	sources, err := filepath.Glob("testdata/lower/*.java")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources (%v)", err)
	}
	dir := t.TempDir()
	args := append([]string{"-g", "-nowarn", "--release", "17", "-d", dir}, sources...)
	if out, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".java")
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			for _, file := range classesOf(t, dir, name) {
				u := lowerFile(t, file)
				roundTrip(t, u)
				if text.Len() > 0 {
					text.WriteByte('\n')
				}
				if err := ir.Print(&text, u); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, strings.TrimSuffix(source, ".java")+".ir", text.Bytes())
		})
	}
}

// classesOf returns the files of a class and those within it.
func classesOf(t *testing.T, dir, name string) []string {
	t.Helper()
	inner, err := filepath.Glob(filepath.Join(dir, name+"$*.class"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(inner)
	return append([]string{filepath.Join(dir, name+".class")}, inner...)
}

func lowerFile(t *testing.T, file string) *ir.Unit {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := classfile.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	u, errs := lowerClass(c, new(buffers))
	for _, err := range errs {
		t.Error(err)
	}
	if err := ir.Check(u); err != nil {
		t.Error(err)
	}
	header, errs := lowerHeader(c, new(buffers))
	for _, err := range errs {
		t.Error(err)
	}
	if err := ir.Check(header); err != nil {
		t.Errorf("declarations alone: %v", err)
	}
	return u
}

func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, got) {
		t.Errorf("%s differs; run with -update and look at the difference\n%s", file, got)
	}
}
