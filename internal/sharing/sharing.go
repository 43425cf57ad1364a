package sharing

import (
	"slices"
	"sort"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// AccessID numbers the accesses of shared objects densely.
type AccessID int32

// NoAccess is the number of accesses that are listed without one.
const NoAccess AccessID = -1

// Access is one access of a cell, in one instance.
type Access struct {
	ID    AccessID
	Inst  pointer.InstID
	Instr int32
	Kind  Kind
	Addr  ir.Value
	Tail  bool // writes behind the end of a slice: only others that do so conflict
	Far   bool // by a library, behind pointers that it may follow or not
}

// Cell is a slot of an object that several origins touch, with a write.
type Cell struct {
	Object   pointer.ObjectID
	Slot     int32
	Accesses []Access
}

// Result lists the shared cells.
type Result struct {
	Cells []Cell
	// Accesses counts those that have a number.
	Accesses int
	// Local counts the objects that a single origin instance touches, Shared
	// the others.
	Local, Shared int

	handed      []bool
	holders     []pointer.ObjectID // of all objects, one after the other; nil until asked for
	firstHolder []int              // by object
	pts         *pointer.Result
}

// Analyze finds the shared cells. Origins must know whether they are many. runs
// tells whether control can get to an instruction of an instance.
func Analyze(pts *pointer.Result, runs func(pointer.InstID, int32) bool) *Result {
	r := &Result{pts: pts}
	r.handed = handedOut(pts)
	ops := make(map[link.FuncID][]operation)
	each := func(f func(inst pointer.InstID, op *operation)) {
		for i := range pts.Instances {
			if pts.Stopped() {
				return
			}
			fn := pts.Instances[i].Func
			list, ok := ops[fn]
			if !ok {
				if body := pts.Body(pointer.InstID(i)); body != nil {
					list = operations(pts.Prog, fn, body)
				}
				ops[fn] = list
			}
			for k := range list {
				if runs(pointer.InstID(i), list[k].instr) {
					f(pointer.InstID(i), &list[k])
				}
			}
		}
	}
	shared := r.sharedObjects(each)
	r.cells(each, shared)
	return r
}

// sharedObjects is the first pass: which objects do several origins touch,
// with a write?
func (r *Result) sharedObjects(each func(func(pointer.InstID, *operation))) []bool {
	pts := r.pts
	first := make([]origin.ID, len(pts.Objects))
	several := make([]bool, len(pts.Objects))
	written := make([]bool, len(pts.Objects))
	for i := range first {
		first[i] = origin.None
	}
	each(func(inst pointer.InstID, op *operation) {
		o := pts.Instances[inst].Origin
		targets(pts, inst, op, func(n pointer.Node, _ int32, _ bool) {
			id, _ := pts.Object(n)
			written[id] = written[id] || op.kind.Writes()
			switch {
			case first[id] == origin.None:
				first[id] = o
				several[id] = pts.Origins.Get(o).Many && !r.InstanceLocal(id, o)
			case first[id] != o:
				several[id] = true
			}
		})
	})
	for id := range several {
		switch {
		case several[id]:
			r.Shared++
		case first[id] != origin.None:
			r.Local++
		}
		several[id] = several[id] && written[id]
	}
	return several
}

// cells is the second pass: the accesses of every cell of the shared objects.
func (r *Result) cells(each func(func(pointer.InstID, *operation)), shared []bool) {
	pts := r.pts
	index := make([]int32, pts.Nodes()) // of the cell of a node, counted from 1
	each(func(inst pointer.InstID, op *operation) {
		numbers := [2]AccessID{NoAccess, NoAccess} // near and far
		targets(pts, inst, op, func(n pointer.Node, size int32, far bool) {
			id, slot := pts.Object(n)
			if k := pts.Objects[id].Kind; !shared[id] || k == pointer.ObjectBox || k == pointer.ObjectValue {
				return
			}
			number := &numbers[0]
			if far {
				number = &numbers[1]
			}
			if *number == NoAccess {
				*number = AccessID(r.Accesses)
				r.Accesses++
			}
			a := Access{*number, inst, op.instr, op.kind, op.addr, op.tail, far}
			for k := int32(0); k < size; k++ {
				c := &index[n+pointer.Node(k)]
				if *c == 0 {
					r.Cells = append(r.Cells, Cell{Object: id, Slot: slot + k})
					*c = int32(len(r.Cells))
				}
				cell := &r.Cells[*c-1]
				if m := len(cell.Accesses); m == 0 || cell.Accesses[m-1] != a {
					cell.Accesses = append(cell.Accesses, a)
				}
			}
		})
	})
	kept := r.Cells[:0]
	for _, c := range r.Cells {
		if r.contended(&c) {
			kept = append(kept, c)
		}
	}
	r.Cells = kept
	sort.Slice(r.Cells, func(i, j int) bool {
		a, b := &r.Cells[i], &r.Cells[j]
		if a.Object != b.Object {
			return a.Object < b.Object
		}
		return a.Slot < b.Slot
	})
}

// contended tells whether a cell is written, and touched by two origins or two
// instances of one.
func (r *Result) contended(c *Cell) bool {
	written, several := false, false
	first := r.pts.Instances[c.Accesses[0].Inst].Origin
	for _, a := range c.Accesses {
		o := r.pts.Instances[a.Inst].Origin
		written = written || a.Kind.Writes()
		several = several || o != first || r.pts.Origins.Get(o).Many && !r.InstanceLocal(c.Object, o)
	}
	return written && several
}

// InstanceLocal tells whether each instance of an origin has an object of its
// own: it allocates it, and nothing outside the origin leads to it.
func (r *Result) InstanceLocal(id pointer.ObjectID, o origin.ID) bool {
	obj := &r.pts.Objects[id]
	return obj.Inst >= 0 && obj.Origin == o && !r.handed[id]
}

// handedOut marks the objects that memory of another origin, or a global,
// leads to.
func handedOut(pts *pointer.Result) []bool {
	handed := make([]bool, len(pts.Objects))
	var queue []pointer.ObjectID
	for id := range pts.Objects {
		o := &pts.Objects[id]
		for k := int32(0); k < o.Size; k++ {
			pts.Content(o.Base + pointer.Node(k)).Each(func(a pointer.Node) bool {
				t, _ := pts.Object(a)
				if t == pointer.NoObject || handed[t] {
					return true
				}
				if o.Kind == pointer.ObjectGlobal || pts.Objects[t].Origin != o.Origin {
					handed[t] = true
					queue = append(queue, t)
				}
				return true
			})
		}
	}
	for len(queue) > 0 {
		shuffle.Back(queue)
		o := &pts.Objects[queue[len(queue)-1]]
		queue = queue[:len(queue)-1]
		for k := int32(0); k < o.Size; k++ {
			pts.Content(o.Base + pointer.Node(k)).Each(func(a pointer.Node) bool {
				if t, _ := pts.Object(a); t != pointer.NoObject && !handed[t] {
					handed[t] = true
					queue = append(queue, t)
				}
				return true
			})
		}
	}
	return handed
}

// Holders returns the objects whose content leads to the given one.
func (r *Result) Holders(id pointer.ObjectID) []pointer.ObjectID {
	if r.holders == nil {
		r.findHolders()
	}
	return r.holders[r.firstHolder[id]:r.firstHolder[id+1]]
}

// findHolders turns "leads to" around: it counts, then fills.
func (r *Result) findHolders() {
	n := len(r.pts.Objects)
	r.firstHolder = make([]int, n+1)
	r.eachHeld(func(_, held pointer.ObjectID) { r.firstHolder[held+1]++ })
	for i := range n {
		r.firstHolder[i+1] += r.firstHolder[i]
	}
	r.holders = make([]pointer.ObjectID, r.firstHolder[n])
	next := slices.Clone(r.firstHolder)
	r.eachHeld(func(holder, held pointer.ObjectID) {
		r.holders[next[held]] = holder
		next[held]++
	})
}

// eachHeld calls f with each object and those that its content leads to.
func (r *Result) eachHeld(f func(holder, held pointer.ObjectID)) {
	last := make([]pointer.ObjectID, len(r.pts.Objects)) // that was found to hold an object, counted from 1
	for h := range r.pts.Objects {
		o := &r.pts.Objects[h]
		for k := int32(0); k < o.Size; k++ {
			r.pts.Content(o.Base + pointer.Node(k)).Each(func(a pointer.Node) bool {
				if t, _ := r.pts.Object(a); last[t] != pointer.ObjectID(h+1) {
					last[t] = pointer.ObjectID(h + 1)
					f(pointer.ObjectID(h), t)
				}
				return true
			})
		}
	}
}
