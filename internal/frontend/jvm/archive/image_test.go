package archive

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// simpleImage has the class p/A in the module m.
func simpleImage() []byte {
	m := newImage(binary.LittleEndian)
	class := makeClass("p/A", 61)
	m.add("m", "p", "A", "class", class, len(class), false)
	return m.bytes()
}

func TestImage(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		m := newImage(order)
		class := makeClass("p/q/A", 61)
		m.add("m.one", "p/q", "A", "class", class, len(class), false)
		m.add("m.one", "", "module-info", "class", []byte("x"), 1, false)
		m.add("m.two", "", "B", "class", makeClass("B", 50), len(makeClass("B", 50)), false)
		m.add("m.two", "META-INF", "readme", "", []byte("text"), 4, false)
		m.add("packages", "", "p", "q", []byte("12345678"), 8, false)
		m.add("", "", "empty", "", nil, 0, false)
		// Compressed once, and twice.
		c := makeClass("p/q/C", 52)
		m.add("m.one", "p/q", "C", "class", m.wrap("zip", deflate(t, c), len(c)), len(c), true)
		d := makeClass("p/q/D", 53)
		inner := m.wrap("zip", deflate(t, d), len(d))
		m.add("m.one", "p/q", "D", "class", m.wrap("zip", deflate(t, inner), len(inner)), len(d), true)
		m.add("m.one", "p/q", "E", "class", m.wrap("brotli", []byte("??"), 9), 9, true)
		m.add("m.one", "p/q", "F", "class", m.wrap("zip", deflate(t, c), len(c)-1), len(c)-1, true)
		m.add("m.one", "p/q", "G", "class", []byte("x"), maxEntry+1, false)
		m.add("m.one", "p/q", "H", "class", []byte("x"), 1000, false)
		a := open(t, "modules", m.bytes(), Config{})
		if want := []string{"B", "p/q/A", "p/q/C", "p/q/D", "p/q/E", "p/q/F", "p/q/G", "p/q/H"}; !reflect.DeepEqual(a.Classes(), want) {
			t.Errorf("%s: classes = %q", order, a.Classes())
		}
		for name, major := range map[string]int{"p/q/A": 61, "B": 50, "p/q/C": 52, "p/q/D": 53} {
			if k, err := a.Class(name); err != nil || int(k.Major) != major {
				t.Errorf("%s: %s: %v", order, name, err)
			}
		}
		for name, want := range map[string]string{
			"p/q/E": `compressed with "brotli", which is not known`,
			"p/q/F": "came out, want",
			"p/q/G": "67108865 bytes, more than 67108864",
			"p/q/H": "beyond the end of the image",
		} {
			if _, err := a.Read(name); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %s: %v, want %q", order, name, err, want)
			}
		}
		if b, err := a.Resource("m.two/META-INF/readme"); err != nil || string(b) != "text" {
			t.Errorf("%s: readme = %q, %v", order, b, err)
		}
		if !reflect.DeepEqual(a.Modules(), []string{"m.one/module-info.class"}) {
			t.Errorf("%s: modules = %q", order, a.Modules())
		}
	}
}

