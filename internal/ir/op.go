package ir

// Op is an operation code.
type Op uint8

const (
	OpInvalid Op = iota

	// Values.
	OpPhi
	OpCopy
	OpBinary
	OpUnary
	OpConvert
	OpCast
	OpLen
	OpCap
	OpExtract
	OpElement

	// Memory.
	OpAlloc
	OpField
	OpIndex
	OpOffset
	OpLoad
	OpStore
	OpCopyRange
	OpSetRange

	// Containers.
	OpMakeSlice
	OpSlice
	OpAppend
	OpMakeMap
	OpMapGet
	OpMapSet
	OpMapDelete
	OpMapClear
	OpRange
	OpNext
	OpMakeChan

	// Functions and dynamic types.
	OpClosure
	OpBox
	OpAssert
	OpCall
	OpInvoke
	OpCallPtr
	OpRunDefers
	OpRecover
	OpCatch
	OpTrigger

	// Synchronisation.
	OpLock
	OpUnlock
	OpAtomic
	OpFence
	OpSend
	OpRecv
	OpClose
	OpSelect
	OpCondWait
	OpNotify
	OpGroup
	OpOnce
	OpJoin
	OpPost
	OpAwait
	OpAccess

	// Terminators.
	OpJump
	OpIf
	OpSwitch
	OpReturn
	OpThrow
	OpUnreachable

	numOps
)

// AuxKind says what the Aux field of an instruction holds.
type AuxKind uint8

const (
	AuxNone   AuxKind = iota // always 0
	AuxField                 // FieldID
	AuxFunc                  // FuncRefID
	AuxMethod                // MethodID
	AuxIndex                 // a small number: tuple or element index
	AuxOrder                 // Order
	AuxName                  // ConstID of a constant of the basic type string that holds a source name, or None
)

// ResultRule says whether an instruction has a result.
type ResultRule uint8

const (
	NoResult ResultRule = iota
	HasResult
	MayResult
)

// OpInfo describes an operation: everything the printer, the parser, the
// checker and the reference in docs/ir.md need to know.
type OpInfo struct {
	Name    string
	Result  ResultRule
	Typed   bool // the Type field is used
	Aux     AuxKind
	MinArgs int
	MaxArgs int // < 0: any number
	Sub     []string
	Flags   Flags // those allowed
	Term    bool

	Meaning string
	Effect  string // on memory, locks and origins; empty means none
	At      string // what the position points to
	Example string // printed form
}

// Info returns the description of an operation.
func (op Op) Info() *OpInfo { return &opTable[op] }

// IsTerm tells whether the operation ends a block.
func (op Op) IsTerm() bool { return opTable[op].Term }

func (op Op) String() string { return opTable[op].Name }

