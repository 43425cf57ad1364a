package ir

import (
	"os"
	"path/filepath"
	"testing"
)

func BenchmarkReal(b *testing.B) {
	names, _ := filepath.Glob("/tmp/units/*.ir")
	var all [][]byte
	size, code, pos, bodies, strs, regs := 0, 0, 0, 0, 0, 0
	kinds := map[byte]int{}
	for _, n := range names {
		d, _ := os.ReadFile(n)
		all = append(all, d)
		size += len(d)
		u, _ := Decode(d)
		for _, s := range u.strings {
			strs += len(s) + 1
		}
		for i := range u.Funcs {
			enc := u.Funcs[i].encoded
			if enc == nil {
				continue
			}
			bodies += len(enc)
			dd := &decoder{data: enc, u: u}
			n := int(dd.uint())
			code += n
			pos += len(enc) - n
			body, _ := u.Body(FuncID(i))
			for _, r := range body.Regs {
				regs += 2
				if r.Type > 127 {
					regs++
				}
			}
			for _, p := range body.Pos {
				var c posCoder
				_ = c
				_ = p
			}
			var c posCoder
			for _, p := range body.Pos {
				x := c.append(nil, p)
				kinds[x[0]&7]++
			}
		}
	}
	b.Logf("size %d bodies %d code %d pos %d strings %d regs~%d poskinds %v", size, bodies, code, pos, strs, regs, kinds)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range all {
			u, _ := Decode(d)
			for i := range u.Funcs {
				u.Body(FuncID(i))
			}
		}
	}
}