func TestImageErrors(t *testing.T) {
	good := simpleImage()
	patch := func(off int, b ...byte) []byte {
		out := bytes.Clone(good)
		copy(out[off:], b)
		return out
	}
	names, data := newImage(binary.LittleEndian), newImage(binary.LittleEndian)
	names.add("m", "p", strings.Repeat("x", 10000), "class", nil, 0, false)
	data.add("m", "p", "x", "class", make([]byte, 10000), 10000, false)
	for range 500 {
		names.offsets = append(names.offsets, 0)
		data.offsets = append(data.offsets, 0)
	}
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"names", names.bytes(), "the names have many times the bytes of the index"},
		{"resources", data.bytes(), "the resources overlap"},
		{"version", patch(6, 2), "format version 2.0 is not known"},
		{"index", patch(16, 0xFF, 0xFF, 0xFF, 0xFF), "index of 34359738384 bytes in a file of"},
		{"cut off", good[:40], "bytes in a file of 40"},
		{"offset", patch(32, 0xFF), "location 0: offset 255 of 11 bytes"},
		{"kind", patch(36, 0xF8), "attribute 31 of 1 bytes"},
		{"string", patch(37, 0xEE), "string at 238 of 13 bytes"},
	} {
		_, err := openBytes("x", bytes.NewReader(tt.b), int64(len(tt.b)), Config{}, 0, new(int64))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// What compact-cp takes out of a class comes back.
func TestUnshare(t *testing.T) {
	m := newImage(binary.LittleEndian)
	desc, pkg, class, name := m.str("(L;[I)V"), m.str("java/lang"), m.str("String"), m.str("name")
	packed := func(n int) []byte { return []byte{0x80 | 2<<5 | byte(n>>8), byte(n)} }
	head := []byte{0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 61, 0, 6}
	tail := []byte("the rest")
	long := []byte{5, 1, 2, 3, 4, 5, 6, 7, 8}
	in := append(bytes.Clone(head), long...)
	in = append(append(in, tagShared), packed(name)...)
	in = append(append(in, tagDescriptor), 0, 0, 0, byte(desc)) // a number of four bytes
	in = append(in, 0x80|1<<5|4)                                // one of one byte
	in = append(append(append(in, packed(pkg)...), packed(class)...), 1, 0, 1, 'x')
	in = append(in, tail...)
	want := append(bytes.Clone(head), long...)
	for _, s := range []string{"name", "(Ljava/lang/String;[I)V", "x"} {
		want = append(append(want, 1, 0, byte(len(s))), s...)
	}
	want = append(want, tail...)
	im := &image{order: binary.LittleEndian, strings: m.strings}
	got, err := im.unshare(in, int64(len(want)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("got  %q, %v\nwant %q", got, err, want)
	}
	for n := range len(in) - len(tail) {
		if _, err := im.unshare(in[:n], int64(len(want))); err == nil {
			t.Errorf("%d bytes of %d were taken", n, len(in))
		}
	}
	if _, err := im.unshare(in, int64(len(want))-1); err == nil {
		t.Error("a wrong size was taken")
	}
}

// Images that the JDK's jlink compressed have the classes of the JDK.
func TestJlink(t *testing.T) {
	if testing.Short() {
		t.Skip("runs jlink")
	}
	jlink, err := exec.LookPath("jlink")
	if err != nil {
		t.Skip("no jlink in PATH: install a JDK to run this test")
	}
	jdk := openTestJDK(t)
	if _, err := os.Stat(filepath.Join(jdk.Home, "jmods", "java.base.jmod")); err != nil {
		t.Skipf("jlink needs jmods to run this test: %v", err)
	}
	// The filter keeps jlink's own part short.
	const pkg = "java/util/concurrent/"
	for _, level := range []string{"1", "2"} {
		out := filepath.Join(t.TempDir(), "image")
		if msg, err := exec.Command(jlink, "--add-modules", "java.base", "--compress="+level+":filter=/java.base/"+pkg+"**", "--output", out).CombinedOutput(); err != nil {
			t.Fatalf("jlink: %v\n%s", err, msg)
		}
		small, err := OpenJDK(out, Config{})
		if err != nil {
			t.Fatal(err)
		}
		src := small.Path.Archives[0].src.(*image)
		compressed := 0
		for i, class := range small.Path.Classes() {
			if !strings.HasPrefix(class, pkg) {
				continue
			}
			got, err := small.Path.Read(class)
			if err != nil {
				t.Error(err)
				continue
			}
			want, err := jdk.Path.Read(class)
			if err != nil {
				t.Error(err)
			} else if !bytes.Equal(got, want) {
				t.Errorf("level %s: %s differs", level, class)
			}
			if src.resources[small.Path.Archives[0].entries[i]].compressed > 0 {
				compressed++
			}
		}
		if compressed < 100 {
			t.Errorf("level %s: only %d classes are compressed", level, compressed)
		}
		t.Logf("level %s: %d compressed classes equal those of the JDK", level, compressed)
		small.Path.Close()
	}
}
