package jvm

import (
	"os"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// FuzzLower lowers classes whose bytes were changed: whatever the reader lets
// through must not break lowering, and the unit must pass the checks.
func FuzzLower(f *testing.F) {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		f.Skip(err)
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range []string{"java/lang/Thread", "java/util/ArrayList", "java/util/concurrent/FutureTask", "java/lang/Long", "java/util/Comparator"} {
		data, err := jdk.Path.Read(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	if err := jdk.Path.Close(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := classfile.Parse(data)
		if err != nil || c.Name == "" {
			return
		}
		u, _ := lowerClass(c, new(buffers))
		if err := ir.Check(u); err != nil {
			t.Error(err)
		}
		if _, err := ir.Decode(ir.Encode(u)); err != nil {
			t.Error(err)
		}
	})
}
