package ir

// Func is the header of a function defined in a unit.
type Func struct {
	Symbol     string
	Name       string // as a person would write it: "(*Server).Serve", "main.func1"
	Sig        TypeID // a Func type; for methods the receiver is the first parameter
	TypeParams []string
	Parent     FuncID // the function whose text encloses this one, or None
	Flags      FuncFlags
	Pos        Pos // of the name, or of the keyword for anonymous functions
	End        Pos // of the closing brace

	body    *Body
	encoded []byte // the body's binary form, while it has not been decoded
}

// FuncFlags describe a Func.
type FuncFlags uint16

const (
	FuncExported    FuncFlags = 1 << iota // callable by name from other units
	FuncMethod                            // the first parameter is a receiver
	FuncSynthetic                         // written by the front end, not by a person
	FuncShared                            // several units may define it alike (wrappers, linkonce); any one is kept
	FuncExternal                          // has no body here: assembly, C, native
	FuncInit                              // an initialiser: runs before main, once
	FuncReentrant                         // Java synchronized: the lock is taken by the body's own instructions
	FuncConcurrent                        // its documentation says that it may be called concurrently
	FuncTest                              // a test, benchmark, fuzz target or example entry
	FuncConstructor                       // a method that completes a new object before others get it
	FuncPublic                            // of exported ones: callable from outside of the package, where that makes a difference
)

// Body is the code of a function. Registers 0 to Params-1 are the parameters,
// the next Captures registers are the captured values of a closure.
type Body struct {
	Params   int32
	Captures int32
	Regs     []RegInfo
	Blocks   []Block // Blocks[0] is the entry
	Edges    []BlockID
	Instrs   []Instr
	Operands []Value
	Pos      []Pos   // parallel to Instrs
	Recover  BlockID // entered when a deferred call stops a panic, or None; sees what the entry block defines
}

// RegInfo describes a register. Each is assigned once; parameters and captures
// are assigned at entry.
type RegInfo struct {
	Type TypeID
	Name string // the source variable, where there is one
}

// Span is a range of a slice of the same Body.
type Span struct{ Off, Len int32 }

// Block is a run of instructions entered at its first. Its last instruction, and
// no other, is a terminator. Blocks follow each other in Instrs.
//
// Preds lists normal predecessors first and exceptional ones after them; the
// operands of a phi follow that order. Handlers are the exceptional successors:
// control may reach them from any instruction of the block, so what they see is
// the state before the instruction that threw, and a value that flows along
// such an edge must be defined before the block begins, or be one of its phis.
type Block struct {
	First, End int32 // Instrs[First:End]
	Succs      Span  // of Edges
	Preds      Span  // of Edges
	Handlers   Span  // of Edges
}

func (b *Body) Succs(id BlockID) []BlockID    { return b.edges(b.Blocks[id].Succs) }
func (b *Body) Preds(id BlockID) []BlockID    { return b.edges(b.Blocks[id].Preds) }
func (b *Body) Handlers(id BlockID) []BlockID { return b.edges(b.Blocks[id].Handlers) }

func (b *Body) edges(s Span) []BlockID { return b.Edges[s.Off : s.Off+s.Len : s.Off+s.Len] }

// BlockOf returns the block an instruction belongs to: blocks follow each other
// in the order of their instructions.
func (b *Body) BlockOf(instr int32) BlockID {
	lo, hi := 0, len(b.Blocks)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if b.Blocks[mid].End <= instr {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return BlockID(lo)
}

// Args returns the operands of an instruction.
func (b *Body) Args(in *Instr) []Value {
	return b.Operands[in.Args.Off : in.Args.Off+in.Args.Len : in.Args.Off+in.Args.Len]
}

// Body returns the code of a function, decoding it if need be, or nil if it
// has none. It does not keep what it decodes: callers that ask again and again
// should.
func (u *Unit) Body(id FuncID) (*Body, error) {
	f := &u.Funcs[id]
	if f.body != nil || f.encoded == nil {
		return f.body, nil
	}
	return u.decodeBody(id)
}

// SetBody gives a function its code.
func (f *Func) SetBody(b *Body) { f.body, f.encoded = b, nil }

// HasBody tells whether the function has code, decoded or not.
func (f *Func) HasBody() bool { return f.body != nil || f.encoded != nil }

// Pos is a source range. Lines and columns count from 1, columns in bytes; the
// zero Pos means that no source corresponds.
type Pos struct {
	File    FileID
	Line    int32
	Col     int32
	EndLine int32
	EndCol  int32
}

// IsValid tells whether p names a place in the source.
func (p Pos) IsValid() bool { return p.Line > 0 }
