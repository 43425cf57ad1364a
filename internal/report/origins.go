package report

import (
	"io"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteOrigins writes the origins of programs as trees.
func (t *Text) WriteOrigins(w io.Writer, programs []Inspected[[]detect.OriginNode]) error {
	var blocks []block
	for _, p := range programs {
		b := block{programLine(p.Names)}
		children, roots := family(p.Answer)
		var walk func(k, parent, depth int)
		walk = func(k, parent, depth int) {
			b = append(b, block{t.originLine(p.Answer, k, parent)}.indent(2*depth)...)
			for _, c := range children[k] {
				walk(c, k, depth+1)
			}
		}
		for _, k := range roots {
			walk(k, -1, 0)
		}
		blocks = append(blocks, b)
	}
	return t.writeBlocks(w, blocks)
}

// family arranges origins as a forest: each below the first of those that start
// it from which a root is nearer.
func family(nodes []detect.OriginNode) (children [][]int, roots []int) {
	children = make([][]int, len(nodes))
	starts := make([][]int, len(nodes))
	placed := make([]bool, len(nodes))
	var queue []int
	for k := range nodes {
		for _, p := range nodes[k].Parents {
			starts[p] = append(starts[p], k)
		}
		if len(nodes[k].Parents) == 0 {
			placed[k] = true
			roots = append(roots, k)
			queue = append(queue, k)
		}
	}
	for len(queue) > 0 {
		k := queue[0]
		queue = queue[1:]
		for _, c := range starts[k] {
			if !placed[c] {
				placed[c] = true
				children[k] = append(children[k], c)
				queue = append(queue, c)
			}
		}
	}
	for k := range nodes {
		if !placed[k] {
			roots = append(roots, k) // origins that only start each other
		}
	}
	return children, roots
}

// maxEntries is how many entry functions the text names.
const maxEntries = 3

func (t *Text) originLine(nodes []detect.OriginNode, k, parent int) line {
	n := &nodes[k]
	ref := n.OriginRef
	if len(n.Entries) > 1 {
		var names []string
		for i, e := range n.Entries {
			if i == maxEntries {
				names = append(names, "…")
				break
			}
			names = append(names, e.Function)
		}
		ref.Name = strings.Join(names, " or ")
	}
	l := t.originAt(&ref)
	if n.Via.IsValid() {
		l = append(l, span{" for the call at ", dim}, text(t.Paths.At(n.Via)))
	}
	if len(n.Why) > 0 {
		l = append(l, span{"; many: ", dim}, text(t.Paths.sentence(n.Why)))
	}
	if n.Serial {
		l = append(l, span{"; one instance at a time", dim})
	}
	var also []string
	for _, p := range n.Parents {
		if p == k {
			also = append(also, "itself")
		} else if p != parent {
			also = append(also, originName(&nodes[p].OriginRef))
		}
	}
	if len(also) > maxEntries {
		also = append(also[:maxEntries], "…")
	}
	if len(also) > 0 {
		l = append(l, span{"; also started by ", dim}, text(strings.Join(also, ", ")))
	}
	return l
}

type jsonOrigins struct {
	Names   []string         `json:"names"`
	Entries []string         `json:"entries"`
	Origins []jsonOriginNode `json:"origins"`
}

type jsonOriginNode struct {
	ID        int         `json:"id"`
	Kind      string      `json:"kind"`
	Name      string      `json:"name"`
	Start     *jsonPlace  `json:"start"`
	Via       *jsonPlace  `json:"via"`
	Many      bool        `json:"many"`
	Why       string      `json:"why"`
	Serial    bool        `json:"serial"`
	Functions []jsonFrame `json:"functions"`
	Parents   []int       `json:"parents"`
}

// WriteOriginsJSON writes the origins of programs as a JSON document.
func WriteOriginsJSON(w io.Writer, version string, programs []Inspected[[]detect.OriginNode], skipped []Skipped, paths Paths) error {
	var out []jsonOrigins
	for _, p := range programs {
		j := jsonOrigins{Names: p.Names, Entries: orEmpty(p.Entries), Origins: []jsonOriginNode{}}
		for k, n := range p.Answer {
			node := jsonOriginNode{ID: k, Kind: n.Kind, Name: n.Name, Start: paths.place(n.Start), Via: paths.place(n.Via), Many: n.Many,
				Why: paths.sentence(n.Why), Serial: n.Serial, Functions: []jsonFrame{}, Parents: orEmpty(n.Parents)}
			for _, e := range n.Entries {
				node.Functions = append(node.Functions, jsonFrame{e.Function, paths.place(e.Place)})
			}
			j.Origins = append(j.Origins, node)
		}
		out = append(out, j)
	}
	return writeInspection(w, version, out, skipped, paths)
}
