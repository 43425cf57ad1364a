package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// cut is an instruction that starts an origin, signals or waits.
type cut struct {
	point runs.Point
	op    ir.Op
	sub   uint8
	// object is the channel, group or handle, if it is one unique thing, else
	// noNode; any is what it may be.
	object pointer.Node
	thing  pointer.Node // the same, even if there are many of it
	any    *pointer.Set
	spawns []origin.ID
	test   *test  // of a branch that waits for a flag (see flag.go)
	class  int32  // the cut that stands for all of this origin that do the same with the object, or -1
	tally  *tally // of a branch that leaves a loop which counts its turns (see count.go)
	drain  *drain // of a branch that leaves a loop which waits in every turn (see drain.go)
	closed bool   // of a branch that is taken when a channel has been closed
	dead   bool   // a case of a select that nobody can answer
	sole   bool   // the only case of a blocking select that somebody can
}

const noNode pointer.Node = -1

// isDone tells whether a cut counts a group down.
func (c *cut) isDone() bool { return c.op == ir.OpGroup && ir.GroupKind(c.sub) == ir.GroupDone }

// world is what one origin's cuts look like from every instance in it.
type world struct {
	cuts    []cut
	byPoint map[runs.Point][]int32
	insts   []pointer.InstID
	first   []int32 // by index of insts: its cuts are those from first up to end, besides classes
	end     []int32
	classes map[class]int32

	solved    bool // whether what follows is known
	sets      setTable
	mayGen    []setID // cuts an instance may execute, callees included
	mustGen   []setID // cuts an instance surely executes before it returns
	entryMay  []setID
	entryMust []setID
	flows     []*instFlow // nil where nothing is executed
	passed    passedTable
	leading   map[origin.ID]set // spawns that may lead to an origin
	rounds    []int32           // by index of insts: see Recursion; nil if there are no cuts
}

// collect finds the cuts of all origins.
func (r *Result) collect() {
	r.collectTests()
	r.collectHanded()
	r.worlds = make([]*world, r.pts.Origins.Len())
	for i := range r.worlds {
		if r.runs.HasOrigin(origin.ID(i)) {
			r.worlds[i] = &world{byPoint: make(map[runs.Point][]int32), classes: make(map[class]int32), passed: passedTable{ids: make(map[passedInst]int32)}, leading: make(map[origin.ID]set)}
		}
	}
	for _, id := range r.runs.Instances() {
		w := r.worlds[r.pts.Instances[id].Origin]
		r.indices[r.runs.Rank(id)] = int32(len(w.insts))
		w.insts = append(w.insts, id)
		w.first = append(w.first, int32(len(w.cuts)))
		if c := r.codeOf(id); c != nil {
			for _, i := range c.cuts {
				r.collectInstr(w, id, i, c.body)
			}
		}
		w.end = append(w.end, int32(len(w.cuts)))
	}
	r.deadCases()
}

// deadCases marks the cases of selects that have no partner anywhere, and those
// that are left alone by that: a select that waits must take them.
func (r *Result) deadCases() {
	for _, w := range r.worlds {
		if w == nil {
			continue
		}
		for p, cases := range w.byPoint {
			in := &r.pts.Body(p.Inst).Instrs[p.Instr]
			if in.Op != ir.OpSelect {
				continue
			}
			alive := int32(-1)
			n := 0
			for _, k := range cases {
				if c := &w.cuts[k]; c.op == ir.OpSelect {
					continue
				} else if !r.answered(c) {
					c.dead = true
				} else {
					alive = k
					n++
				}
			}
			if n == 1 && in.Flags&ir.FlagBlocking != 0 {
				w.cuts[alive].sole = true
			}
		}
	}
}

// answered tells whether some instruction of the program can be the partner of
// a channel operation.
func (r *Result) answered(c *cut) bool {
	found := false
	c.any.Each(func(n pointer.Node) bool {
		found = c.op == ir.OpSend && !r.unbuffered(n)
		for _, ref := range r.byObject[n] {
			p := &r.worlds[ref.origin].cuts[ref.cut]
			if c.op == ir.OpRecv && p.signals() || c.op == ir.OpSend && p.op == ir.OpRecv {
				found = true
			}
		}
		return !found
	})
	return found
}

func (r *Result) collectInstr(w *world, id pointer.InstID, i int32, body *ir.Body) {
	in := &body.Instrs[i]
	args := body.Args(in)
	p := runs.Point{Inst: id, Instr: i}
	switch in.Op {
	case ir.OpAwait:
		r.addWaits(w, cut{point: p, op: in.Op}, id, in, args[0])
	case ir.OpSend, ir.OpRecv, ir.OpClose, ir.OpPost, ir.OpJoin, ir.OpGroup, ir.OpOnce:
		r.addCut(w, cut{point: p, op: in.Op, sub: in.Sub}, id, args[0])
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		if ir.How(in.Sub) == ir.Spawned {
			c := cut{point: p, op: in.Op, object: noNode, class: -1}
			for _, e := range r.pts.Instances[id].Calls {
				if e.Instr == i && e.How == ir.Spawned {
					c.spawns = addOrigin(c.spawns, r.pts.Instances[e.Target].Origin)
				}
			}
			w.byPoint[p] = append(w.byPoint[p], int32(len(w.cuts)))
			w.cuts = append(w.cuts, c)
		}
	case ir.OpIf, ir.OpStore, ir.OpAtomic:
		r.collectFlag(w, p, in, args)
		if in.Op == ir.OpIf {
			if d, k, ok := r.closedTest(id, body, i); ok {
				r.addCut(w, cut{point: p, op: in.Op, sub: k, closed: true}, id, body.Args(&body.Instrs[d])[0])
			}
			r.collectTallies(w, p, body)
			r.collectDrains(w, p, body)
		}
	case ir.OpLock, ir.OpUnlock:
		if n, ok := r.pts.PointsTo(id, args[0], 0).Single(); !ok || !r.handed[n] {
			return
		}
		r.addCut(w, cut{point: p, op: in.Op, sub: in.Sub}, id, args[0])
	case ir.OpSelect:
		// A case happens on its own branch only (see branch.go); here it only
		// may have happened.
		consts := r.pts.Prog.Unit(r.pts.Instances[id].Func).Consts
		for k := 0; k+2 < len(args); k += 3 {
			op := ir.OpRecv
			if c := args[k].Const(); c != ir.None && consts[c].Text == "1" {
				op = ir.OpSend
			}
			r.addCut(w, cut{point: p, op: op, sub: uint8(k/3) + 1}, id, args[k+1])
		}
		if n := len(args) / 3; n > 1 && in.Flags&ir.FlagBlocking != 0 {
			// Whichever case it was, there was one.
			w.byPoint[p] = append(w.byPoint[p], int32(len(w.cuts)))
			w.cuts = append(w.cuts, cut{point: p, op: in.Op, sub: uint8(n), object: noNode, class: -1})
		}
	}
}

