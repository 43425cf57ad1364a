package main

var none = []int{-1}

type node struct{ next []int }

func join(a, b int) []int {
	if a == b {
		return none
	}
	return []int{a, b}
}

func build(n int) []node {
	nodes := make([]node, n)
	for i := range nodes {
		in := &nodes[i]
		if i == 0 {
			in.next = join(i, n)
			continue
		}
		in.next = make([]int, n)
		for k := range in.next {
			in.next[k] = k
		}
	}
	return nodes
}

// What was just stored is filled, not what may have been there.
func storedClean() {
	go build(3)
	_ = build(4)[0].next[0]
}

var shared = []int{0}

func fill(n *node, again bool) {
	n.next = make([]int, 1)
	if again {
		reset(n)
	}
	n.next[0] = 1 // want race "next"
}

func reset(n *node) { n.next = shared }

// It was stored, and then something else.
func storedRacy(again bool) {
	go fill(&node{}, again)
	_ = shared[0]
}
