package summary

import "sort"

// components returns the strongly connected components of a graph of n nodes,
// callees before callers.
func components(n int, edges func(int32) []int32) [][]int32 {
	index := make([]int32, n) // 0: not visited
	low := make([]int32, n)
	on := make([]bool, n)
	var stack []int32
	var out [][]int32
	next := int32(1)
	type frame struct {
		id   int32
		edge int
	}
	for start := range n {
		if index[start] != 0 {
			continue
		}
		calls := []frame{{int32(start), 0}}
		for len(calls) > 0 {
			fr := &calls[len(calls)-1]
			id := fr.id
			if fr.edge == 0 {
				index[id], low[id] = next, next
				next++
				stack, on[id] = append(stack, id), true
			}
			if fr.edge < len(edges(id)) {
				to := edges(id)[fr.edge]
				fr.edge++
				if index[to] == 0 {
					calls = append(calls, frame{to, 0})
				} else if on[to] {
					low[id] = min(low[id], index[to])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				up := calls[len(calls)-1].id
				low[up] = min(low[up], low[id])
			}
			if low[id] != index[id] {
				continue
			}
			var scc []int32
			for {
				top := stack[len(stack)-1]
				stack, on[top] = stack[:len(stack)-1], false
				scc = append(scc, top)
				if top == id {
					break
				}
			}
			sort.Slice(scc, func(i, j int) bool { return scc[i] < scc[j] })
			out = append(out, scc)
		}
	}
	return out
}
