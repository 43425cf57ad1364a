package classfile

import "fmt"

// Op is an opcode (JVMS chapter 6).
type Op uint8

const (
	OpNop Op = iota
	OpAConstNull
	OpIConstM1
	OpIConst0
	OpIConst1
	OpIConst2
	OpIConst3
	OpIConst4
	OpIConst5
	OpLConst0
	OpLConst1
	OpFConst0
	OpFConst1
	OpFConst2
	OpDConst0
	OpDConst1
	OpBIPush
	OpSIPush
	OpLdc
	OpLdcW
	OpLdc2W
	OpILoad
	OpLLoad
	OpFLoad
	OpDLoad
	OpALoad
	OpILoad0
	OpILoad1
	OpILoad2
	OpILoad3
	OpLLoad0
	OpLLoad1
	OpLLoad2
	OpLLoad3
	OpFLoad0
	OpFLoad1
	OpFLoad2
	OpFLoad3
	OpDLoad0
	OpDLoad1
	OpDLoad2
	OpDLoad3
	OpALoad0
	OpALoad1
	OpALoad2
	OpALoad3
	OpIALoad
	OpLALoad
	OpFALoad
	OpDALoad
	OpAALoad
	OpBALoad
	OpCALoad
	OpSALoad
	OpIStore
	OpLStore
	OpFStore
	OpDStore
	OpAStore
	OpIStore0
	OpIStore1
	OpIStore2
	OpIStore3
	OpLStore0
	OpLStore1
	OpLStore2
	OpLStore3
	OpFStore0
	OpFStore1
	OpFStore2
	OpFStore3
	OpDStore0
	OpDStore1
	OpDStore2
	OpDStore3
	OpAStore0
	OpAStore1
	OpAStore2
	OpAStore3
	OpIAStore
	OpLAStore
	OpFAStore
	OpDAStore
	OpAAStore
	OpBAStore
	OpCAStore
	OpSAStore
	OpPop
	OpPop2
	OpDup
	OpDupX1
	OpDupX2
	OpDup2
	OpDup2X1
	OpDup2X2
	OpSwap
	OpIAdd
	OpLAdd
	OpFAdd
	OpDAdd
	OpISub
	OpLSub
	OpFSub
	OpDSub
	OpIMul
	OpLMul
	OpFMul
	OpDMul
	OpIDiv
	OpLDiv
	OpFDiv
	OpDDiv
	OpIRem
	OpLRem
	OpFRem
	OpDRem
	OpINeg
	OpLNeg
	OpFNeg
	OpDNeg
	OpIShl
	OpLShl
	OpIShr
	OpLShr
	OpIUshr
	OpLUshr
	OpIAnd
	OpLAnd
	OpIOr
	OpLOr
	OpIXor
	OpLXor
	OpIInc
	OpI2L
	OpI2F
	OpI2D
	OpL2I
	OpL2F
	OpL2D
	OpF2I
	OpF2L
	OpF2D
	OpD2I
	OpD2L
	OpD2F
	OpI2B
	OpI2C
	OpI2S
	OpLCmp
	OpFCmpL
	OpFCmpG
	OpDCmpL
	OpDCmpG
	OpIfEq
	OpIfNe
	OpIfLt
	OpIfGe
	OpIfGt
	OpIfLe
	OpIfICmpEq
	OpIfICmpNe
	OpIfICmpLt
	OpIfICmpGe
	OpIfICmpGt
	OpIfICmpLe
	OpIfACmpEq
	OpIfACmpNe
	OpGoto
	OpJsr
	OpRet
	OpTableSwitch
	OpLookupSwitch
	OpIReturn
	OpLReturn
	OpFReturn
	OpDReturn
	OpAReturn
	OpReturn
	OpGetStatic
	OpPutStatic
	OpGetField
	OpPutField
	OpInvokeVirtual
	OpInvokeSpecial
	OpInvokeStatic
	OpInvokeInterface
	OpInvokeDynamic
	OpNew
	OpNewArray
	OpANewArray
	OpArrayLength
	OpAThrow
	OpCheckCast
	OpInstanceOf
	OpMonitorEnter
	OpMonitorExit
	OpWide
	OpMultiANewArray
	OpIfNull
	OpIfNonNull
	OpGotoW
	OpJsrW
)

// form says which operands follow an opcode.
type form uint8

