package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// imageMagic begins a run-time image, in the byte order of the machine that it
// was made for.
const imageMagic = 0xCAFEDADA

// imageHeader is the size of the header: seven words.
const imageHeader = 28

// Kinds of the attributes of a location.
const (
	attrEnd = iota
	attrModule
	attrParent
	attrBase
	attrExtension
	attrOffset
	attrCompressed
	attrSize
	attrCount
)

// image is the container of a run-time image (lib/modules of a JDK): a header,
// a table that redirects hashes of names, one that has the place of each
// location, locations as tagged attributes, strings, and the resources. All
// resources are listed here, so the hashes are not needed.
type image struct {
	r         io.ReaderAt
	size      int64
	order     binary.ByteOrder
	strings   []byte
	data      int64 // offset of the first resource
	resources []resource
	list      []string

	names, bytes int64 // what is left for names and resources while the index is read
}

// resource is where a resource is. compressed is 0 if it is stored as it is.
type resource struct {
	offset, compressed, size uint64
}

func openImage(name string, r io.ReaderAt, size int64) (*Archive, error) {
	m := &image{r: r, size: size}
	if err := m.readIndex(); err != nil {
		return nil, fmt.Errorf("%s: run-time image: %w", name, err)
	}
	a := &Archive{name: name, src: m, manifest: &Manifest{}, byName: make(map[string]int, len(m.list))}
	classes := make(map[string]int, len(m.list))
	for i, entry := range m.list {
		a.byName[entry] = i
		module, rest, ok := strings.Cut(entry, "/")
		// "modules" and "packages" are directories that the image file system
		// makes up, with no classes of their own.
		if !ok || module == "modules" || module == "packages" {
			continue
		}
		if rest == "module-info.class" {
			a.modules = append(a.modules, entry)
		} else if class, ok := className(rest); ok {
			classes[class] = i
		}
	}
	slices.Sort(a.modules)
	a.setClasses(classes)
	return a, nil
}

// readIndex reads everything before the resources.
func (m *image) readIndex() error {
	var head [imageHeader]byte
	if _, err := io.ReadFull(io.NewSectionReader(m.r, 0, m.size), head[:]); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	m.order = binary.LittleEndian
	if binary.BigEndian.Uint32(head[:]) == imageMagic {
		m.order = binary.BigEndian
	}
	word := func(i int) int64 { return int64(m.order.Uint32(head[4*i:])) }
	if major := word(1) >> 16; major != 1 {
		return fmt.Errorf("format version %d.%d is not known; use a JDK whose image has version 1", major, word(1)&0xFFFF)
	}
	length, locations, strs := word(4), word(5), word(6)
	index := 8*length + locations + strs
	if index > m.size-imageHeader {
		return fmt.Errorf("index of %d bytes in a file of %d", index, m.size)
	}
	b := make([]byte, index)
	if _, err := m.r.ReadAt(b, imageHeader); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	m.data = imageHeader + index
	offsets := b[4*length : 8*length]
	attrs := b[8*length : 8*length+locations]
	m.strings = b[8*length+locations:]
	// Locations can share strings and resources. Those of a JDK do so little;
	// without a bound a small file could ask for any amount of memory and time.
	const sharing = 64
	m.names, m.bytes = sharing*index, sharing*m.size
	m.resources = make([]resource, 0, length)
	m.list = make([]string, 0, length)
	for i := range length {
		if err := m.location(attrs, m.order.Uint32(offsets[4*i:])); err != nil {
			return fmt.Errorf("location %d: %w", i, err)
		}
	}
	return nil
}

// location reads the attributes of one resource: a byte with the kind in its
// upper five bits and the number of bytes less one in the others, then a
// big-endian number.
func (m *image) location(b []byte, off uint32) error {
	var attr [attrCount]uint64
	for i := uint64(off); ; {
		if i >= uint64(len(b)) {
			return fmt.Errorf("offset %d of %d bytes", i, len(b))
		}
		kind, n := int(b[i]>>3), uint64(b[i]&7)+1
		i++
		if kind == attrEnd {
			break
		}
		if kind >= attrCount || i+n > uint64(len(b)) {
			return fmt.Errorf("attribute %d of %d bytes at %d of %d", kind, n, i, len(b))
		}
		var v uint64
		for _, x := range b[i : i+n] {
			v = v<<8 | uint64(x)
		}
		attr[kind] = v
		i += n
	}
	name, err := m.name(&attr)
	if err != nil {
		return err
	}
	stored := attr[attrSize]
	if attr[attrCompressed] != 0 {
		stored = attr[attrCompressed]
	}
	if stored > uint64(m.size) {
		stored = 0 // it will not be read
	}
	if m.bytes -= int64(stored); m.bytes < 0 {
		return errors.New("the resources overlap: together they have many times the bytes of the file")
	}
	m.list = append(m.list, name)
	m.resources = append(m.resources, resource{attr[attrOffset], attr[attrCompressed], attr[attrSize]})
	return nil
}

// name puts a name together: module/parent/base.extension, with what is empty
// left out.
func (m *image) name(attr *[attrCount]uint64) (string, error) {
	var part [attrExtension + 1][]byte
	for k := attrModule; k <= attrExtension; k++ {
		s, err := m.str(attr[k])
		if err != nil {
			return "", err
		}
		part[k] = s
	}
	for _, s := range part {
		m.names -= int64(len(s))
	}
	if m.names < 0 {
		return "", errors.New("the names have many times the bytes of the index")
	}
	var out strings.Builder
	for _, dir := range part[attrModule:attrBase] {
		if len(dir) > 0 {
			out.Write(dir)
			out.WriteByte('/')
		}
	}
	out.Write(part[attrBase])
	if ext := part[attrExtension]; len(ext) > 0 {
		out.WriteByte('.')
		out.Write(ext)
	}
	return out.String(), nil
}

// str returns a string of the table, which ends with NUL.
func (m *image) str(off uint64) ([]byte, error) {
	if off >= uint64(len(m.strings)) {
		return nil, fmt.Errorf("string at %d of %d bytes", off, len(m.strings))
	}
	s := m.strings[off:]
	n := bytes.IndexByte(s, 0)
	if n < 0 {
		return nil, fmt.Errorf("string at %d has no end", off)
	}
	return s[:n], nil
}

func (m *image) read(entry int, max int64) ([]byte, error) {
	r := m.resources[entry]
	stored := r.size
	if r.compressed != 0 {
		stored = r.compressed
	}
	if r.size > uint64(max) || stored > uint64(max) {
		return nil, fmt.Errorf("%d bytes, more than %d", r.size, max)
	}
	if left := uint64(m.size - m.data); r.offset > left || stored > left-r.offset {
		return nil, fmt.Errorf("%d bytes at %d are beyond the end of the image", stored, r.offset)
	}
	b := make([]byte, stored)
	if _, err := m.r.ReadAt(b, m.data+int64(r.offset)); err != nil {
		return nil, err
	}
	if r.compressed == 0 {
		return b, nil
	}
	return m.expand(b, r.size)
}
