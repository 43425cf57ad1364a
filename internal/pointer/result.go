package pointer

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// Node is a register slot of an instance or a slot of an object. An address is
// the node of the slot it leads to.
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
)

func (k ObjectKind) String() string {
	return [...]string{"global", "heap", "array", "map", "channel", "function", "interface value"}[k]
}

// Object is an abstract piece of memory.
type Object struct {
	Kind   ObjectKind
	Base   Node
	Size   int32
	Type   link.TypeID // of the content; element type for arrays
	Site   origin.Site // unset for globals and plain functions
	Inst   InstID      // that executes Site, or -1
	Origin origin.ID
	Global link.GlobalID
	Func   link.FuncID
}

// Instance is a function as run in one origin.
type Instance struct {
	Func   link.FuncID
	Origin origin.ID
	Via    origin.Site // the call that runs it, if it is a wrapper
	Base   Node
	Calls  []Edge // sorted by instruction, then target
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

	s *solver
}

// Stats count the work done.
type Stats struct {
	Nodes, Objects, Instances, Edges, Pops, Collapsed int
	NonEmpty, Elements, Largest                       int
}

// Object returns the object a node is a slot of, and the slot.
func (r *Result) Object(n Node) (ObjectID, int32) {
	o := r.s.objOf[n]
	if o == NoObject {
		return NoObject, 0
	}
	return o, int32(n - r.s.objects[o].Base)
}

// PointsTo returns what slot k of a value may point to, as seen in an
// instance. The set must not be changed.
func (r *Result) PointsTo(inst InstID, v ir.Value, k int32) *Set {
	in := &r.Instances[inst]
	switch v.Kind() {
	case ir.ValueReg:
		t := r.s.templates[in.Func]
		o := t.regs[v.Reg()]
		if o == none {
			return &emptySet
		}
		return &r.s.pts[r.s.find(in.Base+Node(o)+Node(k))]
	case ir.ValueGlobal:
		return &r.s.pts[r.s.find(r.s.globalAddr(r.Prog.GlobalOf(in.Func, v.Global())))]
	case ir.ValueFunc:
		return &r.s.pts[r.s.find(r.s.funcAddr(r.Prog.Callee(in.Func, v.Func())))]
	}
	return &emptySet
}

// GlobalNode returns the address of a global, as a set.
func (r *Result) GlobalNode(g link.GlobalID) *Set { return &r.s.pts[r.s.find(r.s.globalAddr(g))] }

// Offset moves an address by slots inside its object; ok is false if that
// leaves the object.
func (r *Result) Offset(n Node, by int32) (Node, bool) { return r.s.offset(n, by) }

// Content returns what a slot of memory may point to. The set must not be
// changed.
func (r *Result) Content(n Node) *Set { return &r.s.pts[r.s.find(n)] }

// Body returns the code of an instance, or nil.
func (r *Result) Body(inst InstID) *ir.Body {
	return r.Prog.Body(r.Instances[inst].Func)
}

var emptySet Set
