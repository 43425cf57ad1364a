package classfile

import "encoding/binary"

// builder makes class files by hand, also wrong ones.
type builder struct {
	pool    []byte
	n       int // constants so far, with entry 0
	strs    map[string]int
	fields  [][]byte
	methods [][]byte
	attrs   [][]byte
	super   int
	major   int
}

func newBuilder() *builder {
	b := &builder{n: 1, strs: map[string]int{}, major: 61}
	b.super = b.class("java/lang/Object")
	return b
}

func u2(n int) []byte { return []byte{byte(n >> 8), byte(n)} }

func u4(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// cat joins bytes.
func cat(parts ...[]byte) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

// constant adds an entry and returns its index.
func (b *builder) constant(tag byte, contents ...[]byte) int {
	b.pool = append(append(b.pool, tag), cat(contents...)...)
	b.n++
	if tag == tagLong || tag == tagDouble {
		b.n++
		return b.n - 2
	}
	return b.n - 1
}

func (b *builder) utf8(s string) int {
	if i, ok := b.strs[s]; ok {
		return i
	}
	i := b.constant(tagUTF8, u2(len(s)), []byte(s))
	b.strs[s] = i
	return i
}

func (b *builder) class(name string) int { return b.constant(tagClass, u2(b.utf8(name))) }

func (b *builder) ref(tag byte, owner, name, desc string) int {
	nt := b.constant(tagNameAndType, u2(b.utf8(name)), u2(b.utf8(desc)))
	return b.constant(tag, u2(b.class(owner)), u2(nt))
}

// attr makes an attribute.
func (b *builder) attr(name string, contents ...[]byte) []byte {
	c := cat(contents...)
	return cat(u2(b.utf8(name)), u4(len(c)), c)
}

// table makes a counted list.
func table(entries ...[]byte) []byte { return cat(u2(len(entries)), cat(entries...)) }

func (b *builder) field(access Access, name, desc string, attrs ...[]byte) {
	b.fields = append(b.fields, cat(u2(int(access)), u2(b.utf8(name)), u2(b.utf8(desc)), table(attrs...)))
}

func (b *builder) method(access Access, name, desc string, attrs ...[]byte) {
	b.methods = append(b.methods, cat(u2(int(access)), u2(b.utf8(name)), u2(b.utf8(desc)), table(attrs...)))
}

// code makes a Code attribute with room for four words and eight locals.
func (b *builder) code(insns []byte, handlers [][]byte, attrs ...[]byte) []byte {
	return b.attr("Code", u2(4), u2(8), u4(len(insns)), insns, table(handlers...), table(attrs...))
}

func (b *builder) bytes() []byte {
	this := b.class("p/Hand")
	return cat(u4(magic), u2(0), u2(b.major), u2(b.n), b.pool, u2(int(AccPublic|AccSuper)), u2(this), u2(b.super), u2(0),
		table(b.fields...), table(b.methods...), table(b.attrs...))
}

// oneMethod is a class with a method m()V that has the instructions.
func oneMethod(insns ...byte) []byte {
	b := newBuilder()
	b.method(AccStatic, "m", "()V", b.code(insns, nil))
	return b.bytes()
}
