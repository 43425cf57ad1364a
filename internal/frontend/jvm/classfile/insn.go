package classfile

import "math"

// Insn is an instruction with its operand resolved. Which fields are set
// depends on Op:
//
//	OpLdc                       Const, and Int, Text, Member or Dynamic by it
//	loads, stores               Local
//	OpIInc                      Local, Int (what is added)
//	ifs, OpGoto                 Target
//	switches                    Switch
//	field accesses, calls       Member
//	OpInvokeDynamic             Dynamic
//	OpNew, OpCheckCast,
//	OpInstanceOf                Text: internal name, or descriptor of an array
//	OpNewArray                  Text: descriptor of the elements, e.g. "I"
//	OpANewArray                 Text: the elements, as for OpNew
//	OpMultiANewArray            Text: descriptor of the array; Dims
//
// Of a constant, Int is the number or the bits of a float or double, Text the
// string, class or method type. For a method handle, Int is its HandleKind and
// Member what it refers to.
type Insn struct {
	PC      int32     // offset in Code.Bytes
	Target  int32     // index in Code.Insns
	Op      Op        // general form: never wide, nor a form with the local or constant in its name
	Raw     Op        // the opcode in the file; after wide, the one it widens
	Const   ConstKind // of OpLdc
	Dims    uint8     // dimensions to allocate
	Local   uint16
	Int     int64
	Text    string
	Member  *Member
	Dynamic *Dynamic
	Switch  *Switch
}

// Float returns the constant of an OpLdc of kind ConstFloat or ConstDouble.
func (i *Insn) Float() float64 {
	if i.Const == ConstFloat {
		return float64(math.Float32frombits(uint32(i.Int)))
	}
	return math.Float64frombits(uint64(i.Int))
}

// Switch has the cases of tableswitch and lookupswitch, keys ascending. Targets
// are indexes of Code.Insns.
type Switch struct {
	Default int32
	Keys    []int32
	Targets []int32 // for each key
}

// Ends reports whether control never goes on to the instruction behind.
func (o Op) Ends() bool {
	switch o {
	case OpGoto, OpGotoW, OpTableSwitch, OpLookupSwitch, OpAThrow, OpRet:
		return true
	}
	return o >= OpIReturn && o <= OpReturn
}
