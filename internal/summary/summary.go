package summary

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// Summary is what a function does, for any caller. Paths in it begin with a
// parameter, a capture, a global or a result; everything else was dropped, since
// no caller can reach it. It is self-contained: names, not numbers of a Program.
type Summary struct {
	Key    string // symbol, with type arguments for an instance of a generic function
	Symbol string
	Name   string // for people
	Unit   string
	Flags  ir.FuncFlags
	Pos    Pos
	Names  []string // of parameters, for people
	Recv   string   // the named type of the receiver, "" if there is none

	Accesses    []Access
	Acquires    []Held // surely acquired at every return (L+)
	Releases    []Path // possibly released at a return (L-)
	Conditional []Conditional
	Returns     [][]Return // by result
	Stores      []Store
	Publishes   []int // parameters that may be known to other origins afterwards, sorted
	Callbacks   []Callback
	Evidence    []Evidence
	Onces       []Path     // globals whose onces run the function, which is not part of whoever triggers them
	Calls       []CallSite // direct calls of methods on a receiver that the caller can name
	Signals     bool       // may let other origins know how far it is, other than by a lock
	Waits       bool       // may learn how far other origins are, other than by a lock
	Truncated   bool       // something was left out because a bound was reached
}

// Access is a guarded access (RELAY, section 3.3; RacerD's access snapshot,
// section 5.2.4).
type Access struct {
	Path     Path
	Kind     AccessKind
	Locks    []Held // L+ where it happens; elements are relative to Path (see otherElem)
	Released []Path // L- where it happens
	Shared   bool   // even if the caller owns the root: it was published before
	Flags    AccessFlags
	After    []string // functions that lock, were surely called before and are over, sorted
	Before   []Pos    // spawns on the way that have surely not happened yet
	Origin   *Spawn   // set if it runs in an origin that the function starts
	Chain    *Frame   // from this function down to the access

	passed []Path // locks taken and given back before, on every way; only while the function is summarised
}

// OwnedIf returns the parameter whose ownership makes the access owned
// (RacerD, section 5.2.3), or -1. An access through several possible roots is
// several accesses, one for each, so that one parameter is enough.
func (a *Access) OwnedIf(t *Paths) int {
	if r := t.Last(t.Base(a.Path)); r.Kind == Param && !a.Shared {
		return int(r.N)
	}
	return -1
}

// AccessKind is what an access does.
type AccessKind uint8

const (
	Read AccessKind = iota
	Write
	AtomicRead
	AtomicWrite
)

// Writes tells whether the access may change memory.
func (k AccessKind) Writes() bool { return k == Write || k == AtomicWrite }

// Atomic tells whether the access is indivisible.
func (k AccessKind) Atomic() bool { return k >= AtomicRead }

// AccessFlags are circumstances that make a conflict less or more likely.
type AccessFlags uint32

const (
	// Modelled accesses are made by a library, as its model says.
	Modelled AccessFlags = 1 << iota
	// MayHold: it runs where a lock is held on some ways but not all.
	MayHold
	// Waited: the function surely waited for another origin before.
	Waited
	// BeforeSpawn: the function goes on to start an origin with the same object.
	BeforeSpawn
	// Copied: a whole struct was copied.
	Copied
	// Removed: the object was taken out of a container before.
	Removed
	// ViaElem: the path goes through an element of a container.
	ViaElem
	// Dispatched: some call on the way was resolved by type alone.
	Dispatched
	// Deferred: made by a deferred call that may not run.
	Deferred
	// AfterAtomic: the function surely loaded something of the same object
	// atomically before.
	AfterAtomic
	// EntryCopy: the caller of a method copied the receiver.
	EntryCopy
	// WaitsBefore: on some way the origin learnt before how far others are, by a
	// channel, an atomic or by waiting.
	WaitsBefore
	// SignalsAfter: on some way the origin goes on to let others know how far it is.
	SignalsAfter
	// Lazy: a read after a critical section, in the function that makes the value
	// in it where it is missing.
	Lazy
	// Sometimes: a write that the function may do without.
	Sometimes
	// Updates: a write of a value that was made from what was there.
	Updates
)

// doubts are the circumstances that speak against a conflict.
const doubts = Sometimes - 1

// Held is a lock with its mode. Once locks stand for the order that a once
// gives: its body holds it exclusively, whoever comes after it holds it shared.
type Held struct {
	Path  Path
	Mode  ir.Mode
	Once  bool
	Depth int8 // times taken, for re-entrant locks
	Pos   Pos  // where it was taken
}

// Conditional is a lock effect that depends on a result (RELAY, section 4.2:
// conditional locking).
type Conditional struct {
	Result   int
	When     Outcome
	Acquires []Held
}

// Outcome is what a caller can find out about a result by testing it.
type Outcome uint8

const (
	Unknown Outcome = iota
	True
	False
	Nil
	NonNil
)

func (o Outcome) String() string {
	return [...]string{"unknown", "true", "false", "nil", "non-nil"}[o]
}

// Return is one thing a result may be.
type Return struct {
	Fresh    bool   // memory that the function made and let nobody know of
	Known    bool   // memory that the function made and let others know of
	Path     Path   // an alias, or NoPath
	Closure  string // the key of a function, with Captures
	Captures []Path // over the function's own roots; NoPath where unknown
}

// Store says that a value reachable from the roots was put somewhere reachable
// from the roots.
type Store struct{ Place, Value Path }

// Callback is a call of a function value that the caller passed in.
type Callback struct {
	Path     Path
	Locks    []Held
	Released []Path
	Pos      Pos
	Spawned  bool
	Once     Path // the once that guards it, or NoPath
}

// CallSite notes whether a lock of the receiver was held at a call.
type CallSite struct {
	Callee string // symbol
	Locked bool
	Owned  bool // the receiver was owned
}

// EvidenceKind is why code is thought to run concurrently.
type EvidenceKind uint8

const (
	UsesLock EvidenceKind = iota
	UsesAtomic
	StartsOrigin
	Documented
	Handler
	UsesOnce
)

func (k EvidenceKind) String() string {
	return [...]string{"lock", "atomic", "spawn", "documentation", "handler", "once"}[k]
}

// Evidence is a sign that objects of a type are used by several origins
// (RacerD, section 5.2.2).
type Evidence struct {
	Kind  EvidenceKind
	Owner string // the type, or the symbol of a global
	Field string // the lock or atomic field
	Pos   Pos
}

// Spawn is where an origin begins.
type Spawn struct {
	Func string // name of the function that starts it
	Pos  Pos
	Kind ir.OriginKind
	Many bool
}

// Frame is one step of a chain of calls.
type Frame struct {
	Symbol string
	Name   string
	Unit   string
	Pos    Pos
	Next   *Frame
	depth  int32 // frames from here on
}

// Last returns the frame of the access itself.
func (f *Frame) Last() *Frame {
	for f.Next != nil {
		f = f.Next
	}
	return f
}

// Depth returns the number of frames.
func (f *Frame) Depth() int {
	if f == nil {
		return 0
	}
	return int(f.depth)
}

// Pos is a source range with its file.
type Pos struct {
	File                       string
	Line, Col, EndLine, EndCol int32
}

// IsValid tells whether p names a place.
func (p Pos) IsValid() bool { return p.Line > 0 }
