package archive

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A compressed resource of an image begins with a header that says how; what
// comes out may begin with another one.
const (
	expandMagic  = 0xCAFEFAFA
	expandHeader = 29
	// maxExpand bounds how often one resource can have been compressed. There
	// are two ways of compressing.
	maxExpand = 4
)

// expand undoes all compressions of a resource that has size bytes in the end.
func (m *image) expand(b []byte, size uint64) ([]byte, error) {
	for range maxExpand {
		if len(b) < expandHeader || m.order.Uint32(b) != expandMagic {
			if uint64(len(b)) != size {
				return nil, fmt.Errorf("%d bytes came out, want %d", len(b), size)
			}
			return b, nil
		}
		stored, after := m.order.Uint64(b[4:]), m.order.Uint64(b[12:])
		how, err := m.str(uint64(m.order.Uint32(b[20:])))
		if err != nil {
			return nil, err
		}
		body := b[expandHeader:]
		if stored > uint64(len(body)) || after > maxEntry {
			return nil, fmt.Errorf("%d bytes compressed to %d, of which %d are there", after, stored, len(body))
		}
		body = body[:stored]
		switch string(how) {
		case "zip":
			b, err = inflate(body, int64(after))
		case "compact-cp":
			b, err = m.unshare(body, int64(after))
		default:
			return nil, fmt.Errorf("compressed with %q, which is not known; make the image without --compress", how)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", how, err)
		}
	}
	return nil, fmt.Errorf("compressed more than %d times", maxExpand)
}

func inflate(b []byte, size int64) ([]byte, error) {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.Grow(int(min(size, 1<<20)))
	n, err := io.Copy(&out, io.LimitReader(z, size+1))
	if err == nil && n != size {
		err = fmt.Errorf("%d bytes came out, want %d", n, size)
	}
	return out.Bytes(), err
}

// Tags that compact-cp has instead of that of a UTF-8 constant.
const (
	tagUTF8       = 1
	tagShared     = 23 // index of a string of the image
	tagDescriptor = 25 // likewise of a descriptor, and of the names it lacks
)

// constSize has the bytes of a constant after its tag, 0 where there is no such
// tag.
var constSize = [21]uint8{3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}

var errShort = errors.New("class ends too early")

// unshare puts the constants of a class back that are in the strings of the
// image. Everything else of the class is as it was.
func (m *image) unshare(b []byte, size int64) ([]byte, error) {
	const head = 10 // magic, version, number of constants
	if len(b) < head {
		return nil, errShort
	}
	out := make([]byte, 0, min(size, 1<<20))
	out = append(out, b[:head]...)
	n := int(binary.BigEndian.Uint16(b[8:]))
	in := b[head:]
	for i := 1; i < n; i++ {
		if len(in) == 0 {
			return nil, errShort
		}
		tag := in[0]
		var err error
		switch {
		case tag == tagShared || tag == tagDescriptor:
			in = in[1:]
			var s []byte
			if tag == tagShared {
				s, err = m.shared(&in)
			} else {
				s, err = m.descriptor(&in)
			}
			if len(s) > 0xFFFF {
				err = fmt.Errorf("constant %d has %d bytes", i, len(s))
			}
			out = append(out, tagUTF8, byte(len(s)>>8), byte(len(s)))
			out = append(out, s...)
		case tag == tagUTF8:
			if len(in) < 3 {
				return nil, errShort
			}
			out, err = move(out, &in, 3+int(binary.BigEndian.Uint16(in[1:])))
		case int(tag) < len(constSize) && constSize[tag] > 0:
			out, err = move(out, &in, 1+int(constSize[tag]))
			if constSize[tag] == 8 {
				i++
			}
		default:
			err = fmt.Errorf("constant %d has the unknown tag %d", i, tag)
		}
		if err != nil {
			return nil, err
		}
		if int64(len(out)) > size {
			break
		}
	}
	out = append(out, in...)
	if int64(len(out)) != size {
		return nil, fmt.Errorf("%d bytes came out, want %d", len(out), size)
	}
	return out, nil
}

// move appends the next n bytes.
func move(out []byte, in *[]byte, n int) ([]byte, error) {
	if n > len(*in) {
		return nil, errShort
	}
	out = append(out, (*in)[:n]...)
	*in = (*in)[n:]
	return out, nil
}

// shared returns the string of the image whose place comes next.
func (m *image) shared(in *[]byte) ([]byte, error) {
	off, err := packed(in)
	if err != nil {
		return nil, err
	}
	return m.str(off)
}

// descriptor puts a descriptor together: its string has all names of classes
// taken out, "(L;I)V", and two strings for each, the package and the rest, are
// named in order.
func (m *image) descriptor(in *[]byte) ([]byte, error) {
	desc, err := m.shared(in)
	if err != nil {
		return nil, err
	}
	n, err := packed(in)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return desc, nil
	}
	if n > uint64(len(*in)) {
		return nil, errShort
	}
	places := (*in)[:n]
	*in = (*in)[n:]
	var out []byte
	for _, c := range desc {
		out = append(out, c)
		if c != 'L' {
			continue
		}
		pkg, err := m.shared(&places)
		if err != nil {
			return nil, err
		}
		if len(pkg) > 0 {
			out = append(out, pkg...)
			out = append(out, '/')
		}
		class, err := m.shared(&places)
		if err != nil {
			return nil, err
		}
		if out = append(out, class...); len(out) > 0xFFFF {
			return nil, errors.New("descriptor of more than 65535 bytes")
		}
	}
	return out, nil
}

// packed reads a number: with the top bit set, the next two are the number of
// bytes and the lower five bits the first of them, else it has four bytes.
func packed(in *[]byte) (uint64, error) {
	b := *in
	if len(b) == 0 {
		return 0, errShort
	}
	n, v := 4, uint64(b[0])
	if b[0]&0x80 != 0 {
		n, v = int(b[0]>>5&3), uint64(b[0]&0x1F)
	}
	if n == 0 || n > len(b) {
		return 0, errShort
	}
	for _, x := range b[1:n] {
		v = v<<8 | uint64(x)
	}
	*in = b[n:]
	return v, nil
}
