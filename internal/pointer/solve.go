package pointer

import (
	"context"
	"math"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// Root is a function that something outside the program calls.
type Root struct {
	Func   link.FuncID
	Origin origin.ID
}

// Analyze solves the program that begins at the roots. The table holds the
// roots' origins and receives those that are discovered. If ctx is done before
// the end, the result is empty.
func Analyze(ctx context.Context, prog *link.Program, origins *origin.Table, roots []Root) *Result {
	r, _ := AnalyzeUpTo(ctx, math.MaxInt, prog, origins, roots)
	return r
}

// AnalyzeUpTo is Analyze for programs of at most so many instances; ok is false
// if there are more, which does not depend on the order of work, for instances
// only ever become more.
func AnalyzeUpTo(ctx context.Context, instances int, prog *link.Program, origins *origin.Table, roots []Root) (r *Result, ok bool) {
	s := newSolver(ctx, prog, origins)
	s.limit = instances
	return s.run(roots)
}

// AnalyzeBy is Analyze for a large program, as a plan says.
func AnalyzeBy(ctx context.Context, plan *Plan, prog *link.Program, origins *origin.Table, roots []Root) *Result {
	s := newSolver(ctx, prog, origins)
	s.flat = true // as in the survey
	origins.Unite(plan.Crowd, plan.chains)
	r, _ := s.run(roots)
	return r
}

func newSolver(ctx context.Context, prog *link.Program, origins *origin.Table) *solver {
	return &solver{
		ctx:     ctx,
		prog:    prog,
		origins: origins,
		limit:   math.MaxInt,
		flat:    prog.Declared() > maxChained,
		instIDs: make(map[instKey]InstID),
		globals: make(map[link.GlobalID]Node),
		funcs:   make(map[link.FuncID]Node),
		boxes:   make(map[link.TypeID]Node),
		values:  make(map[link.TypeID]Node),
		work:    workQueue{last: roundOver},
		pages:   pageTable{open: make(map[kindOfPage]int32)},
	}
}

// run solves and hands out the result; ok is false if there are more instances
// than the limit.
func (s *solver) run(roots []Root) (r *Result, ok bool) {
	for _, r := range roots {
		if r.Origin != origin.Main {
			s.origins.AddEntry(r.Origin, r.Func)
		}
		s.roots = append(s.roots, s.instance(r.Func, r.Origin, origin.NoChain))
	}
	s.solve()
	if s.ctx.Err() != nil {
		return &Result{Prog: s.prog, Origins: origin.NewTable(1), ctx: s.ctx}, true
	}
	if len(s.instances) > s.limit {
		return nil, false
	}
	s.canonical()
	return s.result(), true
}

// instKey identifies an instance. Wrappers (see wrapper.go) are told apart by the
// calls that run them, other functions by origin alone.
type instKey struct {
	fn  link.FuncID
	org origin.ID
	via origin.Chain
}

// complex is a constraint that waits for addresses to arrive at its base.
type complex struct {
	kind  tkind
	other Node // destination of a load, source of a store, …
	aux   int32
	aux2  int32
	inst  InstID // of calls
}

type solver struct {
	ctx     context.Context
	prog    *link.Program
	origins *origin.Table
	limit   int // of instances; with more the solver stops

	survey bool // origins are not told apart
	flat   bool // wrappers are told apart by the nearest call only

	templates   []*template
	hasTemplate []bool

	// Nodes, by number.
	rep    []Node // union-find over collapsed cycles
	pts    []Set
	delta  []Set
	succs  [][]Node
	cons   [][]complex
	queued []bool
	rank   []int32 // where copies come from has a lower one; as of the last collapse

	instances []Instance
	roots     []InstID
	firstCall []int32 // by instance: number of its first call site
	numCalls  int32
	instIDs   map[instKey]InstID
	pending   []InstID // nodes allocated, constraints not yet
	objects   []Object
	addrs     []addr // by object
	pages     pageTable
	globals   map[link.GlobalID]Node // address nodes
	funcs     map[link.FuncID]Node
	boxes     map[link.TypeID]Node
	values    map[link.TypeID]Node
	receivers receiverTable

	edges edgeSet
	bound edgeSet // call sites, numbered over all instances, and targets
	work  workQueue
	free  [][]chunk // of sets that have been passed on

	chosen Set // what a constraint lets through; until it has been passed on

	pops, collapsed, edgesAtCollapse int
}

func (s *solver) newNodes(n int32) Node {
	base := Node(len(s.rep))
	for i := int32(0); i < n; i++ {
		s.rep = append(s.rep, base+Node(i))
	}
	s.pts = append(s.pts, make([]Set, n)...)
	s.delta = append(s.delta, make([]Set, n)...)
	s.succs = append(s.succs, make([][]Node, n)...)
	s.cons = append(s.cons, make([][]complex, n)...)
	s.queued = append(s.queued, make([]bool, n)...)
	s.rank = append(s.rank, make([]int32, n)...)
	return base
}

func (s *solver) newObject(o Object) ObjectID {
	id := ObjectID(len(s.objects))
	if o.Size == 0 {
		o.Size = 1
	}
	o.Base = s.newNodes(o.Size)
	s.objects = append(s.objects, o)
	s.addrs = append(s.addrs, s.pages.place(&o, id))
	return id
}

// addrNode returns a new node that points to an object.
func (s *solver) addrNode(id ObjectID) Node {
	n := s.newNodes(1)
	s.insert(n, s.addrs[id])
	return n
}

func (s *solver) globalAddr(g link.GlobalID) Node {
	if n, ok := s.globals[g]; ok {
		return n
	}
	t := s.prog.Global(g).Type
	n := s.addrNode(s.newObject(Object{Kind: ObjectGlobal, Size: s.prog.Layout(t).Size, Type: t, Global: g, Inst: -1, Func: link.None}))
	s.globals[g] = n
	return n
}

func (s *solver) funcAddr(f link.FuncID) Node {
	if n, ok := s.funcs[f]; ok {
		return n
	}
	n := s.addrNode(s.newObject(Object{Kind: ObjectFunc, Func: f, Inst: -1, Global: link.None}))
	s.funcs[f] = n
	return n
}

// fill copies what value points to into the box at an address.
func (s *solver) fill(box, value Node) {
	for _, row := range s.pts[s.find(box)].chunks {
		s.eachSlot(row, 0, func(n Node) { s.edge(value, n) })
	}
}

func (s *solver) scalarBox(t link.TypeID) Node {
	if n, ok := s.boxes[t]; ok {
		return n
	}
	n := s.addrNode(s.newObject(Object{Kind: ObjectBox, Size: s.prog.Layout(t).Size, Type: t, Inst: -1, Global: link.None, Func: link.None}))
	s.boxes[t] = n
	return n
}

// valueAddr returns the address of the object that stands for all of a type whose
// objects are values: they are immutable, so nothing can race on them, and there
// are as many of them as of all others together in a program full of strings.
func (s *solver) valueAddr(t link.TypeID) Node {
	if n, ok := s.values[t]; ok {
		return n
	}
	n := s.addrNode(s.newObject(Object{Kind: ObjectValue, Size: s.prog.Layout(t).Size, Type: t, Inst: -1, Global: link.None, Func: link.None}))
	s.values[t] = n
	return n
}

// instance returns the instance of a function in an origin, with its nodes;
// its constraints follow when the worklist gets to it.
func (s *solver) instance(f link.FuncID, org origin.ID, via origin.Chain) InstID {
	t := s.templateOf(f)
	if t == nil || !t.wrapper {
		via = origin.NoChain
	}
	key := instKey{f, org, via}
	if id, ok := s.instIDs[key]; ok {
		return id
	}
	id := InstID(len(s.instances))
	s.instIDs[key] = id
	inst := Instance{Func: f, Origin: org, Via: via}
	if t != nil {
		inst.Base = s.newNodes(t.size)
		s.pending = append(s.pending, id)
	}
	s.instances = append(s.instances, inst)
	s.firstCall = append(s.firstCall, s.numCalls)
	if t != nil {
		s.numCalls += int32(len(t.calls))
	}
	return id
}

// instantiate relocates the template of an instance.
func (s *solver) instantiate(id InstID) {
	inst := s.instances[id]
	t := s.templates[inst.Func]
	base := inst.Base
	abs := func(o operand) Node {
		if o < 0 {
			return Node(^o)
		}
		return base + Node(o)
	}
	sites := make([]ObjectID, len(t.sites))
	for i := range t.sites {
		st := &t.sites[i]
		fn := link.FuncID(link.None)
		if st.kind == ObjectFunc {
			fn = st.fn
		}
		sites[i] = s.newObject(Object{Kind: st.kind, Size: st.size, Type: st.typ, Inst: id, Origin: inst.Origin,
			Site: origin.Site{Func: inst.Func, Instr: st.instr}, Func: fn, Global: link.None})
	}
	for i := range t.cons {
		c := &t.cons[i]
		switch c.kind {
		case tAddr:
			s.insert(abs(c.dst), s.addrs[sites[c.aux]])
		case tInit:
			s.edge(abs(c.src), s.objects[sites[c.aux]].Base+Node(c.aux2))
		case tCopy:
			s.edge(abs(c.src), abs(c.dst))
		case tStore:
			s.wait(abs(c.dst), complex{kind: tStore, other: abs(c.src), aux: c.aux})
		case tCall:
			s.instantiateCall(id, t, c.aux)
		default:
			s.wait(abs(c.src), complex{kind: c.kind, other: abs(c.dst), aux: c.aux, aux2: c.aux2})
		}
	}
}

func (s *solver) instantiateCall(id InstID, t *template, idx int32) {
	c := &t.calls[idx]
	if c.op == ir.OpCall {
		s.bind(id, c, idx, c.callee)
		return
	}
	if c.fn == none {
		return
	}
	n := Node(^c.fn)
	if c.fn >= 0 {
		n = s.instances[id].Base + Node(c.fn)
	}
	s.wait(n, complex{kind: tCall, inst: id, aux: idx})
}

// wait attaches a complex constraint to its base and applies it to what is
// already there.
func (s *solver) wait(base Node, c complex) {
	base = s.find(base)
	s.cons[base] = append(s.cons[base], c)
	if !s.pts[base].Empty() {
		snapshot := Set{chunks: append([]chunk(nil), s.pts[base].chunks...)}
		s.apply(&c, &snapshot)
	}
}

func (s *solver) insert(n Node, a addr) {
	s.insertRow(n, chunk{uint32(a) >> 6, 1 << (uint32(a) & 63)})
}

// insertRow adds the addresses of a row.
func (s *solver) insertRow(n Node, row chunk) {
	n = s.find(n)
	if fresh := s.pts[n].addChunk(row.key, row.bits); fresh != 0 {
		if s.delta[n].chunks == nil {
			s.delta[n].chunks = s.buffer()
		}
		s.delta[n].addChunk(row.key, fresh)
		s.push(n)
	}
}

// pass adds a set to that of a node.
func (s *solver) pass(to Node, set *Set) {
	d := &s.delta[to]
	if d.chunks == nil {
		d.chunks = s.buffer()
	}
	if s.pts[to].AddAll(set, d) {
		s.push(to)
	} else if len(d.chunks) == 0 {
		s.release(d)
	}
}

// maxFree bounds the memory of a set that is used again: what is new at a node is
// little as a rule, and much memory should not wait for little.
const maxFree = 64

// buffer returns memory for a set, which may be nil.
func (s *solver) buffer() []chunk {
	n := len(s.free)
	if n == 0 {
		return nil
	}
	b := s.free[n-1]
	s.free = s.free[:n-1]
	return b
}

// release empties a set and keeps its memory for another one.
func (s *solver) release(d *Set) {
	if c := cap(d.chunks); c > 0 && c <= maxFree {
		s.free = append(s.free, d.chunks[:0])
	}
	d.chunks = nil
}

func (s *solver) edge(from, to Node) {
	from, to = s.find(from), s.find(to)
	if from == to {
		return
	}
	if !s.edges.add(from, to) {
		return
	}
	s.succs[from] = append(s.succs[from], to)
	if !s.pts[from].Empty() {
		s.pass(to, &s.pts[from])
	}
}

func (s *solver) push(n Node) {
	if !s.queued[n] {
		s.queued[n] = true
		s.work.push(n, s.rank[n])
	}
}

func (s *solver) find(n Node) Node {
	for s.rep[n] != n {
		s.rep[n] = s.rep[s.rep[n]]
		n = s.rep[n]
	}
	return n
}

func (s *solver) solve() {
	for {
		for len(s.pending) > 0 {
			shuffle.Back(s.pending)
			id := s.pending[len(s.pending)-1]
			s.pending = s.pending[:len(s.pending)-1]
			s.instantiate(id)
			if len(s.instances) > s.limit {
				return
			}
		}
		if s.work.empty() || s.ctx.Err() != nil {
			return
		}
		if s.edges.n > 10000 && s.edges.n > s.edgesAtCollapse+s.edgesAtCollapse/4 {
			s.collapse()
			s.edgesAtCollapse = s.edges.n
		}
		s.work.begin(s.rank)
		for i := 0; ; i++ {
			n, ok := s.work.pop()
			if !ok {
				break
			}
			s.queued[n] = false
			if s.find(n) != n || s.delta[n].Empty() {
				continue
			}
			s.propagate(n)
			if i&0xfff == 0 && s.ctx.Err() != nil {
				return
			}
		}
	}
}

func (s *solver) propagate(n Node) {
	s.pops++
	d := s.delta[n]
	s.delta[n] = Set{}
	// Constraints may be added to n while its own are applied; those have seen
	// the whole set already.
	for i, k := 0, len(s.cons[n]); i < k; i++ {
		c := s.cons[n][i]
		s.apply(&c, &d)
	}
	for _, to := range s.succs[n] {
		if to = s.find(to); to != n {
			s.pass(to, &d)
		}
	}
	s.release(&d)
}

func (s *solver) count(st *Stats) {
	st.Nodes, st.Objects, st.Instances = len(s.rep), len(s.objects), len(s.instances)
	st.Edges, st.Pops, st.Collapsed = s.edges.n, s.pops, s.collapsed
	for n := range s.pts {
		if s.find(Node(n)) != Node(n) {
			continue
		}
		if k := s.pts[n].Len(); k > 0 {
			st.NonEmpty++
			st.Elements += k
			st.Largest = max(st.Largest, k)
		}
	}
}
