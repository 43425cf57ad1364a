package value

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Decider returns the instruction of an instance whose outcome, always the
// same, keeps control from another one; ok is false if that one can run.
func (r *Result) Decider(inst pointer.InstID, instr int32) (decider int32, ok bool) {
	runs := r.blocks(inst)
	body := r.pts.Body(inst)
	if runs == nil || runs[body.BlockOf(instr)] {
		return 0, false
	}
	seen := make([]bool, len(body.Blocks))
	queue := []ir.BlockID{body.BlockOf(instr)}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		for _, p := range body.Preds(b) {
			if runs[p] {
				return body.Blocks[p].End - 1, true
			}
			if !seen[p] {
				seen[p] = true
				queue = append(queue, p)
			}
		}
	}
	return 0, false
}
