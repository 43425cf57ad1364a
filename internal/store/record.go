package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
)

// A Record is what is remembered of work done: the blobs it yielded, in an
// order agreed between those who write and read records of that purpose, and a
// few bytes of the caller's own.
type Record struct {
	Blobs []Digest
	// Note travels inside the record's own file, which saves opening a second
	// one. It is for what is small and always wanted, such as a name or a count.
	Note []byte
}

// maxRecord bounds an encoded record. A longer file is not one of ours, and
// reading it whole would be wasted.
const maxRecord = 1 << 20

// An encoded record is
//
//	magic   8 bytes
//	key     32 bytes, so that a file under the wrong name is found out
//	count   4 bytes little endian, number of blobs
//	blobs   count × 32 bytes
//	note    the rest up to the checksum
//	sum     32 bytes, SHA-256 of everything before
//
// Each record has exactly one encoding.
const recordMagic = "DHREC\x00\x001"

const recordOverhead = len(recordMagic) + len(Key{}) + 4 + sha256.Size

func encodeRecord(k Key, r Record) ([]byte, error) {
	size := recordOverhead + len(r.Blobs)*len(Digest{}) + len(r.Note)
	if size > maxRecord {
		return nil, fmt.Errorf("record of %d bytes is over the limit of %d: put the note as a blob", size, maxRecord)
	}
	b := make([]byte, 0, size)
	b = append(b, recordMagic...)
	b = append(b, k[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Blobs)))
	for i := range r.Blobs {
		b = append(b, r.Blobs[i][:]...)
	}
	b = append(b, r.Note...)
	sum := sha256.Sum256(b)
	return append(b, sum[:]...), nil
}

// decodeRecord reads the record of k. The result shares no memory with
// data. Any error is a corruptError.
func decodeRecord(k Key, data []byte) (Record, error) {
	if len(data) < recordOverhead {
		return Record{}, corruptError("shorter than any record")
	}
	if len(data) > maxRecord {
		return Record{}, corruptError("longer than any record")
	}
	body, sum := data[:len(data)-sha256.Size], data[len(data)-sha256.Size:]
	if got := sha256.Sum256(body); !bytes.Equal(got[:], sum) {
		return Record{}, corruptError("checksum does not match")
	}
	rest, ok := bytes.CutPrefix(body, []byte(recordMagic))
	if !ok {
		return Record{}, corruptError("not a record of this version")
	}
	rest, ok = bytes.CutPrefix(rest, k[:])
	if !ok {
		return Record{}, corruptError("record of another key")
	}
	count := uint64(binary.LittleEndian.Uint32(rest))
	rest = rest[4:]
	if count*uint64(len(Digest{})) > uint64(len(rest)) {
		return Record{}, corruptError("more blobs than bytes")
	}
	var r Record
	if count > 0 {
		r.Blobs = make([]Digest, count)
	}
	for i := range r.Blobs {
		rest = rest[copy(r.Blobs[i][:], rest):]
	}
	if len(rest) > 0 {
		r.Note = slices.Clone(rest)
	}
	return r, nil
}
