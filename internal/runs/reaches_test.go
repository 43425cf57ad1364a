package runs

import (
	"math/rand"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// TestReaches compares Reaches and Cyclic with walks over single instructions,
// on random flow graphs.
func TestReaches(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for round := 0; round < 300; round++ {
		body := randomBody(rng)
		n := int32(len(body.Instrs))
		for q := 0; q < 20; q++ {
			from, to, barrier := rng.Int31n(n), rng.Int31n(n), rng.Int31n(n+1)-1
			if got, want := Reaches(body, from, to, barrier), walk(body, from, to, barrier); got != want {
				t.Fatalf("round %d: Reaches(%d, %d, %d) = %v", round, from, to, barrier, got)
			}
		}
		for b, got := range Cyclic(body) {
			first := body.Blocks[b].First
			if want := walk(body, first, first, ir.None); got != want {
				t.Fatalf("round %d: block %d cyclic: %v", round, b, got)
			}
		}
	}
}

// walk is the plain definition: a step is to the next instruction of the block,
// or from the last one to the first of a successor.
func walk(body *ir.Body, from, to, barrier int32) bool {
	next := func(i int32) []int32 {
		b := body.BlockOf(i)
		if i+1 < body.Blocks[b].End {
			return []int32{i + 1}
		}
		var out []int32
		for _, s := range body.Succs(b) {
			out = append(out, body.Blocks[s].First)
		}
		return out
	}
	seen := map[int32]bool{}
	stack := next(from)
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i == to {
			return true
		}
		if i == barrier || seen[i] {
			continue
		}
		seen[i] = true
		stack = append(stack, next(i)...)
	}
	return false
}

func randomBody(rng *rand.Rand) *ir.Body {
	body := &ir.Body{}
	blocks := 1 + rng.Intn(6)
	for b := 0; b < blocks; b++ {
		first := int32(len(body.Instrs))
		for k := 0; k <= rng.Intn(3); k++ {
			body.Instrs = append(body.Instrs, ir.Instr{Op: ir.OpFence})
		}
		blk := ir.Block{First: first, End: int32(len(body.Instrs))}
		blk.Succs.Off = int32(len(body.Edges))
		for k := 0; k < rng.Intn(3); k++ {
			body.Edges = append(body.Edges, ir.BlockID(rng.Intn(blocks)))
			blk.Succs.Len++
		}
		body.Blocks = append(body.Blocks, blk)
	}
	return body
}
