package ir

// Instr is one instruction. What Sub, Flags, Type and Aux mean depends on Op;
// the table in op.go says so for each and drives printing, parsing, checking
// and docs/ir.md.
type Instr struct {
	Op    Op
	Sub   uint8
	Flags Flags
	Dst   Reg // None if there is no result
	Type  TypeID
	Aux   int32
	Args  Span // of Body.Operands
}

// Flags modify an instruction. The bits from originShift on hold the
// OriginKind of a spawned call.
type Flags uint32

const (
	FlagOK        Flags = 1 << iota // also yields a bool: v, ok := …; the result is a tuple
	FlagVolatile                    // Java volatile (synchronises), C volatile (does not): the language's memory order is in Sub
	FlagTry                         // does not block; the result is a bool: whether it happened
	FlagReentrant                   // the holder may take the lock again
	FlagBlocking                    // a select without default; a trigger that only waits
	FlagMany                        // happens any number of times: a callback of a loop, a recurring event
	FlagGroup                       // Args[0] is the group, handle or executor the origin belongs to
	FlagSerial                      // origins of the same group exclude each other
	FlagDeep                        // reaches everything that is reachable from the operand
	FlagElems                       // concerns the elements (slice, array, map, container contents), not the header
	FlagUnsafe                      // reinterprets memory without the type system's consent
	FlagAll                         // wakes all waiters instead of one
	FlagMaybe                       // may happen or not: never a must-fact
	FlagModel                       // written by a model, not by a person: the position is the call's
)

// How says when a call happens (Sub of OpCall, OpInvoke, OpCallPtr).
type How uint8

const (
	Now      How = iota
	Deferred     // when the enclosing function runs its deferred calls
	Spawned      // in an origin of its own
)

// Mode is the mode of a lock operation (Sub of OpLock, OpUnlock).
type Mode uint8

const (
	Exclusive Mode = iota
	Shared
)

// Order is a memory order (Sub of OpLoad, OpStore, OpFence; for OpAtomic it is
// always sequentially consistent unless the Aux field says otherwise).
type Order uint8

const (
	Plain Order = iota
	Relaxed
	Acquire
	Release
	AcqRel
	SeqCst
)

// AtomicKind is the operation of an OpAtomic.
type AtomicKind uint8

const (
	AtomicLoad AtomicKind = iota
	AtomicStore
	AtomicSwap
	AtomicCAS
	AtomicAdd
	AtomicAnd
	AtomicOr
)

// Writes tells whether the operation may change memory.
func (k AtomicKind) Writes() bool { return k != AtomicLoad }

// GroupKind is the operation of an OpGroup.
type GroupKind uint8

const (
	GroupAdd GroupKind = iota
	GroupDone
	GroupWait
)

// AccessKind is the direction of an OpAccess.
type AccessKind uint8

const (
	AccessRead AccessKind = iota
	AccessWrite
)

// AllocKind tells where an OpAlloc takes its memory from. Only names and the
// initial guess of ownership depend on it: escape is the engines' business.
type AllocKind uint8

const (
	AllocHeap AllocKind = iota
	AllocStack
)

const originShift = 16

// Origin returns the kind of origin a spawned call starts.
func (f Flags) Origin() OriginKind { return OriginKind(f >> originShift) }

// WithOrigin returns f with the kind of origin set.
func (f Flags) WithOrigin(k OriginKind) Flags {
	return f&(1<<originShift-1) | Flags(k)<<originShift
}

// OriginKind is what starts an origin. It is part of the flags of a spawned
// call.
type OriginKind uint8

const (
	OriginThread  OriginKind = iota // goroutine, Thread.start, pthread_create
	OriginEvent                     // a handler called by a framework
	OriginTimer                     // runs when time has passed
	OriginSignal                    // runs when the system says so
	OriginCleanup                   // finalisers, cleanups, shutdown hooks
	OriginTest                      // started by a test framework
)

// SelectDir is the direction of a select case (the operands of OpSelect are
// triples of a direction constant, a channel and a value).
type SelectDir uint8

const (
	SelectRecv SelectDir = iota
	SelectSend
)
