package pointer

import (
	"slices"

	"github.com/deadheat/deadheat/internal/shuffle"
)

// workQueue hands out nodes in rounds, in each by rank: a node has been told all
// that this round has for it when its turn comes.
type workQueue struct {
	round []uint64 // sorted: rank and node
	at    int
	more  []uint64 // heap: added to the round meanwhile
	next  []Node   // of the next round
	last  uint64   // what was handed out last
}

// roundOver is what was handed out last between rounds.
const roundOver = ^uint64(0)

func workItem(n Node, rank int32) uint64 { return uint64(uint32(rank)^1<<31)<<32 | uint64(uint32(n)) }

// push adds a node: to this round if its turn is yet to come.
func (q *workQueue) push(n Node, rank int32) {
	x := workItem(n, rank)
	if x <= q.last {
		q.next = append(q.next, n)
		return
	}
	q.more = append(q.more, x)
	for i := len(q.more) - 1; i > 0; {
		parent := (i - 1) / 2
		if q.more[parent] <= q.more[i] {
			break
		}
		q.more[parent], q.more[i] = q.more[i], q.more[parent]
		i = parent
	}
}

// empty tells whether there is nothing for another round.
func (q *workQueue) empty() bool { return len(q.next) == 0 }

// begin begins a round, when the one before is over.
func (q *workQueue) begin(rank []int32) {
	q.round = q.round[:0]
	for _, n := range q.next {
		q.round = append(q.round, workItem(n, rank[n]))
	}
	q.next = q.next[:0]
	q.at, q.last = 0, 0
	slices.Sort(q.round)
	shuffle.All(q.round)
}

// pop returns the next node of the round.
func (q *workQueue) pop() (Node, bool) {
	if q.at < len(q.round) && (len(q.more) == 0 || q.round[q.at] <= q.more[0]) {
		q.last = q.round[q.at]
		q.at++
		return Node(uint32(q.last)), true
	}
	if len(q.more) == 0 {
		q.last = roundOver
		return 0, false
	}
	q.last = q.more[0]
	end := len(q.more) - 1
	q.more[0] = q.more[end]
	q.more = q.more[:end]
	for i := 0; ; {
		child := 2*i + 1
		if child >= end {
			break
		}
		if child+1 < end && q.more[child+1] < q.more[child] {
			child++
		}
		if q.more[i] <= q.more[child] {
			break
		}
		q.more[i], q.more[child] = q.more[child], q.more[i]
		i = child
	}
	return Node(uint32(q.last)), true
}
