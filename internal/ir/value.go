package ir

// Value is an operand: a register, a constant, the address of a global or a
// function. It is a tagged index, comparable with ==.
type Value uint32

// NoValue is an absent operand, as the upper bound in s[1:].
const NoValue Value = 1<<32 - 1

// ValueKind is the tag of a Value.
type ValueKind uint8

const (
	ValueReg ValueKind = iota
	ValueConst
	ValueGlobal
	ValueFunc
	ValueNone
)

const (
	valueTagShift = 29
	valueIndex    = 1<<valueTagShift - 1
)

func RegValue(r Reg) Value          { return Value(ValueReg)<<valueTagShift | Value(r) }
func ConstValue(c ConstID) Value    { return Value(ValueConst)<<valueTagShift | Value(c) }
func GlobalValue(g GlobalRef) Value { return Value(ValueGlobal)<<valueTagShift | Value(g) }
func FuncValue(f FuncRefID) Value   { return Value(ValueFunc)<<valueTagShift | Value(f) }

// Kind tells what v is.
func (v Value) Kind() ValueKind {
	if v == NoValue {
		return ValueNone
	}
	return ValueKind(v >> valueTagShift)
}

// Reg returns the register v names, or None.
func (v Value) Reg() Reg {
	if v.Kind() != ValueReg {
		return None
	}
	return Reg(v & valueIndex)
}

// Const returns the constant v names, or None.
func (v Value) Const() ConstID {
	if v.Kind() != ValueConst {
		return None
	}
	return ConstID(v & valueIndex)
}

// Global returns the global whose address v is, or None.
func (v Value) Global() GlobalRef {
	if v.Kind() != ValueGlobal {
		return None
	}
	return GlobalRef(v & valueIndex)
}

// Func returns the function v names, or None.
func (v Value) Func() FuncRefID {
	if v.Kind() != ValueFunc {
		return None
	}
	return FuncRefID(v & valueIndex)
}
