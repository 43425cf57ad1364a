package pointer

import (
	"context"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// Node is a slot of an object. An address is the node of the slot it leads to.
// While the program is being solved, register slots of instances are nodes too.
type Node int32

// ObjectID indexes Result.Objects.
type ObjectID int32

// InstID indexes Result.Instances.
type InstID int32

// NoObject is the object of nodes that are registers.
const NoObject ObjectID = -1

// ObjectKind says what an object is made by.
type ObjectKind uint8

const (
	ObjectGlobal ObjectKind = iota
	ObjectCell              // alloc
	ObjectArray             // backing array of a slice: slots of one element
	ObjectMap               // slot 0: shape; then key, element
	ObjectChan              // slot 0: the channel itself; then element
	ObjectFunc              // a function value: captures
	ObjectBox               // the content of an interface value; immutable
	ObjectValue             // all objects of a type whose objects are values; immutable
)

func (k ObjectKind) String() string {
	return [...]string{"global", "heap", "array", "map", "channel", "function", "interface value", "value"}[k]
}

// Object is an abstract piece of memory.
type Object struct {
	Kind   ObjectKind
	Base   Node
	Size   int32
	Type   link.TypeID // of the content; element type for arrays
	Site   origin.Site // unset if Inst is -1
	Inst   InstID      // that executes Site, or -1
	Origin origin.ID
	Global link.GlobalID
	Func   link.FuncID
}

// Instance is a function as run in one origin.
type Instance struct {
	Func   link.FuncID
	Origin origin.ID
	Via    origin.Chain // the calls that run it, if it is a wrapper, or NoChain
	Base   Node         // first of its registers
	Calls  []Edge       // sorted by instruction, then target
}

// Edge is a call from an instruction of an instance.
type Edge struct {
	Instr  int32
	Target InstID
	How    ir.How
}

// Result is the solution.
type Result struct {
	Prog      *link.Program
	Origins   *origin.Table
	Instances []Instance
	Objects   []Object
	Stats     Stats

	ctx     context.Context
	objOf   []ObjectID // by node
	slots   []int32    // by node: number of its set
	values  []int32    // registers of instances: number of their sets
	sets    []Set
	regs    [][]operand // by function: first slot of each register
	bodies  []*ir.Body  // by function: its code
	boxes   bool        // whether there are any
	globals map[link.GlobalID]int32
	funcs   map[link.FuncID]int32
}

// Stopped tells whether the result is not wanted any more. Whoever computes
// something long from it looks now and then, and stops.
func (r *Result) Stopped() bool { return r.ctx.Err() != nil }

// Stats count the work done.
type Stats struct {
	Nodes, Objects, Instances, Edges, Pops, Collapsed int
	NonEmpty, Elements, Largest                       int
}

// Object returns the object a node is a slot of, and the slot.
func (r *Result) Object(n Node) (ObjectID, int32) {
	o := r.objOf[n]
	return o, int32(n - r.Objects[o].Base)
}

// Nodes counts the nodes; those of objects are below it.
func (r *Result) Nodes() int { return len(r.objOf) }

// PointsTo returns what slot k of a value may point to, as seen in an
// instance; nothing in one of a function without code. The set must not be changed.
func (r *Result) PointsTo(inst InstID, v ir.Value, k int32) *Set {
	in := &r.Instances[inst]
	switch v.Kind() {
	case ir.ValueReg:
		if regs := r.regs[in.Func]; int(v.Reg()) >= len(regs) {
			break
		} else if o := regs[v.Reg()]; o != none {
			return &r.sets[r.values[in.Base+Node(o)+Node(k)]]
		}
	case ir.ValueGlobal:
		return r.GlobalNode(r.Prog.GlobalOf(in.Func, v.Global()))
	case ir.ValueFunc:
		if s, ok := r.funcs[r.Prog.Callee(in.Func, v.Func())]; ok {
			return &r.sets[s]
		}
	}
	return &emptySet
}

// GlobalNode returns the address of a global, as a set.
func (r *Result) GlobalNode(g link.GlobalID) *Set {
	if s, ok := r.globals[g]; ok {
		return &r.sets[s]
	}
	return &emptySet
}

// Offset moves an address by slots inside its object; ok is false if that
// leaves the object.
func (r *Result) Offset(n Node, by int32) (Node, bool) {
	o := &r.Objects[r.objOf[n]]
	m := n + Node(by)
	return m, m >= o.Base && m < o.Base+Node(o.Size)
}

// Content returns what a slot of memory may point to. The set must not be
// changed.
func (r *Result) Content(n Node) *Set { return &r.sets[r.slots[n]] }

// Leads tells whether a set has an address of an object.
func (r *Result) Leads(s *Set, id ObjectID) bool {
	if id == NoObject {
		return false
	}
	o := &r.Objects[id]
	return s.hasBetween(o.Base, o.Base+Node(o.Size))
}

// Boxes tells whether the program has interface values that are objects.
func (r *Result) Boxes() bool { return r.boxes }

// Body returns the code of an instance, or nil.
func (r *Result) Body(inst InstID) *ir.Body {
	return r.bodies[r.Instances[inst].Func]
}

var emptySet Set