var (
	howNames    = []string{"now", "defer", "spawn"}
	modeNames   = []string{"excl", "shared"}
	orderNames  = []string{"plain", "relaxed", "acquire", "release", "acqrel", "seqcst"}
	atomicNames = []string{"load", "store", "swap", "cas", "add", "and", "or"}
	groupNames  = []string{"add", "done", "wait"}
	accessNames = []string{"read", "write"}
	allocNames  = []string{"heap", "stack"}
	originNames = []string{"thread", "event", "timer", "signal", "cleanup", "test"}

	binaryNames = []string{"add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "andnot", "eq", "ne", "lt", "le", "gt", "ge", "cmp"}
	unaryNames  = []string{"neg", "not", "compl"}
)

// BinaryKind is the operator of an OpBinary.
type BinaryKind uint8

const (
	BinAdd BinaryKind = iota
	BinSub
	BinMul
	BinDiv
	BinRem
	BinAnd
	BinOr
	BinXor
	BinShl
	BinShr
	BinAndNot
	BinEq
	BinNe
	BinLt
	BinLe
	BinGt
	BinGe
	BinCmp // three-way
)

// UnaryKind is the operator of an OpUnary.
type UnaryKind uint8

const (
	UnNeg UnaryKind = iota
	UnNot
	UnCompl
)

const callFlags = FlagMany | FlagGroup | FlagSerial | FlagMaybe | FlagModel

var opTable = [numOps]OpInfo{
	OpInvalid: {Name: "invalid"},

	OpPhi: {Name: "phi", Result: HasResult, Typed: true, MaxArgs: -1,
		Meaning: "Selects the operand that belongs to the predecessor control came from.",
		At:      "the variable, where there is one", Example: "v4 = phi int v1, v3"},
	OpCopy: {Name: "copy", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "The operand unchanged, possibly under another name for the same type structure.",
		At:      "the conversion or assignment", Example: "v4 = copy T v1"},
	OpBinary: {Name: "binary", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2, Sub: binaryNames,
		Meaning: "A pure computation on two values.",
		At:      "the operator", Example: "v4 = binary.add int v1, v2"},
	OpUnary: {Name: "unary", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Sub: unaryNames,
		Meaning: "A pure computation on one value.",
		At:      "the operator", Example: "v4 = unary.not bool v1"},
	OpConvert: {Name: "convert", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "A new value made from the operand: numeric conversions, string to slice and back.",
		Effect:  "From a slice: reads its elements. To a slice: allocates.",
		At:      "the conversion", Example: "v4 = convert []byte v1"},
	OpCast: {Name: "cast", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Flags: FlagUnsafe,
		Meaning: "The same address seen as another type. With unsafe, the type system did not agree to it.",
		At:      "the conversion", Example: "v4 = cast[unsafe] *T v1"},
	OpLen: {Name: "len", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "Number of elements of a slice, string, array, map or channel.",
		Effect:  "Of a map: reads its shape. Of a channel: nothing, and orders nothing.",
		At:      "the call", Example: "v4 = len int v1"},
	OpCap: {Name: "cap", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "Capacity of a slice, array or channel.",
		At:      "the call", Example: "v4 = cap int v1"},
	OpExtract: {Name: "extract", Result: HasResult, Typed: true, Aux: AuxIndex, MinArgs: 1, MaxArgs: 1,
		Meaning: "One component of a tuple, or one field of a struct held in a register, by position.",
		At:      "the selector or assignment", Example: "v4 = extract int #1 v3"},
	OpElement: {Name: "element", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2,
		Meaning: "One element of an array or string held in a register.",
		At:      "the index expression", Example: "v4 = element byte v1, v2"},

	OpAlloc: {Name: "alloc", Result: HasResult, Typed: true, Aux: AuxName, MaxArgs: 1, Sub: allocNames, Flags: FlagModel,
		Meaning: "Address of a new zeroed cell of the type. The optional operand is a length, for arrays of unknown size.",
		Effect:  "Creates an object at each execution. The initial zeroing is no access.",
		At:      "the declaration, composite literal or new", Example: "v4 = alloc.heap T \"x\""},
	OpField: {Name: "field", Result: HasResult, Typed: true, Aux: AuxField, MinArgs: 1, MaxArgs: 1,
		Meaning: "Address of a field of the struct the operand points to. The type is the address's.",
		At:      "the selector", Example: "v4 = field *int T.n v1"},
	OpIndex: {Name: "index", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2,
		Meaning: "Address of an element of a slice, or of the array the operand points to. The type is the address's.",
		At:      "the index expression", Example: "v4 = index *int v1, v2"},
	OpOffset: {Name: "offset", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2,
		Meaning: "Address moved by a number of bytes, which may be negative; a register or undef means any.",
		At:      "the expression", Example: "v4 = offset *T v1, -8:int"},
	OpLoad: {Name: "load", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Sub: orderNames, Flags: FlagVolatile | FlagModel,
		Meaning: "The value at an address.",
		Effect:  "Reads every cell of the type at the address. A memory order other than plain makes it atomic.",
		At:      "the expression", Example: "v4 = load int v1"},
	OpStore: {Name: "store", Typed: true, MinArgs: 2, MaxArgs: 2, Sub: orderNames, Flags: FlagVolatile | FlagModel,
		Meaning: "Puts the second operand at the address that is the first.",
		Effect:  "Writes every cell of the type at the address. A memory order other than plain makes it atomic.",
		At:      "the left side", Example: "store int v1, v2"},
	OpCopyRange: {Name: "copyrange", Result: MayResult, Typed: true, MinArgs: 2, MaxArgs: 3, Flags: FlagModel,
		Meaning: "Copies elements of the type from the second operand to the first (slices, addresses or a string); the third, if present, is how many. The result is the number copied.",
		Effect:  "Reads the elements of the source, writes those of the destination.",
		At:      "the call", Example: "v4 = copyrange byte v1, v2"},
	OpSetRange: {Name: "setrange", Typed: true, MinArgs: 2, MaxArgs: 3, Flags: FlagModel,
		Meaning: "Sets elements of the type at the first operand to the second; the third, if present, is how many.",
		Effect:  "Writes the elements.",
		At:      "the call", Example: "setrange byte v1, 0:byte, v3"},

	OpMakeSlice: {Name: "makeslice", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2,
		Meaning: "A slice of a new array, with length and capacity.",
		Effect:  "Creates an object at each execution.",
		At:      "the call", Example: "v4 = makeslice []int v1, v2"},
	OpSlice: {Name: "slice", Result: HasResult, Typed: true, MinArgs: 4, MaxArgs: 4,
		Meaning: "Part of a slice, string or array (by address): operand, low, high, max; the bounds may be absent.",
		At:      "the slice expression", Example: "v4 = slice []int v1, v2, _, _"},
	OpAppend: {Name: "append", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2,
		Meaning: "The first slice followed by the elements of the second (a slice or string), in the old array or a new one.",
		Effect:  "Reads the elements of both; may write elements of the old array beyond its length; may create an object.",
		At:      "the call", Example: "v4 = append []int v1, v2"},
	OpMakeMap: {Name: "makemap", Result: HasResult, Typed: true, MaxArgs: 1,
		Meaning: "A new empty map.", Effect: "Creates an object at each execution.",
		At: "the call or literal", Example: "v4 = makemap map[string]int"},
	OpMapGet: {Name: "mapget", Result: HasResult, Typed: true, MinArgs: 2, MaxArgs: 2, Flags: FlagOK,
		Meaning: "The value of a key, or zero.", Effect: "Reads the map's shape and contents.",
		At: "the index expression", Example: "v4 = mapget[ok] (int, bool) v1, v2"},
	OpMapSet: {Name: "mapset", MinArgs: 3, MaxArgs: 3,
		Meaning: "Gives a key a value: map, key, value.", Effect: "Writes the map's shape and contents.",
		At: "the index expression", Example: "mapset v1, v2, v3"},
	OpMapDelete: {Name: "mapdelete", MinArgs: 2, MaxArgs: 2,
		Meaning: "Removes a key.", Effect: "Writes the map's shape.",
		At: "the call", Example: "mapdelete v1, v2"},
	OpMapClear: {Name: "mapclear", MinArgs: 1, MaxArgs: 1,
		Meaning: "Removes all keys.", Effect: "Writes the map's shape.",
		At: "the call", Example: "mapclear v1"},
	OpRange: {Name: "range", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "An iterator over a map or string. The type is that of the operand.",
		Effect:  "Over a map: reads its shape.",
		At:      "the range expression", Example: "v4 = range map[string]int v1"},
	OpNext: {Name: "next", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "The next (ok, key, value) of an iterator.",
		Effect:  "Over a map: reads its shape and contents.",
		At:      "the range statement", Example: "v5 = next (bool, string, int) v4"},
	OpMakeChan: {Name: "makechan", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "A new channel with a buffer of the given capacity.",
		Effect:  "Creates an object at each execution.",
		At:      "the call", Example: "v4 = makechan chan int 0:int"},

	OpClosure: {Name: "closure", Result: HasResult, Typed: true, Aux: AuxFunc, MaxArgs: -1,
		Meaning: "A function value that binds the operands as captures.",
		Effect:  "Creates an object that holds the captures.",
		At:      "the func keyword or method value", Example: "v4 = closure func() @main.f$1 v1, v2"},
	OpBox: {Name: "box", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Flags: FlagModel,
		Meaning: "An interface value of the type, whose dynamic type is the operand's.",
		Effect:  "Creates an immutable object that holds the operand.",
		At:      "the expression", Example: "v4 = box error v1"},
	OpAssert: {Name: "assert", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Flags: FlagOK,
		Meaning: "The operand if its dynamic type is the given one, or implements the given interface; else it throws, or with ok yields zero and false. With ok the type is the tuple's.",
		At:      "the assertion or type switch case", Example: "v4 = assert[ok] (T, bool) v1"},
	OpCall: {Name: "call", Result: MayResult, Typed: true, Aux: AuxFunc, MaxArgs: -1, Sub: howNames, Flags: callFlags,
		Meaning: "Calls a known function. The type is that of the result (a tuple if there are several).",
		Effect:  "The callee's. Spawned: starts an origin; the operands are evaluated before it starts. Deferred: the operands are evaluated now, the call happens at rundefers.",
		At:      "the opening parenthesis", Example: "v4 = call int @main.f(v1, v2)"},
	OpInvoke: {Name: "invoke", Result: MayResult, Typed: true, Aux: AuxMethod, MinArgs: 1, MaxArgs: -1, Sub: howNames, Flags: callFlags,
		Meaning: "Calls a method found by the dynamic type of the first operand (the second with group).",
		Effect:  "As for call.",
		At:      "the opening parenthesis", Example: "spawn invoke () v1.Close()"},
	OpCallPtr: {Name: "callptr", Result: MayResult, Typed: true, MinArgs: 1, MaxArgs: -1, Sub: howNames, Flags: callFlags,
		Meaning: "Calls the function value that is the first operand (the second with group).",
		Effect:  "As for call.",
		At:      "the opening parenthesis", Example: "defer callptr () v1(v2)"},
	OpRunDefers: {Name: "rundefers",
		Meaning: "Runs the deferred calls of this activation, last first, that are still in the list.",
		Effect:  "Theirs.",
		At:      "the return", Example: "rundefers"},
	OpRecover: {Name: "recover", Result: HasResult, Typed: true,
		Meaning: "Stops a panic and yields its value, or nil.",
		At:      "the call", Example: "v4 = recover any"},
	OpCatch: {Name: "catch", Result: HasResult, Typed: true,
		Meaning: "The thrown value; first instruction of a handler block.",
		At:      "the catch clause", Example: "v4 = catch *Exception"},
	OpTrigger: {Name: "trigger", Typed: true, Flags: FlagBlocking,
		Meaning: "Initialises the class, if no one has: its initialiser runs once, before any trigger of it returns. Blocking: waits for the initialiser, which another trigger runs.",
		Effect:  "The initialiser's.",
		At:      "the expression that needs the class", Example: "trigger C"},

	OpLock: {Name: "lock", Result: MayResult, MinArgs: 1, MaxArgs: 1, Sub: modeNames, Flags: FlagTry | FlagReentrant | FlagMaybe | FlagModel,
		Meaning: "Takes the lock at an address. With try it does not wait, and the result tells whether it was taken.",
		Effect:  "The lock is held until unlock.",
		At:      "the call", Example: "lock.excl v1"},
	OpUnlock: {Name: "unlock", MinArgs: 1, MaxArgs: 1, Sub: modeNames, Flags: FlagReentrant | FlagMaybe | FlagModel,
		Meaning: "Gives the lock at an address back.",
		Effect:  "Whoever takes the lock next sees what was done before.",
		At:      "the call", Example: "unlock.excl v1"},
	OpAtomic: {Name: "atomic", Result: MayResult, Typed: true, Aux: AuxOrder, MinArgs: 1, MaxArgs: 3, Sub: atomicNames, Flags: FlagModel,
		Meaning: "An indivisible operation on the cell of the type at an address. cas takes old and new and yields a bool.",
		Effect:  "Reads, writes or both, atomically; orders as the memory order says.",
		At:      "the call", Example: "v4 = atomic.add int32 seqcst v1, 1:int32"},
	OpFence: {Name: "fence", Sub: orderNames, Flags: FlagModel,
		Meaning: "Orders the accesses around it.",
		At:      "the call", Example: "fence.seqcst"},
	OpSend: {Name: "send", MinArgs: 2, MaxArgs: 2, Flags: FlagModel,
		Meaning: "Sends the second operand on the channel.",
		Effect:  "Happens before the receive that takes it completes; without a buffer, also after that receive begins.",
		At:      "the arrow", Example: "send v1, v2"},
	OpRecv: {Name: "recv", Result: HasResult, Typed: true, MinArgs: 1, MaxArgs: 1, Flags: FlagOK | FlagModel,
		Meaning: "Receives from the channel.",
		Effect:  "As for send; a closed channel yields zero after everything before the close.",
		At:      "the arrow", Example: "v4 = recv[ok] (int, bool) v1"},
	OpClose: {Name: "close", MinArgs: 1, MaxArgs: 1, Flags: FlagModel,
		Meaning: "Closes the channel.",
		Effect:  "Happens before every receive that returns because of it.",
		At:      "the call", Example: "close v1"},
	OpSelect: {Name: "select", Result: HasResult, Typed: true, MaxArgs: -1, Flags: FlagBlocking,
		Meaning: "Does one of several channel operations. Operands are triples: 0 (receive) or 1 (send), the channel, the value sent or none. The result is the tuple (chosen index, ok, values received in order).",
		Effect:  "That of the chosen operation.",
		At:      "the select statement", Example: "v4 = select[blocking] (int, bool, int) 0:int, v1, _"},
	OpCondWait: {Name: "condwait", MinArgs: 1, MaxArgs: 2, Flags: FlagModel,
		Meaning: "Waits on a condition variable; the second operand is its lock, where it is known.",
		Effect:  "Releases the lock and takes it again before it returns. Orders nothing by itself.",
		At:      "the call", Example: "condwait v1, v2"},
	OpNotify: {Name: "notify", MinArgs: 1, MaxArgs: 1, Flags: FlagAll | FlagModel,
		Meaning: "Wakes those who wait on a condition variable.",
		At:      "the call", Example: "notify[all] v1"},
	OpGroup: {Name: "group", MinArgs: 1, MaxArgs: 2, Sub: groupNames, Flags: FlagModel,
		Meaning: "Counts work to wait for: add (with a count), done, wait.",
		Effect:  "Everything before the dones that bring the count to zero happens before wait returns.",
		At:      "the call", Example: "group.add v1, 1:int"},
	OpOnce: {Name: "once", Result: MayResult, Typed: true, MinArgs: 2, MaxArgs: 2, Flags: FlagModel,
		Meaning: "Calls the function value that is the second operand unless the once that is the first has been used; without function it waits for that call.",
		Effect:  "The call happens at most once and is complete when any once on the same object returns.",
		At:      "the call", Example: "once () v1, v2"},
	OpJoin: {Name: "join", MinArgs: 1, MaxArgs: 1, Flags: FlagMaybe | FlagModel,
		Meaning: "Waits until the origin the handle stands for has ended.",
		Effect:  "Everything that origin did happens before.",
		At:      "the call", Example: "join v1"},
	OpPost: {Name: "post", MinArgs: 1, MaxArgs: 1, Flags: FlagModel,
		Meaning: "Signals through an object: cancel, complete, release a permit.",
		Effect:  "Happens before an await on the same object that it lets pass.",
		At:      "the call", Example: "post v1"},
	OpAwait: {Name: "await", MinArgs: 1, MaxArgs: 1, Flags: FlagModel | FlagMaybe | FlagAll,
		Meaning: "Waits for a signal through an object; with all, through every object the operand may be.",
		At:      "the call", Example: "await v1"},
	OpAccess: {Name: "access", MinArgs: 1, MaxArgs: 1, Sub: accessNames, Flags: FlagDeep | FlagElems | FlagModel | FlagMaybe,
		Meaning: "Code that is not analysed reads or writes what the operand points to.",
		Effect:  "Reads or writes the pointed-to cells; with elems the elements; with deep everything reachable.",
		At:      "the call", Example: "access.read[deep] v1"},

	OpJump: {Name: "jump", Term: true,
		Meaning: "Goes on with the only successor.", At: "the statement", Example: "jump b2"},
	OpIf: {Name: "if", Term: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "Goes on with the first successor if the operand is true, else with the second.",
		At:      "the condition", Example: "if v1 b2 b3"},
	OpSwitch: {Name: "switch", Term: true, MinArgs: 1, MaxArgs: -1,
		Meaning: "Goes on with the successor of the constant that equals the first operand, else with the last.",
		At:      "the statement", Example: "switch v1, 0:int, 1:int b2 b3 b4"},
	OpReturn: {Name: "ret", Term: true, MaxArgs: -1,
		Meaning: "Ends the function with results.", At: "the return", Example: "ret v1, v2"},
	OpThrow: {Name: "throw", Term: true, MinArgs: 1, MaxArgs: 1,
		Meaning: "Panics or throws: control goes to the block's handlers, to deferred calls, or to the caller.",
		At:      "the call or statement", Example: "throw v1"},
	OpUnreachable: {Name: "unreachable", Term: true,
		Meaning: "Control never gets here.", At: "nothing", Example: "unreachable"},
}
