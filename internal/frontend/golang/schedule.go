package golang

import (
	"container/heap"
	"context"
	"sync"
)

// schedule hands out the nodes of a graph, imports before importers. Among
// those that are ready it prefers the head of the longest path still to go.
type schedule struct {
	mu       sync.Mutex
	wake     sync.Cond
	ready    readyHeap // guarded by mu
	left     int       // nodes not yet done; guarded by mu
	stopped  bool      // guarded by mu
	total    int
	progress func(done, total int) // called with mu held
}

func newSchedule(g *graph, progress func(done, total int)) *schedule {
	s := &schedule{left: len(g.nodes), total: len(g.nodes), progress: progress}
	s.wake.L = &s.mu
	for _, n := range g.nodes {
		if n.waiting == 0 {
			s.ready = append(s.ready, n)
		}
	}
	heap.Init(&s.ready)
	return s
}

// run has the workers process all nodes, each in a goroutine of its own, and
// returns when all is done or ctx is cancelled.
func (s *schedule) run(ctx context.Context, workers []*worker) error {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		s.stopped = true
		s.mu.Unlock()
		s.wake.Broadcast()
	})
	defer stop()
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() {
			for n := s.next(); n != nil && ctx.Err() == nil; n = s.next() {
				w.process(ctx, n)
				s.done(n)
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// next returns a node whose imports are done, or nil when there are no more.
func (s *schedule) next() *node {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.ready) == 0 && s.left > 0 && !s.stopped {
		s.wake.Wait()
	}
	if s.left == 0 || s.stopped {
		return nil
	}
	return heap.Pop(&s.ready).(*node)
}

func (s *schedule) done(n *node) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range n.importers {
		if m.waiting--; m.waiting == 0 {
			heap.Push(&s.ready, m)
		}
	}
	s.left--
	if s.progress != nil {
		s.progress(s.total-s.left, s.total)
	}
	s.wake.Broadcast()
}

// readyHeap is a max-heap by priority, then by order.
type readyHeap []*node

func (h readyHeap) Len() int { return len(h) }
func (h readyHeap) Less(i, j int) bool {
	if h[i].priority != h[j].priority {
		return h[i].priority > h[j].priority
	}
	return h[i].pkg.ID < h[j].pkg.ID
}
func (h readyHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *readyHeap) Push(x any)   { *h = append(*h, x.(*node)) }
func (h *readyHeap) Pop() any {
	old := *h
	n := old[len(old)-1]
	*h = old[:len(old)-1]
	return n
}
