package runs

import (
	"math/bits"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
)

// A program may begin with one of several things: the function that it begins with
// branches, and no run takes two of the branches. What only one of them leads to
// never meets what only another does, and what each of them does once is done
// once.

// MaxAlternatives is how many alternatives are told apart.
const MaxAlternatives = 64

// alternatives is a set of alternatives: bit k stands for number k.
type alternatives uint64

const allAlternatives = ^alternatives(0)

// findAlternatives finds for each instance which alternatives lead to it; nothing
// is noted if there is but one.
func (r *Result) findAlternatives() {
	root, ok := r.rootInstance()
	if !ok {
		return
	}
	blocks := r.alternativeBlocks(root)
	if blocks == nil {
		return
	}
	r.led = make([]alternatives, len(r.pts.Instances))
	r.led[root] = allAlternatives
	r.leading = blocks
	r.root = root
	body := r.pts.Body(root)
	var work []pointer.InstID
	lead := func(to pointer.InstID, by alternatives) {
		if to != root && r.led[to]|by != r.led[to] {
			r.led[to] |= by
			work = append(work, to)
		}
	}
	for _, e := range r.pts.Instances[root].Calls {
		lead(e.Target, blocks[body.BlockOf(e.Instr)])
	}
	for len(work) > 0 {
		id := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range r.pts.Instances[id].Calls {
			lead(e.Target, r.led[id])
		}
	}
}

// rootInstance returns the instance that the program begins with, if it is the
// only one.
func (r *Result) rootInstance() (root pointer.InstID, ok bool) {
	for i := range r.pts.Instances {
		if !r.pts.Origins.Get(r.pts.Instances[i].Origin).Root || len(r.Callers[i]) > 0 {
			continue
		}
		if ok {
			return 0, false
		}
		root, ok = pointer.InstID(i), true
	}
	return root, ok && r.pts.Body(root) != nil
}

// alternativeBlocks returns for each block of the first function the alternatives
// that it is part of: an alternative ends with a block with calls from which none
// other is reached. It returns nil if there are not several, or too many.
func (r *Result) alternativeBlocks(root pointer.InstID) []alternatives {
	body := r.pts.Body(root)
	calls := make([]bool, len(body.Blocks))
	for _, e := range r.pts.Instances[root].Calls {
		calls[body.BlockOf(e.Instr)] = true
	}
	var ends []ir.BlockID
	blocks := make([]alternatives, len(body.Blocks))
	for b := range body.Blocks {
		if !calls[b] {
			continue
		}
		last := true
		for other := range body.Blocks {
			last = last && (other == b || !calls[other] || !reachesFrom(body, ir.BlockID(b), body.Blocks[other].First, ir.None))
		}
		if last {
			ends = append(ends, ir.BlockID(b))
		}
	}
	if len(ends) < 2 || len(ends) > MaxAlternatives {
		return nil
	}
	for b := range blocks {
		for k, end := range ends {
			if ir.BlockID(b) == end || reachesFrom(body, ir.BlockID(b), body.Blocks[end].First, ir.None) {
				blocks[b] |= 1 << k
			}
		}
		if blocks[b] == 0 {
			blocks[b] = allAlternatives // a loop at the end
		}
	}
	return blocks
}

// ledTo returns the alternatives in which a call is made.
func (r *Result) ledTo(p Point) alternatives {
	switch {
	case r.led == nil:
		return allAlternatives
	case p.Inst == r.root:
		return r.leading[r.pts.Body(p.Inst).BlockOf(p.Instr)]
	}
	return r.led[p.Inst]
}

// twice returns the alternatives in which more than one of several calls is made.
func (r *Result) twice(calls []Point) alternatives {
	var once, twice alternatives
	for _, c := range calls {
		led := r.ledTo(c)
		twice |= once & led
		once |= led
	}
	return twice
}

// Together tells whether one run of the program can come to two instances by two
// ways.
func (r *Result) Together(a pointer.InstID, by Way, b pointer.InstID, also Way) bool {
	return r.led == nil || r.ledBy(a, by)&r.ledBy(b, also) != 0
}

// ledBy returns the alternatives that lead to an instance by a way.
func (r *Result) ledBy(inst pointer.InstID, way Way) alternatives {
	led := r.led[inst]
	for _, c := range way.Calls {
		led &= r.ledTo(c)
	}
	return led
}

// Alternatives returns the alternatives that lead to both of two instances, by the
// order of their blocks in the first function; nil if there is but one.
func (r *Result) Alternatives(a, b pointer.InstID) []int {
	if r.led == nil {
		return nil
	}
	var list []int
	for both := r.led[a] & r.led[b]; both != 0; both &= both - 1 {
		list = append(list, bits.TrailingZeros64(uint64(both)))
	}
	return list
}
