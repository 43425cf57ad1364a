package archive

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// exercise reads everything that an archive made of any bytes has.
func exercise(t *testing.T, b []byte) {
	budget := int64(1 << 20)
	a, err := openBytes("fuzz.ear", bytes.NewReader(b), int64(len(b)), Config{}, 0, &budget)
	if err != nil {
		return
	}
	if budget < 0 {
		t.Fatalf("budget exceeded by %d bytes", -budget)
	}
	var walk func(a *Archive, depth int)
	walk = func(a *Archive, depth int) {
		if depth >= maxDepth {
			t.Fatalf("%s is nested %d deep", a.Name(), depth)
		}
		if !slices.IsSorted(a.Classes()) || len(slices.Compact(slices.Clone(a.Classes()))) != len(a.Classes()) {
			t.Fatalf("classes = %q", a.Classes())
		}
		for _, name := range a.Classes() {
			k, err := a.Class(name)
			if err == nil && k.Name != name {
				t.Fatalf("class %s for %s", k.Name, name)
			}
		}
		for _, name := range a.Modules() {
			// Only that it does not crash counts.
			_, _ = a.Resource(name)
		}
		a.Manifest().ClassPath()
		for _, n := range a.Nested() {
			walk(n, depth+1)
		}
	}
	walk(a, 0)
}

func FuzzJar(f *testing.F) {
	lib := makeZip(f, entry{name: "lib/L.class", data: makeClass("lib/L", 61)})
	f.Add(makeZip(f,
		manifest("Multi-Release: true", "Class-Path: a.jar"),
		entry{name: "p/A.class", data: makeClass("p/A", 52)},
		entry{name: "META-INF/versions/9/p/A.class", data: makeClass("p/A", 53), store: true},
		entry{name: "WEB-INF/lib/l.jar", data: lib, store: true},
		entry{name: "lib/m.jar", data: lib},
		entry{name: "WEB-INF/classes/B.class", data: makeClass("B", 50)},
		entry{name: "module-info.class", data: []byte("x")}))
	f.Add(append([]byte("JM\x01\x00"), makeZip(f, entry{name: "classes/p/A.class", data: makeClass("p/A", 61), store: true})...))
	f.Add(makeClass("p/A", 61))
	f.Fuzz(exercise)
}

func FuzzImage(f *testing.F) {
	f.Add(simpleImage())
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		m := newImage(order)
		c := makeClass("p/C", 52)
		m.add("m", "p", "C", "class", m.wrap("zip", deflate(f, c), len(c)), len(c), true)
		addShared(m, "p/S")
		m.add("m", "", "module-info", "class", []byte("x"), 1, false)
		f.Add(m.bytes())
	}
	f.Fuzz(exercise)
}

// addShared adds a class of the package p whose names are strings of the image.
func addShared(m *imageMaker, name string) []byte {
	class := makeClass(name, 52)
	shared := bytes.Clone(class[:10])
	for i, s := range []string{name, "java/lang/Object"} {
		shared = append(shared, tagShared, 0, 0, 0, byte(m.str(s)), 7, 0, byte(1+2*i))
	}
	shared = append(shared, class[len(class)-14:]...)
	m.add("m", "p", name[len("p/"):], "class", m.wrap("compact-cp", shared, len(class)), len(class), true)
	return class
}

// The seeds must be valid, or fuzzing begins with nothing.
func TestFuzzSeeds(t *testing.T) {
	m := newImage(binary.LittleEndian)
	want := addShared(m, "p/S")
	a := open(t, "modules", m.bytes(), Config{})
	if b, err := a.Read("p/S"); err != nil || !bytes.Equal(b, want) {
		t.Errorf("p/S = %q, %v, want %q", b, err, want)
	}
}
