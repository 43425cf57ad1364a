package pointer

import (
	"math/rand"
	"slices"
	"testing"
)

// TestWorkQueue compares the queue with lists that are sorted anew for every node.
func TestWorkQueue(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	rank := make([]int32, 300)
	for i := range rank {
		rank[i] = -rng.Int31n(100)
	}
	order := func(a, b Node) int {
		if rank[a] != rank[b] {
			return int(rank[a] - rank[b])
		}
		return int(a - b)
	}
	q := workQueue{last: roundOver}
	var next []Node
	push := func(n Node) {
		q.push(n, rank[n])
		next = append(next, n)
	}
	for range 40 {
		push(Node(rng.Intn(len(rank))))
	}
	for rounds := 0; !q.empty(); rounds++ {
		q.begin(rank)
		round := next
		next = nil
		for {
			slices.SortFunc(round, order)
			n, ok := q.pop()
			if ok != (len(round) > 0) || ok && n != round[0] {
				t.Fatalf("%d, %v after %d rounds; want one of %v", n, ok, rounds, round)
			}
			if !ok {
				break
			}
			round = round[1:]
			for more := rng.Intn(3); more > 0 && rounds < 20; more-- {
				m := Node(rng.Intn(len(rank)))
				push(m)
				if order(m, n) > 0 {
					round = append(round, m)
					next = next[:len(next)-1]
				}
			}
			if len(round)+len(next) > 200 {
				rounds = 20
			}
		}
	}
	if len(next) > 0 {
		t.Errorf("%v were not handed out", next)
	}
}
