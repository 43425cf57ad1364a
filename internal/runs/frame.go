package runs

import (
	"math/bits"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Frame is the stretch of execution that begins when an instruction of an
// instance makes an object and ends when it makes the next one. What is said of
// one object only depends on what happens within its frame: a function that is
// called from everywhere, with its own locals, goroutines and channels, is as
// good as a program that runs once.
type Frame struct {
	Inst pointer.InstID
	Made int32 // ir.None: the frame is one whole activation
}

// frame is a view of a Result from within a Frame. Which instances it contains
// is known from the start, the rest when it is asked for: most frames are only
// ever asked whether two instances are inside.
type frame struct {
	Frame
	scope  []pointer.InstID // what the frame's activation calls and spawns, itself first
	inside []uint64         // the same as a bit set
	loops  bool             // the frame begins anew in one activation

	counted bool
	before  []int32 // by word of inside: how many instances the words before have
	origins map[origin.ID]bool
	callers [][]Point // by rank
	spawns  map[origin.ID][]Point
	often   []bool // by rank
	many    map[origin.ID]bool
}

// maxScope bounds the instances of a frame.
const maxScope = 8000

func (f *frame) has(id pointer.InstID) bool { return f.inside[id>>6]&(1<<(uint(id)&63)) != 0 }
func (f *frame) add(id pointer.InstID) {
	f.inside[id>>6] |= 1 << (uint(id) & 63)
	f.scope = append(f.scope, id)
}

// count numbers the instances of a complete frame.
func (f *frame) count() {
	f.before = make([]int32, len(f.inside))
	n := 0
	for i, w := range f.inside {
		f.before[i] = int32(n)
		n += bits.OnesCount64(w)
	}
}

// rank returns the number of an instance, from 0 on, or -1 if it is not inside.
func (f *frame) rank(id pointer.InstID) int32 {
	w, bit := f.inside[id>>6], uint64(1)<<(uint(id)&63)
	if w&bit == 0 {
		return -1
	}
	return f.before[id>>6] + int32(bits.OnesCount64(w&(bit-1)))
}

// Whole returns a frame that shows the same as another, but is the one of a whole
// activation if nothing repeats its beginning.
func (r *Result) Whole(f Frame) Frame {
	if f.Made >= 0 && !Reaches(r.pts.Body(f.Inst), f.Made, f.Made, ir.None) {
		f.Made = ir.None
	}
	return f
}

// Within returns the run counts as seen from within a frame; ok is false if the
// frame is too big.
func (r *Result) Within(f Frame) (*Result, bool) {
	fr := &frame{Frame: f, inside: make([]uint64, len(r.pts.Instances)/64+1)}
	fr.add(f.Inst)
	for k := 0; k < len(fr.scope); k++ {
		for _, e := range r.pts.Instances[fr.scope[k]].Calls {
			if !fr.has(e.Target) {
				fr.add(e.Target)
			}
		}
		if len(fr.scope) > maxScope {
			return nil, false
		}
	}
	fr.loops = r.Whole(f) == f && f.Made >= 0
	return &Result{pts: r.pts, loops: r.loops, counted: r.counted, frame: fr, unique: make(map[pointer.ObjectID]bool)}, true
}

// Frame returns the frame that the run counts are of; they are not of the whole
// program.
func (r *Result) Frame() Frame { return r.frame.Frame }

// inFrame returns the frame with everything counted.
func (r *Result) inFrame() *frame {
	fr := r.frame
	if fr.counted {
		return fr
	}
	fr.counted = true
	fr.origins = make(map[origin.ID]bool)
	fr.count()
	fr.callers = make([][]Point, len(fr.scope))
	fr.spawns = make(map[origin.ID][]Point)
	fr.often = make([]bool, len(fr.scope))
	fr.many = make(map[origin.ID]bool)
	for _, id := range fr.scope {
		fr.origins[r.pts.Instances[id].Origin] = true
		for _, e := range r.pts.Instances[id].Calls {
			p := Point{id, e.Instr, e.How}
			if e.How == ir.Spawned {
				o := r.pts.Instances[e.Target].Origin
				if n := len(fr.spawns[o]); n == 0 || fr.spawns[o][n-1] != p {
					fr.spawns[o] = append(fr.spawns[o], p)
				}
			} else if e.Target != fr.Inst {
				k := fr.rank(e.Target)
				fr.callers[k] = append(fr.callers[k], p)
			}
		}
	}
	r.countFrame()
	return fr
}

// countFrame counts runs inside the frame.
func (r *Result) countFrame() {
	fr := r.frame
	for changed := true; changed; {
		changed = false
		for _, id := range fr.scope[1:] {
			if k := fr.rank(id); !fr.often[k] && r.calledOften(fr.callers[k]) {
				fr.often[k], changed = true, true
			}
		}
		for o := range fr.spawns {
			if !fr.many[o] && r.startedOften(o) {
				fr.many[o], changed = true, true
			}
		}
	}
}

func (r *Result) calledOften(callers []Point) bool {
	if len(callers) > 1 {
		return true
	}
	for _, c := range callers {
		if r.Often(c.Inst) || r.InLoop(c) || r.flags(c)&ir.FlagMany != 0 {
			return true
		}
	}
	return false
}

// Instances returns the instances in view.
func (r *Result) Instances() []pointer.InstID {
	if r.frame != nil {
		return r.frame.scope
	}
	if r.all == nil {
		r.all = make([]pointer.InstID, len(r.pts.Instances))
		for i := range r.all {
			r.all[i] = pointer.InstID(i)
		}
	}
	return r.all
}

// Rank numbers the instances in view, from 0 on. It is -1 for others.
func (r *Result) Rank(id pointer.InstID) int32 {
	if r.frame != nil {
		return r.inFrame().rank(id)
	}
	return int32(id)
}

// Inside tells whether an instance is in view.
func (r *Result) Inside(id pointer.InstID) bool { return r.frame == nil || r.frame.has(id) }

// HasOrigin tells whether an origin is in view.
func (r *Result) HasOrigin(o origin.ID) bool { return r.frame == nil || r.inFrame().origins[o] }

// CallersOf returns the calls of an instance within its origin.
func (r *Result) CallersOf(id pointer.InstID) []Point {
	if r.frame != nil {
		if k := r.inFrame().rank(id); k >= 0 {
			return r.frame.callers[k]
		}
		return nil
	}
	return r.Callers[id]
}

// SpawnsOf returns the instructions that start an origin.
func (r *Result) SpawnsOf(o origin.ID) []Point {
	if r.frame != nil {
		return r.inFrame().spawns[o]
	}
	return r.SpawnPoints[o]
}

// Often tells whether an instance may run more than once within its origin.
func (r *Result) Often(id pointer.InstID) bool {
	if r.frame != nil {
		k := r.inFrame().rank(id)
		return k >= 0 && r.frame.often[k]
	}
	return r.Inst[id]
}

// Many tells whether several instances of an origin may run at the same time.
func (r *Result) Many(o origin.ID) bool {
	if r.frame != nil {
		return r.inFrame().many[o]
	}
	return r.pts.Origins.Get(o).Many
}

// Root tells whether nothing in view starts an origin.
func (r *Result) Root(o origin.ID) bool {
	if r.frame != nil {
		return o == r.pts.Instances[r.frame.Inst].Origin
	}
	return r.pts.Origins.Get(o).Root
}

// Entry tells whether an instance is where its origin, or the frame, begins.
func (r *Result) Entry(id pointer.InstID) bool {
	if r.frame != nil && id == r.frame.Inst {
		return true
	}
	inst := &r.pts.Instances[id]
	for _, f := range r.pts.Origins.Get(inst.Origin).Entries {
		if f == inst.Func {
			return r.frame == nil || len(r.SpawnsOf(inst.Origin)) > 0
		}
	}
	return len(r.CallersOf(id)) == 0
}

// Activation tells whether an instance is the one whose activation is in view.
func (r *Result) Activation(id pointer.InstID) bool { return r.frame != nil && r.frame.Inst == id }

// Trim cuts a way to an instance where it leaves what is in view.
func (r *Result) Trim(inst pointer.InstID, w Way) Way {
	if r.frame == nil {
		return w
	}
	for n, c := range w.Calls {
		if inst == r.frame.Inst || !r.frame.has(c.Inst) {
			return Way{Calls: w.Calls[:n]}
		}
		inst = c.Inst
	}
	w.Start = w.Start && inst != r.frame.Inst
	return w
}

// Beginning returns the instruction of an instance with which a frame begins
// anew, or ir.None: what its activation did before does not count any more.
func (r *Result) Beginning(id pointer.InstID) int32 {
	if r.frame == nil || !r.frame.loops || id != r.frame.Inst {
		return ir.None
	}
	return r.frame.Made
}

// MadeWithin tells whether an object is made within the frame: by something the
// activation calls or spawns or, in a frame that is one turn of a loop, in that
// turn.
func (r *Result) MadeWithin(obj pointer.ObjectID) bool {
	o := &r.pts.Objects[obj]
	if o.Inst < 0 || !r.Inside(o.Inst) {
		return false
	}
	if r.frame == nil || !r.frame.loops || o.Inst != r.frame.Inst || o.Site.Instr == r.frame.Made {
		return true
	}
	return !ReachesStart(r.pts.Body(o.Inst), o.Site.Instr, r.frame.Made)
}
