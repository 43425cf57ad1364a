package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// A constructor that keeps what it is given is one function for all the objects it
// sets up, so that each of them seems to hold what any of them is given. A call
// passes the object and what it is given together: what one object may hold is what
// the calls with that object pass.

// maxGiven bounds the calls through which an object and what it is given are passed
// together.
const maxGiven = 4

// placeObject asks whether a place may hold an object.
type placeObject struct {
	place  pointer.Node
	object pointer.ObjectID
}

// mayHold tells whether a place may hold an object, by the calls that lead to the
// stores there.
func (d *detector) mayHold(n pointer.Node, obj pointer.ObjectID) bool {
	if !d.contains(n, obj) {
		return false
	}
	key := placeObject{n, obj}
	may, known := d.holding[key]
	if known {
		return may
	}
	stores, ok := d.stores(n)
	may = !ok || len(stores) == 0
	holder, _ := d.Points.Object(n)
	for _, s := range stores {
		if may {
			break
		}
		body := d.Points.Body(s.Inst)
		args := body.Args(&body.Instrs[s.Instr])
		may = d.puts(s.Inst, args[0], args[1], holder, []pointer.ObjectID{obj}, maxGiven)
	}
	d.holding[key] = may
	return may
}

// mayHoldAny tells whether a place may hold one of some objects, also inside an
// interface value.
func (d *detector) mayHoldAny(n pointer.Node, objects []pointer.ObjectID) bool {
	if !d.lead(d.Points.Content(n), objects) {
		return false
	}
	boxed := true
	for _, o := range objects {
		if d.mayHold(n, o) {
			return true
		}
		boxed = boxed && !d.contains(n, o)
	}
	return boxed
}

// puts tells whether an instance that puts one value into another may put one of
// some objects into a holder: if both are parameters, only if a call passes both.
func (d *detector) puts(inst pointer.InstID, into, v ir.Value, holder pointer.ObjectID, held []pointer.ObjectID, depth int) bool {
	if !d.leadsTo(inst, into, holder) || !d.mayLead(inst, v, held) {
		return false
	}
	i, k := d.parameter(inst, into), d.parameter(inst, v)
	callers := d.Runs.CallersOf(inst)
	if i == ir.None || k == ir.None || depth == 0 || len(callers) == 0 || d.isEntry(inst) {
		return true
	}
	for _, c := range callers {
		in := d.instrAt(c)
		x, ok := d.passedAs(c, i)
		y, both := d.passedAs(c, k)
		if !ok || !both || d.boxed(c.Inst, in, i) || d.boxed(c.Inst, in, k) || d.puts(c.Inst, x, y, holder, held, depth-1) {
			return true
		}
	}
	return false
}

// mayPut is puts for a write to a place, which may be another one than a store.
func (d *detector) mayPut(w sharing.Access, n pointer.Node, held []pointer.ObjectID) bool {
	body := d.Points.Body(w.Inst)
	in := &body.Instrs[w.Instr]
	if in.Op != ir.OpStore {
		return true
	}
	holder, _ := d.Points.Object(n)
	args := body.Args(in)
	return d.puts(w.Inst, args[0], args[1], holder, held, maxGiven)
}
