package ir

// domTree answers which definitions reach which uses.
//
// Where a body has handlers each block is two nodes: its head, which has the
// phis and from which exceptional edges leave, and its rest. A value that is
// defined in the rest of a block so does not reach the block's handlers, though
// one that is defined before it does.
//
// The tree is computed by the iteration of Cooper, Harvey and Kennedy ("A
// Simple, Fast Dominance Algorithm") over flat slices that are kept from one
// body to the next.
type domTree struct {
	split  bool // blocks are two nodes
	blocks int32

	succs  adjacency
	preds  adjacency
	order  []int32 // reachable nodes in reverse postorder
	rank   []int32 // by node: its place in order, or None
	idom   []int32
	size   []int32 // by node: nodes it dominates, itself included
	before []int32 // by node: its number in a preorder walk of the tree
	cursor []int32
	stack  []int32
}

// adjacency holds the neighbours of node n in list[off[n]:off[n+1]].
type adjacency struct {
	off  []int32
	list []int32
}

func (a *adjacency) of(n int32) []int32 { return a.list[a.off[n]:a.off[n+1]] }

// head returns the node of a block's phis.
func (d *domTree) head(b BlockID) int32 { return int32(b) }

// rest returns the node of a block's other instructions.
func (d *domTree) rest(b BlockID) int32 {
	if d.split {
		return d.blocks + int32(b)
	}
	return int32(b)
}

func (d *domTree) reachable(b BlockID) bool { return d.rank[b] != None }

// dominates tells whether every path to node b passes node a.
func (d *domTree) dominates(a, b int32) bool {
	return d.rank[a] != None && d.before[a] <= d.before[b] && d.before[b] < d.before[a]+d.size[a]
}

// build computes the tree of a body with at least one block.
func (d *domTree) build(body *Body) {
	d.blocks = int32(len(body.Blocks))
	d.split = false
	for i := range body.Blocks {
		d.split = d.split || body.Blocks[i].Handlers.Len > 0
	}
	nodes := len(body.Blocks)
	if d.split {
		nodes *= 2
	}
	d.connect(body, nodes)
	d.number(nodes)
	d.iterate(nodes)
	d.label(nodes)
}

func resize(s *[]int32, n int, value int32) []int32 {
	if cap(*s) < n {
		*s = make([]int32, n)
	}
	*s = (*s)[:n]
	for i := range *s {
		(*s)[i] = value
	}
	return *s
}

// eachEdge visits the edges between nodes. The block that a recovered panic
// leads to is entered after the entry block.
func (d *domTree) eachEdge(body *Body, visit func(from, to int32)) {
	for i := range body.Blocks {
		b := BlockID(i)
		if d.split {
			visit(d.head(b), d.rest(b))
			for _, h := range body.Handlers(b) {
				visit(d.head(b), d.head(h))
			}
		}
		for _, s := range body.Succs(b) {
			visit(d.rest(b), d.head(s))
		}
	}
	if body.Recover != None {
		visit(d.rest(0), d.head(body.Recover))
	}
}

func (d *domTree) connect(body *Body, nodes int) {
	succs, preds := &d.succs, &d.preds
	resize(&succs.off, nodes+1, 0)
	resize(&preds.off, nodes+1, 0)
	edges := 0
	d.eachEdge(body, func(from, to int32) {
		succs.off[from+1]++
		preds.off[to+1]++
		edges++
	})
	for n := range nodes {
		succs.off[n+1] += succs.off[n]
		preds.off[n+1] += preds.off[n]
	}
	resize(&succs.list, edges, 0)
	resize(&preds.list, edges, 0)
	nextSucc := resize(&d.cursor, nodes, 0)
	nextPred := resize(&d.size, nodes, 0) // borrowed; label fills it later
	d.eachEdge(body, func(from, to int32) {
		succs.list[succs.off[from]+nextSucc[from]] = to
		nextSucc[from]++
		preds.list[preds.off[to]+nextPred[to]] = from
		nextPred[to]++
	})
}

// number puts the reachable nodes in reverse postorder.
func (d *domTree) number(nodes int) {
	resize(&d.rank, nodes, None)
	visited := resize(&d.before, nodes, 0) // borrowed; label fills it later
	next := resize(&d.cursor, nodes, 0)
	d.order, d.stack = d.order[:0], append(d.stack[:0], 0)
	visited[0] = 1
	for len(d.stack) > 0 {
		n := d.stack[len(d.stack)-1]
		succs := d.succs.of(n)
		if int(next[n]) == len(succs) {
			d.stack = d.stack[:len(d.stack)-1]
			d.order = append(d.order, n)
			continue
		}
		s := succs[next[n]]
		next[n]++
		if visited[s] == 0 {
			visited[s] = 1
			d.stack = append(d.stack, s)
		}
	}
	for i, j := 0, len(d.order)-1; i < j; i, j = i+1, j-1 {
		d.order[i], d.order[j] = d.order[j], d.order[i]
	}
	for i, n := range d.order {
		d.rank[n] = int32(i)
	}
}

func (d *domTree) iterate(nodes int) {
	idom := resize(&d.idom, nodes, None)
	idom[0] = 0
	for changed := true; changed; {
		changed = false
		for _, n := range d.order[1:] {
			best := int32(None)
			for _, p := range d.preds.of(n) {
				switch {
				case idom[p] == None:
				case best == None:
					best = p
				default:
					best = d.meet(best, p)
				}
			}
			if idom[n] != best {
				idom[n] = best
				changed = true
			}
		}
	}
}

// meet returns the closest node that dominates both.
func (d *domTree) meet(a, b int32) int32 {
	for a != b {
		for d.rank[a] > d.rank[b] {
			a = d.idom[a]
		}
		for d.rank[b] > d.rank[a] {
			b = d.idom[b]
		}
	}
	return a
}

// label numbers the tree so that dominates is two comparisons. A node comes
// after its dominator in order, so sizes add up backwards and numbers are given
// out forwards.
func (d *domTree) label(nodes int) {
	resize(&d.size, nodes, 1)
	resize(&d.before, nodes, 0)
	next := resize(&d.cursor, nodes, 0)
	for i := len(d.order) - 1; i > 0; i-- {
		n := d.order[i]
		d.size[d.idom[n]] += d.size[n]
	}
	next[0] = 1
	for _, n := range d.order[1:] {
		up := d.idom[n]
		d.before[n] = next[up]
		next[up] += d.size[n]
		next[n] = d.before[n] + 1
	}
}
