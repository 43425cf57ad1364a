package classfile

import "fmt"

// Error says what is wrong with a class file, and where.
type Error struct {
	Class  string // internal name, "" where the name itself could not be read
	Method string // name and descriptor, for errors in code
	Offset int    // in bytes from the start of the file
	Msg    string
}

func (e *Error) Error() string {
	name := "class file"
	if e.Class != "" {
		name = "class " + e.Class
	}
	if e.Method != "" {
		name += ": method " + e.Method
	}
	return fmt.Sprintf("%s: offset %d: %s", name, e.Offset, e.Msg)
}

// fault keeps the first error. What is read after it is zero, so readers check
// once at the end of a piece of work; loops stay bounded because every count is
// checked against the bytes that are left.
type fault struct {
	err *Error
}

func (f *fault) fail(off int, format string, args ...any) {
	if f.err == nil {
		f.err = &Error{Offset: off, Msg: fmt.Sprintf(format, args...)}
	}
}

// span is a range of the file; off is never 0 for one that is there.
type span struct{ off, len int }

// cursor reads big-endian numbers of b between off and end.
type cursor struct {
	b        []byte
	off, end int
	f        *fault
}

// need reports whether n bytes are left and fails otherwise.
func (c *cursor) need(n int) bool {
	if n <= c.end-c.off {
		return true
	}
	c.f.fail(c.off, "%d bytes needed, %d left", n, c.end-c.off)
	c.off = c.end
	return false
}

func (c *cursor) u1() int {
	if !c.need(1) {
		return 0
	}
	v := c.b[c.off]
	c.off++
	return int(v)
}

func (c *cursor) u2() int {
	if !c.need(2) {
		return 0
	}
	v := int(c.b[c.off])<<8 | int(c.b[c.off+1])
	c.off += 2
	return v
}

func (c *cursor) u4() uint32 {
	if !c.need(4) {
		return 0
	}
	b := c.b[c.off : c.off+4]
	c.off += 4
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// ref reads an index of the constant pool and says where it was.
func (c *cursor) ref() (from, i int) {
	from = c.off
	return from, c.u2()
}

// count reads a number of entries that take at least size bytes each. It is 0
// after an error, so that nobody takes memory for entries that cannot be there.
func (c *cursor) count(size int) int {
	at := c.off
	n := c.u2()
	if n*size > c.end-c.off {
		c.f.fail(at, "%d entries of %d bytes announced, %d bytes left", n, size, c.end-c.off)
		c.off = c.end
		return 0
	}
	return n
}

// sub returns a cursor over the next n bytes and steps over them.
func (c *cursor) sub(n uint32) cursor {
	if uint64(n) > uint64(c.end-c.off) {
		c.f.fail(c.off, "%d bytes announced, %d left", n, c.end-c.off)
		c.off = c.end
		return cursor{b: c.b, off: c.end, end: c.end, f: c.f}
	}
	s := cursor{b: c.b, off: c.off, end: c.off + int(n), f: c.f}
	c.off += int(n)
	return s
}

// done fails if bytes are left: the contents were not what they seemed.
func (c *cursor) done(what string) {
	if c.f.err == nil && c.off != c.end {
		c.f.fail(c.off, "%d bytes left at the end of %s", c.end-c.off, what)
	}
}
