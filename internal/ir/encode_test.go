package ir

import (
	"bytes"
	"encoding/binary"
	"fmt"
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
		{"other version", "encoding version is 3, want 2", version},
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
	for seed := range uint64(4) {
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

// largeUnit has many functions that look like what a Go package has most of:
// field accesses, calls with an error to test, a loop.
func largeUnit(b *testing.B) *Unit {
	b.Helper()
	var src strings.Builder
	src.WriteString("unit bench go\nfile \"bench.go\"\ntype bench.T struct{mu sync.Mutex; n int; next *bench.T; names []string}\n")
	for i := range 2000 {
		at := func(line, col, width int) string {
			return fmt.Sprintf(" ; %d:%d-%d\n", 30*i+line, col, col+width)
		}
		fmt.Fprintf(&src, "func[method] @bench.T.m%d \"(*T).m%d\" (v0 t: *bench.T, v1 name: string) (int, error) {\nb0:\n", i, i)
		for _, line := range []string{
			"\tv2 = field *sync.Mutex bench.T.mu v0" + at(1, 4, 2), "\tcall () @sync.Mutex.Lock(v2)" + at(1, 9, 1),
			"\tv3 = field *int bench.T.n v0" + at(2, 4, 1), "\tv4 n = load int v3" + at(2, 4, 1),
			fmt.Sprintf("\tv5 = binary.add int v4, %d:int", i%50) + at(2, 7, 1), "\tstore int v3, v5" + at(2, 4, 1),
			fmt.Sprintf("\tv6 = call (int, error) @bench.helper%d(v0, v1)", i%100) + at(3, 20, 1),
			"\tv7 = extract int #0 v6" + at(3, 3, 1), "\tv8 err = extract error #1 v6" + at(3, 6, 3),
			"\tv9 = binary.ne bool v8, nil:error" + at(4, 9, 2), "\tif v9 b1 b2" + at(4, 5, 10),
			"b1:\n\tret 0:int, v8" + at(5, 3, 6), "b2:\n\tv10 = field *[]string bench.T.names v0" + at(7, 20, 5),
			"\tv11 = load []string v10" + at(7, 20, 5), "\tv12 = len int v11" + at(7, 8, 5), "\tjump b3" + at(7, 3, 3),
			"b3:\n\tv13 i = phi int 0:int, v18" + at(7, 7, 1), "\tv14 = binary.lt bool v13, v12" + at(7, 8, 5), "\tif v14 b4 b5\n",
			"b4:\n\tv15 = index *string v11, v13" + at(8, 12, 1), "\tv16 s = load string v15" + at(8, 12, 1),
			"\tv17 = call int @bench.count(v16, v1)" + at(8, 30, 1), "\tv18 = binary.add int v13, 1:int\n\tjump b3\n",
			"b5:\n\tcall () @sync.Mutex.Unlock(v2)" + at(10, 11, 1), "\tret v7, nil:error" + at(11, 3, 6),
		} {
			src.WriteString(line)
		}
		src.WriteString("}\n")
	}
	u := parse(b, src.String())
	if err := Check(u); err != nil {
		b.Fatal(err)
	}
	return u
}

func BenchmarkEncode(b *testing.B) {
	u := largeUnit(b)
	b.SetBytes(int64(len(Encode(u))))
	b.ReportAllocs()
	for b.Loop() {
		Encode(u)
	}
}

// BenchmarkDecode reads a unit with all its bodies.
func BenchmarkDecode(b *testing.B) {
	data := Encode(largeUnit(b))
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
	data := Encode(largeUnit(b))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	u := largeUnit(b)
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
	u := largeUnit(b)
	for b.Loop() {
		d := NewDigester(u)
		for i := range u.Funcs {
			if body := u.Funcs[i].body; body != nil {
				d.Body(body)
			}
		}
	}
}

func BenchmarkParse(b *testing.B) {
	u := largeUnit(b)
	src := text(b, u)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		if _, err := Parse("bench.ir", src); err != nil {
			b.Fatal(err)
		}
	}
}
