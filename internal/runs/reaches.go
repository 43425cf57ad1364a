package runs

import "github.com/deadheat/deadheat/internal/ir"

// Reaches tells whether control can get from one instruction to another
// without executing the one at barrier in between.
func Reaches(body *ir.Body, from, to, barrier int32) bool {
	b := ir.BlockID(0)
	if from >= 0 {
		b = body.BlockOf(from)
	}
	return reaches(body, b, from+1, to, barrier)
}

// reachesFrom is Reaches from the beginning of a block.
func reachesFrom(body *ir.Body, b ir.BlockID, to, barrier int32) bool {
	return reaches(body, b, body.Blocks[b].First, to, barrier)
}

// reaches looks from instruction first of block b on.
func reaches(body *ir.Body, b ir.BlockID, first, to, barrier int32) bool {
	seen := make([]bool, len(body.Blocks))
	var queue []ir.BlockID
	// scan looks through a stretch of instructions; stop means that control
	// does not get past it.
	scan := func(first, end int32) (found, stop bool) {
		for i := first; i < end; i++ {
			switch i {
			case to:
				return true, true
			case barrier:
				return false, true
			}
		}
		return false, false
	}
	push := func(b ir.BlockID) {
		for _, s := range append(body.Succs(b), body.Handlers(b)...) {
			if !seen[s] {
				seen[s] = true
				queue = append(queue, s)
			}
		}
	}
	found, stop := scan(first, body.Blocks[b].End)
	if stop {
		return found
	}
	push(b)
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		found, stop := scan(body.Blocks[b].First, body.Blocks[b].End)
		if found {
			return true
		}
		if !stop {
			push(b)
		}
	}
	return false
}

// ReachesStart tells whether control can get from the beginning of a body to an
// instruction without executing the one at barrier.
func ReachesStart(body *ir.Body, to, barrier int32) bool {
	return to == 0 || barrier != 0 && Reaches(body, -1, to, barrier)
}
