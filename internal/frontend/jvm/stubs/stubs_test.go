package stubs

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// madeFrom is the version of Java that jdk.bin was made from.
const madeFrom = 17

// Every class can be read, what is above it is there, and descriptors are
// well-formed.
func TestTable(t *testing.T) {
	table, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if len(jdk) > 1<<19 || len(table.Names()) < 4000 {
		t.Errorf("%d classes in %d bytes", len(table.Names()), len(jdk))
	}
	for _, name := range table.Names() {
		c, err := table.Class(name)
		if err != nil || c == nil {
			t.Fatalf("%s: %v", name, err)
		}
		above := c.Interfaces
		if c.Super != "" {
			above = append(slices.Clone(above), c.Super)
		} else if name != "java/lang/Object" {
			t.Errorf("%s has no superclass", name)
		}
		for _, s := range above {
			if table.Lines(s) == "" {
				t.Errorf("%s is below %s, which is not there", name, s)
			}
		}
		for _, m := range c.Methods {
			if _, err := classfile.ParseMethodDesc(m.Desc); err != nil {
				t.Errorf("%s.%s: %v", name, m.Name, err)
			}
		}
	}
	for _, name := range []string{"", "java/lang", "java/lang/Object ", "zzz"} {
		if c, err := table.Class(name); c != nil || err != nil {
			t.Errorf("class %q: %v, %v", name, c, err)
		}
	}
}

// The table is what gen makes of the JDK it was made from.
func TestTableIsCurrent(t *testing.T) {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		t.Skip(err)
	}
	image, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer image.Path.Close()
	if image.Release != madeFrom {
		t.Skipf("the table was made from Java %d, this is %d", madeFrom, image.Release)
	}
	classes, err := Collect(image)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Encode(classes)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(jdk, want) {
		t.Error("jdk.bin is not what this JDK gives: run go generate ./internal/frontend/jvm/stubs")
	}
}

func TestDecodeRefuses(t *testing.T) {
	whole, err := Encode([]*classfile.Class{{Name: "b/B", Super: "a/A"}, {Name: "a/A", Super: "b/B"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{nil, []byte("x"), jdk[:len(jdk)/2], jdk[1:], whole} {
		if table, err := Decode(data); err == nil {
			t.Errorf("%d bytes were read as %d classes", len(data), len(table.Names()))
		}
	}
	for _, line := range []string{"a/A", "a/A 1", "a/A x b/B", "a/A 1 b/B\nF", "a/A 1 b/B\nFx 1", "a/A 1 b/B\nXx 1 I", "a/A 1 b/B\nMx y ()V", "a/A 1 b/B\n"} {
		table := &Table{names: []string{"a/A"}, lines: []string{line}}
		if c, err := table.Class("a/A"); err == nil && line != "a/A 1 b/B\n" {
			t.Errorf("%q was read as %+v", line, c)
		}
	}
}

func FuzzDecode(f *testing.F) {
	small, err := Encode([]*classfile.Class{{Name: "a/A", Super: "b/B", Methods: []classfile.Method{{Name: "m", Desc: "()V"}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := Decode(data)
		if err != nil {
			return
		}
		for _, name := range table.Names() {
			if c, err := table.Class(name); err == nil && (c == nil || c.Name != name) {
				t.Errorf("class %q is %+v", name, c)
			}
		}
	})
}
