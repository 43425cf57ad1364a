package pointer

import (
	"cmp"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// While a program is being solved, registers and slots of memory are nodes alike.
// What is handed out has nodes for memory only, equal sets once, and nothing that
// only the solver needs.

// numbering maps the solver's nodes to those that are handed out.
type numbering struct {
	s    *solver
	base []Node // by object: its first node
}

func (s *solver) number() *numbering {
	n := &numbering{s: s, base: make([]Node, len(s.objects))}
	next := Node(0)
	for id := range s.objects {
		n.base[id] = next
		next += Node(s.objects[id].Size)
	}
	return n
}

// result makes what is handed out of what the solver has.
func (s *solver) result() *Result {
	r := &Result{Prog: s.prog, Origins: s.origins, ctx: s.ctx}
	s.count(&r.Stats)
	s.delta, s.succs, s.cons, s.queued = nil, nil, nil, nil
	s.edges, s.bound = edgeSet{}, edgeSet{}
	n := s.number()
	n.takeObjects(r)
	n.takeSets(r)
	return r
}

// takeObjects moves instances and objects.
func (n *numbering) takeObjects(r *Result) {
	s := n.s
	r.Instances, r.Objects = s.instances, make([]Object, len(s.objects))
	for i := range r.Instances {
		slices.SortFunc(r.Instances[i].Calls, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(a.Instr, b.Instr), cmp.Compare(a.Target, b.Target))
		})
	}
	for id, o := range s.objects {
		o.Base = n.base[id]
		for range o.Size {
			r.objOf = append(r.objOf, ObjectID(id))
		}
		r.Objects[id] = o
		r.boxes = r.boxes || o.Kind == ObjectBox
	}
	r.regs = make([][]operand, len(s.templates))
	r.bodies = make([]*ir.Body, len(s.templates))
	for f, t := range s.templates {
		if t != nil {
			r.regs[f], r.bodies[f] = t.regs, t.body
		}
	}
}

// node returns the node that is handed out for an address.
func (n *numbering) node(a addr) Node {
	o, slot := n.s.pages.object(a)
	return n.base[o] + Node(slot)
}

// takeSets moves the sets of registers and slots. Many are equal; those are kept
// once.
func (n *numbering) takeSets(r *Result) {
	s := n.s
	taken := setPool{n: n, index: make(map[uint64][]int32)}
	taken.sets = append(taken.sets, Set{}) // number 0 is the empty set
	known := make([]int32, len(s.rep))
	of := func(node Node) int32 {
		node = s.find(node)
		if s.pts[node].Empty() {
			return 0
		}
		if known[node] == 0 {
			known[node] = taken.take(&s.pts[node])
		}
		return known[node]
	}
	r.slots = make([]int32, len(r.objOf))
	for id := range s.objects {
		o := &s.objects[id]
		for k := range o.Size {
			r.slots[n.base[id]+Node(k)] = of(o.Base + Node(k))
		}
	}
	total := 0
	for id := range s.instances {
		if t := s.templates[s.instances[id].Func]; t != nil {
			total += int(t.size)
		}
	}
	r.values = make([]int32, 0, total)
	for i := range r.Instances {
		from := r.Instances[i].Base
		r.Instances[i].Base = Node(len(r.values))
		if t := s.templates[r.Instances[i].Func]; t != nil {
			for k := range t.size {
				r.values = append(r.values, of(from+Node(k)))
			}
		}
	}
	r.globals = make(map[link.GlobalID]int32, len(s.globals))
	for g, node := range s.globals {
		r.globals[g] = of(node)
	}
	r.funcs = make(map[link.FuncID]int32, len(s.funcs))
	for f, node := range s.funcs {
		r.funcs[f] = of(node)
	}
	r.sets = taken.sets
	s.pts = nil
}

// setPool holds different sets in canonical numbers.
type setPool struct {
	n     *numbering
	sets  []Set
	from  []*Set // by number: the set in the solver's numbers
	index map[uint64][]int32
	nodes []Node
}

func (p *setPool) take(s *Set) int32 {
	h := uint64(len(s.chunks))
	for _, c := range s.chunks {
		h = (h ^ uint64(c.key)) * 0x9e3779b97f4a7c15
		h = (h ^ h>>31 ^ c.bits) * 0xbf58476d1ce4e5b9
	}
	for _, id := range p.index[h] {
		if slices.Equal(p.from[id-1].chunks, s.chunks) {
			return id
		}
	}
	id := int32(len(p.sets))
	p.index[h] = append(p.index[h], id)
	p.from = append(p.from, s)
	p.nodes = p.nodes[:0]
	s.Each(func(a addr) bool {
		p.nodes = append(p.nodes, p.n.node(a))
		return true
	})
	if !slices.IsSorted(p.nodes) {
		slices.Sort(p.nodes)
	}
	p.sets = append(p.sets, sorted(p.nodes))
	return id
}
