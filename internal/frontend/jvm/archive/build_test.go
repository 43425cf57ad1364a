package archive

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// entry is an entry of a zip file to make.
type entry struct {
	name string
	data []byte
	// store leaves the entry uncompressed.
	store bool
}

func makeZip(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		if e.store {
			h.Method = zip.Store
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(e.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// makeClass is the least class file with a name. The version tells copies of a
// class apart.
func makeClass(name string, major int) []byte {
	b := []byte{0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, byte(major), 0, 5}
	for i, s := range []string{name, "java/lang/Object"} {
		b = append(b, 1, byte(len(s)>>8), byte(len(s)))
		b = append(b, s...)
		b = append(b, 7, 0, byte(2*i+1))
	}
	return append(b, 0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0)
}

func writeFile(t testing.TB, file string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func manifest(lines ...string) entry {
	return entry{name: manifestName, data: []byte("Manifest-Version: 1.0\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n")}
}

// open opens bytes as a file of a name.
func open(t testing.TB, name string, data []byte, cfg Config) *Archive {
	t.Helper()
	a, err := Open(writeFile(t, filepath.Join(t.TempDir(), name), data), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// majorOf reads a class that makeClass made.
func majorOf(t testing.TB, r interface{ Read(string) ([]byte, error) }, class string) int {
	t.Helper()
	b, err := r.Read(class)
	if err != nil {
		t.Fatal(err)
	}
	return int(b[7])
}

// imageMaker makes run-time images.
type imageMaker struct {
	order   binary.AppendByteOrder
	strings []byte
	offsets []uint32
	attrs   []byte
	data    []byte
}

func newImage(order binary.AppendByteOrder) *imageMaker {
	return &imageMaker{order: order, strings: []byte{0}}
}

// str adds a string and returns its offset; the empty one is at 0.
func (m *imageMaker) str(s string) int {
	if s == "" {
		return 0
	}
	off := len(m.strings)
	m.strings = append(append(m.strings, s...), 0)
	return off
}

// attr adds an attribute with as many bytes as it needs.
func (m *imageMaker) attr(kind int, v uint64) {
	if v == 0 {
		return
	}
	b := binary.BigEndian.AppendUint64(nil, v)
	b = bytes.TrimLeft(b, "\x00")
	m.attrs = append(append(m.attrs, byte(kind<<3|len(b)-1)), b...)
}

// add adds a resource; stored has size bytes after all compressions are undone,
// compressed is false if there were none.
func (m *imageMaker) add(module, parent, base, ext string, stored []byte, size int, compressed bool) {
	m.offsets = append(m.offsets, uint32(len(m.attrs)))
	m.attr(attrModule, uint64(m.str(module)))
	m.attr(attrParent, uint64(m.str(parent)))
	m.attr(attrBase, uint64(m.str(base)))
	m.attr(attrExtension, uint64(m.str(ext)))
	m.attr(attrOffset, uint64(len(m.data)))
	if compressed {
		m.attr(attrCompressed, uint64(len(stored)))
	}
	m.attr(attrSize, uint64(size))
	m.attrs = append(m.attrs, attrEnd<<3)
	m.data = append(m.data, stored...)
}

// wrap puts the header of a compression before bytes.
func (m *imageMaker) wrap(how string, data []byte, size int) []byte {
	b := m.order.AppendUint32(nil, expandMagic)
	b = m.order.AppendUint64(b, uint64(len(data)))
	b = m.order.AppendUint64(b, uint64(size))
	b = m.order.AppendUint32(b, uint32(m.str(how)))
	b = m.order.AppendUint32(b, 0)
	return append(append(b, 1), data...)
}

func deflate(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func (m *imageMaker) bytes() []byte {
	n := uint32(len(m.offsets))
	var b []byte
	for _, w := range []uint32{imageMagic, 1 << 16, 0, n, n, uint32(len(m.attrs)), uint32(len(m.strings))} {
		b = m.order.AppendUint32(b, w)
	}
	b = append(b, make([]byte, 4*n)...) // redirections, which are not used
	for _, off := range m.offsets {
		b = m.order.AppendUint32(b, off)
	}
	return append(append(append(b, m.attrs...), m.strings...), m.data...)
}
