package ir

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

func TestCPU(t *testing.T) {
	var all [][]byte
	size, instrs, funcs := 0, 0, 0
	names, _ := filepath.Glob("/tmp/units/*.ir")
	var units []*Unit
	for _, n := range names {
		d, _ := os.ReadFile(n)
		all = append(all, d)
		size += len(d)
		u, err := Decode(d)
		if err != nil {
			t.Fatal(n, err)
		}
		for i := range u.Funcs {
			b, err := u.Body(FuncID(i))
			if err != nil {
				t.Fatal(err)
			}
			if b != nil {
				u.Funcs[i].SetBody(b)
				instrs += len(b.Instrs)
				funcs++
			}
		}
		units = append(units, u)
	}
	t.Logf("%d units %d bytes %d funcs %d instrs: %.1f bytes/instr", len(all), size, funcs, instrs, float64(size)/float64(instrs))
	time1 := func(what string, f func()) {
		start := cpu()
		n := 0
		for n == 0 || cpu()-start < 2*time.Second {
			n++
			f()
		}
		el := cpu() - start
		t.Logf("%s: %.0f MB/s cpu, %.0f ns/instr", what, float64(size)*float64(n)/el.Seconds()/1e6, float64(el.Nanoseconds())/float64(n)/float64(instrs))
	}
	time1("tables", func() {
		for _, d := range all {
			Decode(d)
		}
	})
	time1("all", func() {
		for _, d := range all {
			u, _ := Decode(d)
			for i := range u.Funcs {
				u.Body(FuncID(i))
			}
		}
	})
	time1("encode", func() {
		for _, u := range units {
			Encode(u)
		}
	})
	time1("check", func() {
		for _, u := range units {
			if err := Check(u); err != nil {
				t.Fatal(err)
			}
		}
	})
	time1("canonical", func() {
		for _, u := range units {
			Canonical(u)
		}
	})
	time1("digest", func() {
		for _, u := range units {
			d := NewDigester(u)
			for i := range u.Funcs {
				if b := u.Funcs[i].body; b != nil {
					d.Body(b)
				}
			}
		}
	})
	var txt []string
	tsize := 0
	time1("print", func() {
		txt = txt[:0]
		tsize = 0
		for _, u := range units {
			s := text(t, u)
			txt = append(txt, s)
			tsize += len(s)
		}
	})
	t.Logf("text %d bytes", tsize)
	time1("parse", func() {
		for _, s := range txt {
			if _, err := Parse("x", s); err != nil {
				t.Fatal(err)
			}
		}
	})
}
