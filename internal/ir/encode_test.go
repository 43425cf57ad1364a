package ir

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

func TestDecodeRejects(t *testing.T) {
	good := Encode(randomUnit(7, 6))
	u, err := Decode(good)
	if err != nil {
		t.Fatal(err)
	}
	version := append(binary.AppendUvarint([]byte(encodingMagic), EncodingVersion+1), good[5:]...)
	for _, test := range []struct {
		name, want string
		data       []byte
	}{
		{"nothing", "not an encoded unit", nil},
		{"other magic", "not an encoded unit", append([]byte("abcd"), good[4:]...)},
		{"other version", "encoding version is 2, want 1", version},
		{"more", "data goes on after the end", append(bytes.Clone(good), 0)},
		{"huge count", "count is larger than the data", append(good[:5:5], 0xff, 0xff, 0xff, 0xff, 0x7f)},
		{"endless number", "malformed number", append(good[:5:5], bytes.Repeat([]byte{0xff}, 20)...)},
	} {
		if _, err := Decode(test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want %s", test.name, err, test.want)
		}
	}
	for n := range good {
		if _, err := Decode(good[:n:n]); err == nil {
			t.Errorf("no error for the first %d of %d bytes", n, len(good))
		}
	}
	f := &u.Funcs[0]
	for id := range u.Funcs {
		if u.Funcs[id].encoded != nil {
			f = &u.Funcs[id]
		}
	}
	whole := f.encoded
	for n := 1; n < len(whole); n++ {
		f.encoded = whole[:n]
		if err := Check(u); err == nil {
			t.Errorf("no error for the first %d of %d bytes of a body", n, len(whole))
		}
	}
}

// TestDecodeFlipped changes single bytes. What comes out is an error or a unit
// whose tables can be used; TestRandom and FuzzDecode look further.
func TestDecodeFlipped(t *testing.T) {
	for seed := range uint64(20) {
		good := Encode(randomUnit(seed, 3))
		for i := range good {
			for _, flip := range []byte{1, 0x80, 0xff} {
				data := bytes.Clone(good)
				data[i] ^= flip
				u, err := Decode(data)
				if err != nil {
					continue
				}
				_ = Check(u) // must not panic; a flipped flag or name is no error
			}
		}
	}
}

// TestLazyBodies demands that Decode leaves bodies alone and that Body does
// not keep what it decodes.
func TestLazyBodies(t *testing.T) {
	u, err := Decode(Encode(parse(t, checkBase)))
	if err != nil {
		t.Fatal(err)
	}
	f := &u.Funcs[0]
	if f.body != nil || !f.HasBody() || u.Funcs[1].HasBody() {
		t.Error("bodies are not as encoded")
	}
	first, err := u.Body(0)
	if err != nil || len(first.Instrs) == 0 || f.body != nil {
		t.Errorf("body is %v (%v), kept %v", first, err, f.body)
	}
	if none, err := u.Body(1); none != nil || err != nil {
		t.Errorf("function without body gives %v, %v", none, err)
	}
}

// largeUnit joins many random functions into one unit.
func largeUnit() *Unit { return randomUnit(3, 4000) }

func BenchmarkEncode(b *testing.B) {
	u := largeUnit()
	b.SetBytes(int64(len(Encode(u))))
	b.ReportAllocs()
	for b.Loop() {
		Encode(u)
	}
}

// BenchmarkDecode reads a unit with all its bodies.
func BenchmarkDecode(b *testing.B) {
	data := Encode(largeUnit())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	instrs := 0
	for b.Loop() {
		u, err := Decode(data)
		if err != nil {
			b.Fatal(err)
		}
		instrs = 0
		for i := range u.Funcs {
			body, err := u.Body(FuncID(i))
			if err != nil {
				b.Fatal(err)
			}
			if body != nil {
				instrs += len(body.Instrs)
			}
		}
	}
	b.ReportMetric(float64(len(data))/float64(instrs), "bytes/instr")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(instrs), "ns/instr")
}

// BenchmarkDecodeTables reads a unit without its bodies.
func BenchmarkDecodeTables(b *testing.B) {
	data := Encode(largeUnit())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	u := largeUnit()
	instrs := 0
	for i := range u.Funcs {
		if u.Funcs[i].body != nil {
			instrs += len(u.Funcs[i].body.Instrs)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := Check(u); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(instrs), "ns/instr")
}

func BenchmarkDigest(b *testing.B) {
	u := largeUnit()
	for b.Loop() {
		d := NewDigester(u)
		for i := range u.Funcs {
			if body := u.Funcs[i].body; body != nil {
				d.Body(body)
			}
		}
	}
}

func BenchmarkPrintParse(b *testing.B) {
	u := largeUnit()
	src := text(b, u)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Parse("bench.ir", src); err != nil {
			b.Fatal(err)
		}
	}
}
