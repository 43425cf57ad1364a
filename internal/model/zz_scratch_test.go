package model

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deadheat/deadheat/internal/frontend/golang"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

func TestScratch(t *testing.T) {
	pats := strings.Fields(os.Getenv("SCRATCH"))
	if len(pats) == 0 {
		t.Skip()
	}
	st, err := store.Open(os.Getenv("SCRATCH_STORE"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := golang.Load(context.Background(), golang.Config{Dir: os.Getenv("SCRATCH_DIR"), Patterns: pats, Store: st, Tests: os.Getenv("SCRATCH_TESTS") != ""})
	if err != nil {
		t.Fatal(err)
	}
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var units []*ir.Unit
	for _, p := range res.Packages {
		if p.Encoded() == nil {
			continue
		}
		u, err := ir.Decode(p.Encoded())
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, u)
	}
	pass := set.NewPass()
	start := time.Now()
	for i, u := range units {
		units[i] = pass.Unit(u)
	}
	prep := time.Since(start)
	var decode, rewrite time.Duration
	nf, before, after, models, problems := 0, 0, 0, 0, 0
	for _, u := range units {
		own := ir.FuncID(0)
		for i := range u.Funcs {
			id := ir.FuncID(i)
			s := time.Now()
			b, err := u.Body(id)
			if err != nil {
				t.Fatal(err)
			}
			decode += time.Since(s)
			s = time.Now()
			nb := pass.Body(u, id, b)
			rewrite += time.Since(s)
			nf++
			if b != nil {
				before += len(b.Instrs)
			}
			if nb != nil {
				after += len(nb.Instrs)
				if err := ir.CheckBody(u, id, nb); err != nil && problems < 20 {
					problems++
					t.Error(err)
					var buf bytes.Buffer
					ir.PrintFunc(&buf, u, id, nb)
					if problems < 4 {
						t.Log(buf.String())
					}
				}
			}
			if pass.Modelled(u, id) != nil {
				models++
			}
			if f := os.Getenv("SCRATCH_FUNC"); f != "" && strings.Contains(u.Funcs[i].Symbol, f) && nb != nil {
				var buf bytes.Buffer
				ir.PrintFunc(&buf, u, id, b)
				fmt.Fprintln(&buf, "------>")
				ir.PrintFunc(&buf, u, id, nb)
				t.Log(buf.String())
			}
		}
		_ = own
	}
	t.Logf("%d units, %d funcs (%d modelled), instrs %d -> %d, prepare %v, decode %v, rewrite %v", len(units), nf, models, before, after, prep, decode, rewrite)
}

func BenchmarkPrepare(b *testing.B) {
	st, _ := store.Open(os.Getenv("SCRATCH_STORE"))
	res, err := golang.Load(context.Background(), golang.Config{Dir: os.Getenv("SCRATCH_DIR"), Patterns: strings.Fields(os.Getenv("SCRATCH")), Store: st})
	if err != nil {
		b.Fatal(err)
	}
	set, _ := Load()
	var units []*ir.Unit
	for _, p := range res.Packages {
		if p.Encoded() != nil {
			u, _ := ir.Decode(p.Encoded())
			units = append(units, u)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		pass := set.NewPass()
		for _, u := range units {
			pass.Unit(u)
		}
	}
}