const (
	formNone       form = iota
	formByte            // signed byte
	formShort           // signed short
	formLdc             // byte: constant
	formLdcWide         // short: constant
	formLocal           // byte, after wide a short: local
	formIInc            // local, signed byte; after wide both short
	formBranch          // signed short: distance
	formBranchWide      // signed int: distance
	formTable           // padding, default, low, high, distances
	formLookup          // padding, default, number, pairs of key and distance
	formField           // short: field reference
	formMethod          // short: method reference
	formInterface       // short: method reference; count, 0
	formDynamic         // short: call site; 0, 0
	formClass           // short: class
	formPrimitive       // byte: type of the elements
	formMulti           // short: class; byte: dimensions
	formWide            // an instruction with wide operands
	formSubroutine      // jsr and ret, which are not decoded
)

// opcode describes an opcode. Op is what Insn.Op says for it: where short
// forms exist, the general one. Of those, local or konst and bits are
// the operand.
type opcode struct {
	name  string
	form  form
	op    Op
	local int
	konst ConstKind
	bits  int64
}

var opcodes = [...]opcode{
	OpNop:             {name: "nop", op: OpNop},
	OpAConstNull:      {name: "aconst_null", op: OpAConstNull},
	OpIConstM1:        {name: "iconst_m1", op: OpLdc, konst: ConstInt, bits: -1},
	OpIConst0:         {name: "iconst_0", op: OpLdc, konst: ConstInt},
	OpIConst1:         {name: "iconst_1", op: OpLdc, konst: ConstInt, bits: 1},
	OpIConst2:         {name: "iconst_2", op: OpLdc, konst: ConstInt, bits: 2},
	OpIConst3:         {name: "iconst_3", op: OpLdc, konst: ConstInt, bits: 3},
	OpIConst4:         {name: "iconst_4", op: OpLdc, konst: ConstInt, bits: 4},
	OpIConst5:         {name: "iconst_5", op: OpLdc, konst: ConstInt, bits: 5},
	OpLConst0:         {name: "lconst_0", op: OpLdc, konst: ConstLong},
	OpLConst1:         {name: "lconst_1", op: OpLdc, konst: ConstLong, bits: 1},
	OpFConst0:         {name: "fconst_0", op: OpLdc, konst: ConstFloat},
	OpFConst1:         {name: "fconst_1", op: OpLdc, konst: ConstFloat, bits: 0x3f800000},
	OpFConst2:         {name: "fconst_2", op: OpLdc, konst: ConstFloat, bits: 0x40000000},
	OpDConst0:         {name: "dconst_0", op: OpLdc, konst: ConstDouble},
	OpDConst1:         {name: "dconst_1", op: OpLdc, konst: ConstDouble, bits: 0x3ff0000000000000},
	OpBIPush:          {name: "bipush", op: OpLdc, form: formByte},
	OpSIPush:          {name: "sipush", op: OpLdc, form: formShort},
	OpLdc:             {name: "ldc", op: OpLdc, form: formLdc},
	OpLdcW:            {name: "ldc_w", op: OpLdc, form: formLdcWide},
	OpLdc2W:           {name: "ldc2_w", op: OpLdc, form: formLdcWide},
	OpILoad:           {name: "iload", op: OpILoad, form: formLocal},
	OpLLoad:           {name: "lload", op: OpLLoad, form: formLocal},
	OpFLoad:           {name: "fload", op: OpFLoad, form: formLocal},
	OpDLoad:           {name: "dload", op: OpDLoad, form: formLocal},
	OpALoad:           {name: "aload", op: OpALoad, form: formLocal},
	OpILoad0:          {name: "iload_0", op: OpILoad},
	OpILoad1:          {name: "iload_1", op: OpILoad, local: 1},
	OpILoad2:          {name: "iload_2", op: OpILoad, local: 2},
	OpILoad3:          {name: "iload_3", op: OpILoad, local: 3},
	OpLLoad0:          {name: "lload_0", op: OpLLoad},
	OpLLoad1:          {name: "lload_1", op: OpLLoad, local: 1},
	OpLLoad2:          {name: "lload_2", op: OpLLoad, local: 2},
	OpLLoad3:          {name: "lload_3", op: OpLLoad, local: 3},
	OpFLoad0:          {name: "fload_0", op: OpFLoad},
	OpFLoad1:          {name: "fload_1", op: OpFLoad, local: 1},
	OpFLoad2:          {name: "fload_2", op: OpFLoad, local: 2},
	OpFLoad3:          {name: "fload_3", op: OpFLoad, local: 3},
	OpDLoad0:          {name: "dload_0", op: OpDLoad},
	OpDLoad1:          {name: "dload_1", op: OpDLoad, local: 1},
	OpDLoad2:          {name: "dload_2", op: OpDLoad, local: 2},
	OpDLoad3:          {name: "dload_3", op: OpDLoad, local: 3},
	OpALoad0:          {name: "aload_0", op: OpALoad},
	OpALoad1:          {name: "aload_1", op: OpALoad, local: 1},
	OpALoad2:          {name: "aload_2", op: OpALoad, local: 2},
	OpALoad3:          {name: "aload_3", op: OpALoad, local: 3},
	OpIALoad:          {name: "iaload", op: OpIALoad},
	OpLALoad:          {name: "laload", op: OpLALoad},
	OpFALoad:          {name: "faload", op: OpFALoad},
	OpDALoad:          {name: "daload", op: OpDALoad},
	OpAALoad:          {name: "aaload", op: OpAALoad},
	OpBALoad:          {name: "baload", op: OpBALoad},
	OpCALoad:          {name: "caload", op: OpCALoad},
	OpSALoad:          {name: "saload", op: OpSALoad},
	OpIStore:          {name: "istore", op: OpIStore, form: formLocal},
	OpLStore:          {name: "lstore", op: OpLStore, form: formLocal},
	OpFStore:          {name: "fstore", op: OpFStore, form: formLocal},
	OpDStore:          {name: "dstore", op: OpDStore, form: formLocal},
	OpAStore:          {name: "astore", op: OpAStore, form: formLocal},
	OpIStore0:         {name: "istore_0", op: OpIStore},
	OpIStore1:         {name: "istore_1", op: OpIStore, local: 1},
	OpIStore2:         {name: "istore_2", op: OpIStore, local: 2},
	OpIStore3:         {name: "istore_3", op: OpIStore, local: 3},
	OpLStore0:         {name: "lstore_0", op: OpLStore},
	OpLStore1:         {name: "lstore_1", op: OpLStore, local: 1},
	OpLStore2:         {name: "lstore_2", op: OpLStore, local: 2},
	OpLStore3:         {name: "lstore_3", op: OpLStore, local: 3},
	OpFStore0:         {name: "fstore_0", op: OpFStore},
	OpFStore1:         {name: "fstore_1", op: OpFStore, local: 1},
	OpFStore2:         {name: "fstore_2", op: OpFStore, local: 2},
	OpFStore3:         {name: "fstore_3", op: OpFStore, local: 3},
	OpDStore0:         {name: "dstore_0", op: OpDStore},
	OpDStore1:         {name: "dstore_1", op: OpDStore, local: 1},
	OpDStore2:         {name: "dstore_2", op: OpDStore, local: 2},
	OpDStore3:         {name: "dstore_3", op: OpDStore, local: 3},
	OpAStore0:         {name: "astore_0", op: OpAStore},
	OpAStore1:         {name: "astore_1", op: OpAStore, local: 1},
	OpAStore2:         {name: "astore_2", op: OpAStore, local: 2},
	OpAStore3:         {name: "astore_3", op: OpAStore, local: 3},
	OpIAStore:         {name: "iastore", op: OpIAStore},
	OpLAStore:         {name: "lastore", op: OpLAStore},
	OpFAStore:         {name: "fastore", op: OpFAStore},
	OpDAStore:         {name: "dastore", op: OpDAStore},
	OpAAStore:         {name: "aastore", op: OpAAStore},
	OpBAStore:         {name: "bastore", op: OpBAStore},
	OpCAStore:         {name: "castore", op: OpCAStore},
	OpSAStore:         {name: "sastore", op: OpSAStore},
	OpPop:             {name: "pop", op: OpPop},
	OpPop2:            {name: "pop2", op: OpPop2},
	OpDup:             {name: "dup", op: OpDup},
	OpDupX1:           {name: "dup_x1", op: OpDupX1},
	OpDupX2:           {name: "dup_x2", op: OpDupX2},
	OpDup2:            {name: "dup2", op: OpDup2},
	OpDup2X1:          {name: "dup2_x1", op: OpDup2X1},
	OpDup2X2:          {name: "dup2_x2", op: OpDup2X2},
	OpSwap:            {name: "swap", op: OpSwap},
	OpIAdd:            {name: "iadd", op: OpIAdd},
	OpLAdd:            {name: "ladd", op: OpLAdd},
	OpFAdd:            {name: "fadd", op: OpFAdd},
	OpDAdd:            {name: "dadd", op: OpDAdd},
	OpISub:            {name: "isub", op: OpISub},
	OpLSub:            {name: "lsub", op: OpLSub},
	OpFSub:            {name: "fsub", op: OpFSub},
	OpDSub:            {name: "dsub", op: OpDSub},
	OpIMul:            {name: "imul", op: OpIMul},
	OpLMul:            {name: "lmul", op: OpLMul},
	OpFMul:            {name: "fmul", op: OpFMul},
	OpDMul:            {name: "dmul", op: OpDMul},
	OpIDiv:            {name: "idiv", op: OpIDiv},
	OpLDiv:            {name: "ldiv", op: OpLDiv},
	OpFDiv:            {name: "fdiv", op: OpFDiv},
	OpDDiv:            {name: "ddiv", op: OpDDiv},
	OpIRem:            {name: "irem", op: OpIRem},
	OpLRem:            {name: "lrem", op: OpLRem},
	OpFRem:            {name: "frem", op: OpFRem},
	OpDRem:            {name: "drem", op: OpDRem},
	OpINeg:            {name: "ineg", op: OpINeg},
	OpLNeg:            {name: "lneg", op: OpLNeg},
	OpFNeg:            {name: "fneg", op: OpFNeg},
	OpDNeg:            {name: "dneg", op: OpDNeg},
	OpIShl:            {name: "ishl", op: OpIShl},
	OpLShl:            {name: "lshl", op: OpLShl},
	OpIShr:            {name: "ishr", op: OpIShr},
	OpLShr:            {name: "lshr", op: OpLShr},
	OpIUshr:           {name: "iushr", op: OpIUshr},
	OpLUshr:           {name: "lushr", op: OpLUshr},
	OpIAnd:            {name: "iand", op: OpIAnd},
	OpLAnd:            {name: "land", op: OpLAnd},
	OpIOr:             {name: "ior", op: OpIOr},
	OpLOr:             {name: "lor", op: OpLOr},
	OpIXor:            {name: "ixor", op: OpIXor},
	OpLXor:            {name: "lxor", op: OpLXor},
	OpIInc:            {name: "iinc", op: OpIInc, form: formIInc},
	OpI2L:             {name: "i2l", op: OpI2L},
	OpI2F:             {name: "i2f", op: OpI2F},
	OpI2D:             {name: "i2d", op: OpI2D},
	OpL2I:             {name: "l2i", op: OpL2I},
	OpL2F:             {name: "l2f", op: OpL2F},
	OpL2D:             {name: "l2d", op: OpL2D},
	OpF2I:             {name: "f2i", op: OpF2I},
	OpF2L:             {name: "f2l", op: OpF2L},
	OpF2D:             {name: "f2d", op: OpF2D},
	OpD2I:             {name: "d2i", op: OpD2I},
	OpD2L:             {name: "d2l", op: OpD2L},
	OpD2F:             {name: "d2f", op: OpD2F},
	OpI2B:             {name: "i2b", op: OpI2B},
	OpI2C:             {name: "i2c", op: OpI2C},
	OpI2S:             {name: "i2s", op: OpI2S},
	OpLCmp:            {name: "lcmp", op: OpLCmp},
	OpFCmpL:           {name: "fcmpl", op: OpFCmpL},
	OpFCmpG:           {name: "fcmpg", op: OpFCmpG},
	OpDCmpL:           {name: "dcmpl", op: OpDCmpL},
	OpDCmpG:           {name: "dcmpg", op: OpDCmpG},
	OpIfEq:            {name: "ifeq", op: OpIfEq, form: formBranch},
	OpIfNe:            {name: "ifne", op: OpIfNe, form: formBranch},
	OpIfLt:            {name: "iflt", op: OpIfLt, form: formBranch},
	OpIfGe:            {name: "ifge", op: OpIfGe, form: formBranch},
	OpIfGt:            {name: "ifgt", op: OpIfGt, form: formBranch},
	OpIfLe:            {name: "ifle", op: OpIfLe, form: formBranch},
	OpIfICmpEq:        {name: "if_icmpeq", op: OpIfICmpEq, form: formBranch},
	OpIfICmpNe:        {name: "if_icmpne", op: OpIfICmpNe, form: formBranch},
	OpIfICmpLt:        {name: "if_icmplt", op: OpIfICmpLt, form: formBranch},
	OpIfICmpGe:        {name: "if_icmpge", op: OpIfICmpGe, form: formBranch},
	OpIfICmpGt:        {name: "if_icmpgt", op: OpIfICmpGt, form: formBranch},
	OpIfICmpLe:        {name: "if_icmple", op: OpIfICmpLe, form: formBranch},
	OpIfACmpEq:        {name: "if_acmpeq", op: OpIfACmpEq, form: formBranch},
	OpIfACmpNe:        {name: "if_acmpne", op: OpIfACmpNe, form: formBranch},
	OpGoto:            {name: "goto", op: OpGoto, form: formBranch},
	OpJsr:             {name: "jsr", op: OpJsr, form: formSubroutine},
	OpRet:             {name: "ret", op: OpRet, form: formSubroutine},
	OpTableSwitch:     {name: "tableswitch", op: OpTableSwitch, form: formTable},
	OpLookupSwitch:    {name: "lookupswitch", op: OpLookupSwitch, form: formLookup},
	OpIReturn:         {name: "ireturn", op: OpIReturn},
	OpLReturn:         {name: "lreturn", op: OpLReturn},
	OpFReturn:         {name: "freturn", op: OpFReturn},
	OpDReturn:         {name: "dreturn", op: OpDReturn},
	OpAReturn:         {name: "areturn", op: OpAReturn},
	OpReturn:          {name: "return", op: OpReturn},
	OpGetStatic:       {name: "getstatic", op: OpGetStatic, form: formField},
	OpPutStatic:       {name: "putstatic", op: OpPutStatic, form: formField},
	OpGetField:        {name: "getfield", op: OpGetField, form: formField},
	OpPutField:        {name: "putfield", op: OpPutField, form: formField},
	OpInvokeVirtual:   {name: "invokevirtual", op: OpInvokeVirtual, form: formMethod},
	OpInvokeSpecial:   {name: "invokespecial", op: OpInvokeSpecial, form: formMethod},
	OpInvokeStatic:    {name: "invokestatic", op: OpInvokeStatic, form: formMethod},
	OpInvokeInterface: {name: "invokeinterface", op: OpInvokeInterface, form: formInterface},
	OpInvokeDynamic:   {name: "invokedynamic", op: OpInvokeDynamic, form: formDynamic},
	OpNew:             {name: "new", op: OpNew, form: formClass},
	OpNewArray:        {name: "newarray", op: OpNewArray, form: formPrimitive},
	OpANewArray:       {name: "anewarray", op: OpANewArray, form: formClass},
	OpArrayLength:     {name: "arraylength", op: OpArrayLength},
	OpAThrow:          {name: "athrow", op: OpAThrow},
	OpCheckCast:       {name: "checkcast", op: OpCheckCast, form: formClass},
	OpInstanceOf:      {name: "instanceof", op: OpInstanceOf, form: formClass},
	OpMonitorEnter:    {name: "monitorenter", op: OpMonitorEnter},
	OpMonitorExit:     {name: "monitorexit", op: OpMonitorExit},
	OpWide:            {name: "wide", op: OpWide, form: formWide},
	OpMultiANewArray:  {name: "multianewarray", op: OpMultiANewArray, form: formMulti},
	OpIfNull:          {name: "ifnull", op: OpIfNull, form: formBranch},
	OpIfNonNull:       {name: "ifnonnull", op: OpIfNonNull, form: formBranch},
	OpGotoW:           {name: "goto_w", op: OpGoto, form: formBranchWide},
	OpJsrW:            {name: "jsr_w", op: OpJsrW, form: formSubroutine},
}

// String returns the mnemonic.
func (o Op) String() string {
	if int(o) < len(opcodes) {
		return opcodes[o].name
	}
	return fmt.Sprintf("op%d", uint8(o))
}
