package model

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// randomBody returns the text of a function with deferred calls at random places
// of a random flow graph. Every block that ends the function runs the deferred
// calls.
func randomBody(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("unit p go\n\nfunc @p.f(v0: bool) {\n")
	blocks := 2 + r.Intn(7)
	calls := 0
	for i := range blocks {
		fmt.Fprintf(&b, "b%d:\n", i)
		for range r.Intn(3) {
			how := "defer "
			if r.Intn(3) == 0 {
				how = ""
			}
			fmt.Fprintf(&b, "\t%scall () @p.c%d()\n", how, calls)
			calls++
		}
		// The entry has no predecessor. Edges lead forwards, and now and then
		// back.
		target := func() int {
			if r.Intn(5) == 0 && i > 0 {
				return 1 + r.Intn(blocks-1)
			}
			return i + 1 + r.Intn(blocks-i-1)
		}
		switch {
		case i == blocks-1 || r.Intn(6) == 0:
			b.WriteString("\trundefers\n\tret\n")
		case r.Intn(3) == 0:
			fmt.Fprintf(&b, "\tjump b%d\n", target())
		default:
			fmt.Fprintf(&b, "\tif v0 b%d b%d\n", target(), target())
		}
	}
	b.WriteString("}\n")
	return b.String()
}

// walk runs a body, taking at each branch the way that decisions say, and
// returns the calls in the order in which they happen. It gives up after a
// while and says so.
func walk(u *ir.Unit, body *ir.Body, decisions []byte) (calls []string, ended bool) {
	var list []string
	at := ir.BlockID(0)
	for step := range 60 {
		block := &body.Blocks[at]
		for i := block.First; i < block.End; i++ {
			in := &body.Instrs[i]
			switch {
			case in.Op == ir.OpCall && ir.How(in.Sub) == ir.Deferred:
				list = append(list, u.FuncRefs[in.Aux].Symbol)
			case in.Op == ir.OpCall:
				calls = append(calls, u.FuncRefs[in.Aux].Symbol)
			case in.Op == ir.OpRunDefers:
				for len(list) > 0 {
					calls = append(calls, list[len(list)-1])
					list = list[:len(list)-1]
				}
			case in.Op == ir.OpReturn:
				return calls, true
			}
		}
		succs := body.Succs(at)
		at = succs[int(decisions[step])%len(succs)]
	}
	return calls, false
}

// TestExpandDefersKeepsMeaning runs random functions along random ways before
// and after, and demands the same calls in the same order.
func TestExpandDefersKeepsMeaning(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	expanded, left := 0, 0
	for range 2000 {
		text := randomBody(r)
		u, err := ir.Parse("random.ir", text)
		if err != nil {
			t.Fatal(err)
		}
		before, err := u.Body(0)
		if err != nil {
			t.Fatal(err)
		}
		after := ExpandDefers(before)
		if err := ir.CheckBody(u, 0, after); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for i := range after.Instrs {
			if isDeferred(&after.Instrs[i]) {
				left++
			}
		}
		for i := range before.Instrs {
			if isDeferred(&before.Instrs[i]) {
				expanded++
			}
		}
		for range 20 {
			decisions := make([]byte, 60)
			r.Read(decisions)
			want, ended := walk(u, before, decisions)
			got, _ := walk(u, after, decisions)
			if ended && !slices.Equal(got, want) {
				t.Fatalf("calls are %v, want %v, in\n%s", got, want, text)
			}
		}
	}
	if left*2 > expanded {
		t.Errorf("of %d deferred calls %d are left", expanded, left)
	}
}
