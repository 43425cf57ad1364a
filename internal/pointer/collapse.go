package pointer

// collapse merges the nodes of each cycle of copies: they have the same
// solution. Tarjan's algorithm, with an explicit stack. It finds components after
// all that they lead to, so that it ranks them as well: sources come first.
func (s *solver) collapse() {
	n := len(s.rep)
	index := make([]int32, n)
	low := make([]int32, n)
	onStack := make([]bool, n)
	var stack []Node
	type frame struct {
		node Node
		succ int
	}
	var frames []frame
	next, found := int32(1), int32(1)
	for root := range s.rep {
		if s.rep[root] != Node(root) || index[root] != 0 || len(s.succs[root]) == 0 {
			continue
		}
		frames = append(frames[:0], frame{node: Node(root)})
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.succ == 0 && index[v] == 0 {
				index[v], low[v] = next, next
				next++
				stack = append(stack, v)
				onStack[v] = true
			}
			descended := false
			for f.succ < len(s.succs[v]) {
				w := s.find(s.succs[v][f.succ])
				f.succ++
				if index[w] == 0 {
					frames = append(frames, frame{node: w})
					descended = true
					break
				}
				if onStack[w] {
					low[v] = min(low[v], index[w])
				}
			}
			if descended {
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				u := frames[len(frames)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] == index[v] {
				s.rank[v] = -found
				found++
				var members []Node
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[w] = false
					members = append(members, w)
					if w == v {
						break
					}
				}
				if len(members) > 1 {
					s.merge(v, members)
				}
			}
		}
	}
}

// merge makes v stand for all members. Whatever one of them had not passed on
// yet, and whatever one had that another's constraints have not seen, is passed
// on again: the whole set is made new.
func (s *solver) merge(v Node, members []Node) {
	var scratch Set
	for _, m := range members {
		if m == v {
			continue
		}
		s.collapsed++
		s.rep[m] = v
		s.pts[v].AddAll(&s.pts[m], &scratch)
		s.succs[v] = append(s.succs[v], s.succs[m]...)
		s.cons[v] = append(s.cons[v], s.cons[m]...)
		s.pts[m], s.delta[m], s.succs[m], s.cons[m] = Set{}, Set{}, nil, nil
	}
	s.delta[v] = Set{chunks: append([]chunk(nil), s.pts[v].chunks...)}
	s.push(v)
}
