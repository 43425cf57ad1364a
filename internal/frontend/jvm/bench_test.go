package jvm

import (
	"os"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// benchClasses are the bytes of every hundredth class of the JDK.
func benchClasses(b *testing.B) (classes [][]byte, size int64) {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		b.Skip(err)
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer jdk.Path.Close()
	for i, name := range jdk.Path.Classes() {
		if i%100 != 0 {
			continue
		}
		data, err := jdk.Path.Read(name)
		if err != nil {
			b.Fatal(err)
		}
		classes = append(classes, data)
		size += int64(len(data))
	}
	return classes, size
}

// BenchmarkClass takes classes of the JDK through the front end: reading alone,
// with lowering, and with encoding and decoding of the units, as Load does.
func BenchmarkClass(b *testing.B) {
	classes, size := benchClasses(b)
	buf := new(buffers)
	for _, step := range []struct {
		name string
		do   func(*classfile.Class) error
	}{
		{"read", func(*classfile.Class) error { return nil }},
		{"lower", func(c *classfile.Class) error { lowerClass(c, buf); return nil }},
		{"load", func(c *classfile.Class) error {
			u, _ := lowerClass(c, buf)
			_, err := ir.Decode(ir.Encode(u))
			return err
		}},
		{"header", func(c *classfile.Class) error {
			u, _ := lowerHeader(c, buf)
			_, err := ir.Decode(ir.Encode(u))
			return err
		}},
	} {
		b.Run(step.name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, data := range classes {
					c, err := classfile.Parse(data)
					if err == nil {
						err = step.do(c)
					}
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
