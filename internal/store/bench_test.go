package store

import (
	"math/rand/v2"
	"testing"
)

// BenchmarkWarm is the store's share of a warm run: 1,000 records and one blob
// for each, 50 MB in all.
func BenchmarkWarm(b *testing.B) {
	s := open(b)
	rnd := rand.New(rand.NewPCG(1, 2))
	keys := make([]Key, 1000)
	var total int64
	for i := range keys {
		data := make([]byte, rnd.IntN(100_000))
		for j := range data {
			data[j] = byte(rnd.Uint32())
		}
		total += int64(len(data))
		kb := NewKey("bench")
		kb.Int(int64(i))
		keys[i] = kb.Sum()
		putAction(b, s, keys[i], Record{Blobs: []Digest{put(b, s, data)}})
	}
	b.SetBytes(total)
	b.ReportAllocs()
	for b.Loop() {
		for _, k := range keys {
			r, ok := s.GetAction(k)
			if !ok {
				b.Fatal("no record")
			}
			if _, ok := s.Get(r.Blobs[0]); !ok {
				b.Fatal("no blob")
			}
		}
	}
}
