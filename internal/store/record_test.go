package store

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

// Any bytes, given a right checksum so that they get past it, are refused or
// are the one encoding of what is returned.
func FuzzDecodeRecord(f *testing.F) {
	k := keyOf("work")
	for _, r := range []Record{{}, {Note: []byte("note")}, {Blobs: []Digest{{1}, {2}}, Note: []byte{0}}} {
		data, err := encodeRecord(k, r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:len(data)-sha256.Size])
	}
	f.Add([]byte(recordMagic))
	f.Add(append(append([]byte(recordMagic), k[:]...), 255, 255, 255, 255, 1, 2, 3))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := decodeRecord(k, body); err == nil {
			t.Error("bytes without a right checksum were accepted")
		}
		sum := sha256.Sum256(body)
		data := append(bytes.Clone(body), sum[:]...)
		r, err := decodeRecord(k, data)
		if err != nil {
			return
		}
		again, err := encodeRecord(k, r)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("decoded to %v, which encodes to other bytes (%v)", r, err)
		}
	})
}

func TestDecodeRecordRefuses(t *testing.T) {
	k := keyOf("work")
	head := func(magic string, k Key, count byte) []byte {
		b := append([]byte(magic), k[:]...)
		return append(b, count, 0, 0, 0)
	}
	for name, body := range map[string][]byte{
		"nothing":       nil,
		"magic only":    []byte(recordMagic),
		"other version": head("DHREC\x00\x002", k, 0),
		"other key":     head(recordMagic, keyOf("other"), 0),
		"blob missing":  head(recordMagic, k, 1),
		"blob cut":      append(head(recordMagic, k, 1), make([]byte, 31)...),
		"count cut":     head(recordMagic, k, 0)[:43],
		"too long":      append(head(recordMagic, k, 0), make([]byte, maxRecord)...),
	} {
		sum := sha256.Sum256(body)
		if r, err := decodeRecord(k, append(body, sum[:]...)); err == nil {
			t.Errorf("%s: accepted as %v", name, r)
		}
	}
}
