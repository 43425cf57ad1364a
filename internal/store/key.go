package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// A Digest names a blob: the SHA-256 of its bytes.
type Digest [sha256.Size]byte

// Sum returns the digest of data.
func Sum(data []byte) Digest { return sha256.Sum256(data) }

// String returns the digest in lower-case hexadecimal.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// A Key names work: the hash of everything its result depends on. It is a type
// of its own because a key says nothing about the bytes that the work yields.
type Key [sha256.Size]byte

// String returns the key in lower-case hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// A KeyBuilder hashes a sequence of fields into a Key. Each field is hashed with
// its type and its length, so that two different sequences never run together
// into the same bytes: "ab","c" differs from "a","bc", and 1 from "1".
//
// Fields must be added in an order that does not depend on map iteration.
type KeyBuilder struct {
	h   hash.Hash
	buf [9]byte
}

// Field types, part of what is hashed.
const (
	fieldText byte = iota + 1
	fieldBytes
	fieldInt
	fieldBool
	fieldDigest
	fieldKey
	fieldTexts
)

// NewKey starts a key for one kind of work. Keys with different purposes never
// meet; the purpose is the place to name the program's version and the format
// of what is stored, for instance "go unit 3".
func NewKey(purpose string) *KeyBuilder {
	b := &KeyBuilder{h: sha256.New()}
	b.Text(purpose)
	return b
}

// Text adds a string.
func (b *KeyBuilder) Text(s string) {
	b.head(fieldText, uint64(len(s)))
	b.h.Write([]byte(s))
}

// Bytes adds a byte string.
func (b *KeyBuilder) Bytes(p []byte) {
	b.head(fieldBytes, uint64(len(p)))
	b.h.Write(p)
}

// Int adds an integer.
func (b *KeyBuilder) Int(n int64) { b.head(fieldInt, uint64(n)) }

// Bool adds a truth value.
func (b *KeyBuilder) Bool(v bool) {
	var n uint64
	if v {
		n = 1
	}
	b.head(fieldBool, n)
}

// Digest adds the identity of a blob.
func (b *KeyBuilder) Digest(d Digest) {
	b.head(fieldDigest, uint64(len(d)))
	b.h.Write(d[:])
}

// Key adds the identity of other work.
func (b *KeyBuilder) Key(k Key) {
	b.head(fieldKey, uint64(len(k)))
	b.h.Write(k[:])
}

// Texts adds a list of strings with its length, so that lists side by side do
// not flow into each other.
func (b *KeyBuilder) Texts(list []string) {
	b.head(fieldTexts, uint64(len(list)))
	for _, s := range list {
		b.Text(s)
	}
}

// Sum returns the key of the fields added so far.
func (b *KeyBuilder) Sum() Key {
	var k Key
	b.h.Sum(k[:0])
	return k
}

func (b *KeyBuilder) head(field byte, n uint64) {
	b.buf[0] = field
	binary.LittleEndian.PutUint64(b.buf[1:], n)
	b.h.Write(b.buf[:])
}
