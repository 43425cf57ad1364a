package runs

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// Result holds the run counts of a program.
type Result struct {
	Inst []bool // whether an instance runs many times within its origin
	// SpawnPoints lists, for each origin, the instructions that start it.
	SpawnPoints [][]Point
	// Callers lists, for each instance, the calls of it within its origin.
	Callers [][]Point

	pts     *pointer.Result
	loops   map[link.FuncID][]bool
	counted map[link.FuncID][]CountedLoop
	all     []pointer.InstID
	unique  map[pointer.ObjectID]bool
	frame   *frame // nil for the whole program

	led     []alternatives // by instance: what leads to it; nil if there is but one
	root    pointer.InstID // what the program begins with, if there are several
	leading []alternatives // by block of root
}

// Point is an instruction of an instance.
type Point struct {
	Inst  pointer.InstID
	Instr int32
	How   ir.How
}

// Way is how an instance is reached: the calls that lead to it, the innermost
// first. Where they end, whatever leads there is meant, unless Start says that
// this is where the origin begins.
type Way struct {
	Calls []Point
	Start bool
}

// Last returns the instance that a way to inst begins with.
func (w Way) Last(inst pointer.InstID) pointer.InstID {
	if n := len(w.Calls); n > 0 {
		return w.Calls[n-1].Inst
	}
	return inst
}

// Analyze counts, and sets Many of the origins.
func Analyze(pts *pointer.Result) *Result {
	r := &Result{pts: pts,
		Inst:        make([]bool, len(pts.Instances)),
		Callers:     make([][]Point, len(pts.Instances)),
		SpawnPoints: make([][]Point, pts.Origins.Len()),
		loops:       make(map[link.FuncID][]bool),
		counted:     make(map[link.FuncID][]CountedLoop),
		unique:      make(map[pointer.ObjectID]bool),
	}
	for i := range pts.Instances {
		for _, e := range pts.Instances[i].Calls {
			p := Point{pointer.InstID(i), e.Instr, e.How}
			if e.How == ir.Spawned {
				o := pts.Instances[e.Target].Origin
				if n := len(r.SpawnPoints[o]); n == 0 || r.SpawnPoints[o][n-1] != p {
					r.SpawnPoints[o] = append(r.SpawnPoints[o], p)
				}
			} else {
				r.Callers[e.Target] = append(r.Callers[e.Target], p)
			}
		}
	}
	r.findAlternatives()
	r.countInstances()
	r.countOrigins()
	return r
}

func (r *Result) countInstances() {
	often := make([]alternatives, len(r.Inst)) // in which the instance runs many times
	var work []pointer.InstID
	mark := func(i pointer.InstID, in alternatives) {
		if often[i]|in != often[i] {
			often[i] |= in
			r.Inst[i] = true
			work = append(work, i)
		}
	}
	for i, callers := range r.Callers {
		mark(pointer.InstID(i), r.twice(callers))
		for _, c := range callers {
			if often[i] != allAlternatives && (r.InLoop(c) || r.flags(c)&ir.FlagMany != 0) {
				mark(pointer.InstID(i), r.ledTo(c))
			}
		}
	}
	for len(work) > 0 {
		shuffle.Back(work)
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range r.pts.Instances[i].Calls {
			if e.How != ir.Spawned {
				mark(e.Target, often[i])
			}
		}
	}
}

func (r *Result) countOrigins() {
	list := r.pts.Origins.List
	for changed := true; changed; {
		changed = false
		for id := range list {
			if o := &list[id]; !o.Many && r.startedOften(origin.ID(id)) {
				o.Many, changed = true, true
			}
		}
	}
}

func (r *Result) startedOften(id origin.ID) bool {
	points := r.SpawnsOf(id)
	if r.twice(points) != 0 {
		return true
	}
	for _, p := range points {
		if r.InLoop(p) || r.Often(p.Inst) || r.flags(p)&ir.FlagMany != 0 || r.Many(r.pts.Instances[p.Inst].Origin) {
			return true
		}
	}
	return false
}

func (r *Result) flags(p Point) ir.Flags {
	return r.pts.Body(p.Inst).Instrs[p.Instr].Flags
}

// InLoop tells whether an instruction may run more than once in one activation
// of its function, or in one turn of the loop that a frame is about.
func (r *Result) InLoop(p Point) bool {
	if r.frame != nil && p.Inst == r.frame.Inst {
		return Reaches(r.pts.Body(p.Inst), p.Instr, p.Instr, r.frame.Made)
	}
	fn := r.pts.Instances[p.Inst].Func
	loops, ok := r.loops[fn]
	body := r.pts.Body(p.Inst)
	if !ok {
		loops = r.repeated(fn, body)
		r.loops[fn] = loops
	}
	return loops[body.BlockOf(p.Instr)]
}

// repeated tells for each block of a function whether it may run more than once
// in an activation: it lies on a cycle, which is not one of a single turn.
func (r *Result) repeated(fn link.FuncID, body *ir.Body) []bool {
	loops := Cyclic(body)
	for _, l := range r.countedLoops(fn, body) {
		if l.Turns.Of != "" || l.Turns.Times > 1 || !l.alone(body) {
			continue
		}
		for b := range loops {
			if first := body.Blocks[b].First; loops[b] && first != l.Head && body.BlockOf(l.Head) != ir.BlockID(b) &&
				reachesFrom(body, l.body, first, l.Head) && !Reaches(body, first, first, l.Head) {
				loops[b] = false
			}
		}
	}
	return loops
}

// Unique tells whether an object stands for at most one piece of memory.
func (r *Result) Unique(id pointer.ObjectID) bool {
	u, known := r.unique[id]
	if !known {
		u = r.isUnique(id)
		r.unique[id] = u
	}
	return u
}

func (r *Result) isUnique(id pointer.ObjectID) bool {
	o := &r.pts.Objects[id]
	if o.Inst < 0 {
		return o.Kind == pointer.ObjectGlobal
	}
	if !r.Inside(o.Inst) {
		return false
	}
	if r.InLoop(Point{Inst: o.Inst, Instr: o.Site.Instr}) {
		return false
	}
	return !r.Often(o.Inst) && !r.Many(o.Origin) || r.initialises(o.Inst, maxInitialisers)
}

// maxInitialisers bounds how deep calls by an initialiser are followed.
const maxInitialisers = 4

// initialises tells whether an instance is run only by uses of a global once,
// whichever origin comes first: of all that lead there, one runs.
func (r *Result) initialises(id pointer.InstID, depth int) bool {
	callers := r.CallersOf(id)
	if len(callers) == 0 || depth == 0 {
		return false
	}
	for _, c := range callers {
		body := r.pts.Body(c.Inst)
		in := &body.Instrs[c.Instr]
		if in.Op == ir.OpOnce && body.Args(in)[0].Kind() == ir.ValueGlobal {
			continue
		}
		if len(callers) > 1 || c.How != ir.Now || in.Flags&ir.FlagMany != 0 || r.InLoop(c) || !r.initialises(c.Inst, depth-1) {
			return false
		}
	}
	return true
}

// UniqueNode tells whether an address is of a unique object and exact: array
// elements share slots, so their addresses are not.
func (r *Result) UniqueNode(n pointer.Node) bool {
	id, _ := r.pts.Object(n)
	return id != pointer.NoObject && r.pts.Objects[id].Kind != pointer.ObjectArray && r.Unique(id)
}