// closedTest recognises a branch that says whether a receive found its channel
// closed: the end of a range, a test of "ok". It returns the receive and the
// successor for closed channels.
func (r *Result) closedTest(id pointer.InstID, body *ir.Body, instr int32) (recv int32, k uint8, ok bool) {
	fn := r.pts.Instances[id].Func
	v, k := body.Args(&body.Instrs[instr])[0], uint8(1)
	for {
		d := r.pts.Prog.Definition(fn, v)
		if d < 0 {
			return 0, 0, false
		}
		in := &body.Instrs[d]
		switch {
		case in.Op == ir.OpUnary && ir.UnaryKind(in.Sub) == ir.UnNot:
			v, k = body.Args(in)[0], 1-k
		case in.Op == ir.OpExtract && in.Aux == 1:
			d := r.pts.Prog.Definition(fn, body.Args(in)[0])
			return d, k, d >= 0 && body.Instrs[d].Op == ir.OpRecv && body.Instrs[d].Flags&ir.FlagOK != 0
		default:
			return 0, 0, false
		}
	}
}

func addOrigin(list []origin.ID, o origin.ID) []origin.ID {
	for _, x := range list {
		if x == o {
			return list
		}
	}
	return append(list, o)
}

// addWaits adds a wait; one that is for all objects its operand may be is a wait
// for each of them.
func (r *Result) addWaits(w *world, c cut, id pointer.InstID, in *ir.Instr, v ir.Value) {
	set := r.pts.PointsTo(id, v, 0)
	if in.Flags&ir.FlagAll == 0 || set.Len() < 2 {
		r.addCut(w, c, id, v)
		return
	}
	set.Each(func(n pointer.Node) bool {
		one := new(pointer.Set)
		one.Add(n)
		r.addCutOn(w, c, id, one)
		return true
	})
}

func (r *Result) addCut(w *world, c cut, id pointer.InstID, v ir.Value) {
	r.addCutOn(w, c, id, r.pts.PointsTo(id, v, 0))
}

// addCutOn adds a cut on one of the objects of a set.
func (r *Result) addCutOn(w *world, c cut, id pointer.InstID, any *pointer.Set) {
	c.any = any
	c.object, c.thing = noNode, noNode
	if n, ok := c.any.Single(); ok {
		c.thing = n
		if r.runs.UniqueNode(n) {
			c.object = n
		}
	}
	c.class = -1
	if c.object != noNode && (c.waits() || c.op == ir.OpGroup || c.tally != nil) || c.thing != noNode && c.isDone() {
		c.class = w.classOf(&c)
	}
	k := int32(len(w.cuts))
	w.byPoint[c.point] = append(w.byPoint[c.point], k)
	w.cuts = append(w.cuts, c)
	if c.test == nil && c.spawns == nil {
		c.any.Each(func(n pointer.Node) bool {
			r.byObject[n] = append(r.byObject[n], cutRef{r.pts.Instances[id].Origin, k})
			return true
		})
	}
}

// classOf returns the cut that stands for all of the origin that do the same as
// c with its object: where ways that wait, or say done, in different places meet,
// it is still certain that they did.
func (w *world) classOf(c *cut) int32 {
	key := class{op: c.op, object: c.thing}
	switch {
	case c.op == ir.OpGroup:
		key.sub = c.sub
	case c.tally != nil:
		key.at = c.tally.at
	}
	k, ok := w.classes[key]
	if !ok {
		k = int32(len(w.cuts))
		w.classes[key] = k
		w.cuts = append(w.cuts, cut{point: runs.Point{Inst: -1}, op: c.op, sub: c.sub, object: c.object, thing: c.thing, tally: c.tally, class: -1})
	}
	return k
}

// class is something done with an object.
type class struct {
	op     ir.Op
	sub    uint8      // of a group
	at     runs.Point // of a tally
	object pointer.Node
}

// signals tells whether the cut can end somebody's wait.
func (c *cut) signals() bool {
	switch c.op {
	case ir.OpSend, ir.OpClose, ir.OpPost:
		return true
	case ir.OpGroup:
		return ir.GroupKind(c.sub) == ir.GroupDone
	}
	return false
}

// waits tells whether the cut waits for a signal.
func (c *cut) waits() bool {
	switch c.op {
	case ir.OpRecv, ir.OpAwait:
		return true
	case ir.OpGroup:
		return ir.GroupKind(c.sub) == ir.GroupWait
	}
	return false
}
