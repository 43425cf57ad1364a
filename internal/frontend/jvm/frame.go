package jvm

import (
	"fmt"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// nullDesc stands for the type of null, which is below every reference type. An
// empty string is the type of a word without a usable value: the second word of
// a long or double, or a local whose values disagree.
const nullDesc = "0"

// frame has the types of the words of locals and operand stack at one point of
// a method, as descriptors. A long or double has two words, the second empty:
// so the instructions that shuffle the stack move words and need no types.
type frame struct {
	locals []string
	stack  []string
}

func (f *frame) clone() frame {
	return frame{append([]string(nil), f.locals...), append([]string(nil), f.stack...)}
}

func (f *frame) push(desc string) {
	f.stack = append(f.stack, desc)
	if classfile.Words(desc) == 2 {
		f.stack = append(f.stack, "")
	}
}

// merge joins another frame into f, and tells whether f changed.
func (f *frame) merge(g *frame) (bool, error) {
	if len(f.stack) != len(g.stack) {
		return false, fmt.Errorf("operand stacks of %d and %d words meet", len(f.stack), len(g.stack))
	}
	a := mergeWords(f.locals, g.locals)
	b := mergeWords(f.stack, g.stack)
	return a || b, nil
}

func mergeWords(a, b []string) bool {
	changed := false
	for i := range a {
		if m := join(a[i], b[i]); m != a[i] {
			a[i], changed = m, true
		}
	}
	return changed
}

// join is the least of the types used here that has the values of both.
func join(a, b string) string {
	switch {
	case a == b:
		return a
	case a == "" || b == "":
		return ""
	case isRef(a) && isRef(b):
		if a == nullDesc {
			return b
		}
		if b == nullDesc {
			return a
		}
		return objectDesc
	case isInt(a) && isInt(b):
		return "I"
	}
	return ""
}

func isRef(desc string) bool { return desc == nullDesc || classfile.IsReference(desc) }

func isInt(desc string) bool {
	switch desc {
	case "Z", "B", "C", "S", "I":
		return true
	}
	return false
}

// elemDesc is the type of the elements of an array, as far as it is known; op
// says the rest.
func elemDesc(array string, op classfile.Op) string {
	if len(array) > 1 && array[0] == '[' {
		return array[1:]
	}
	switch op {
	case classfile.OpIALoad, classfile.OpIAStore:
		return "I"
	case classfile.OpLALoad, classfile.OpLAStore:
		return "J"
	case classfile.OpFALoad, classfile.OpFAStore:
		return "F"
	case classfile.OpDALoad, classfile.OpDAStore:
		return "D"
	case classfile.OpBALoad, classfile.OpBAStore:
		return "B"
	case classfile.OpCALoad, classfile.OpCAStore:
		return "C"
	case classfile.OpSALoad, classfile.OpSAStore:
		return "S"
	}
	return objectDesc
}

// constDesc is the type of what an OpLdc pushes.
func constDesc(in *classfile.Insn) string {
	switch in.Const {
	case classfile.ConstInt:
		return "I"
	case classfile.ConstLong:
		return "J"
	case classfile.ConstFloat:
		return "F"
	case classfile.ConstDouble:
		return "D"
	case classfile.ConstString:
		return stringDesc
	case classfile.ConstClass:
		return classDesc
	case classfile.ConstMethodType:
		return "Ljava/lang/invoke/MethodType;"
	case classfile.ConstHandle:
		return "Ljava/lang/invoke/MethodHandle;"
	case classfile.ConstDynamic:
		return in.Dynamic.Desc
	}
	return objectDesc
}

// shuffled is how many words the instructions from pop to swap look at.
var shuffled = [...]int{1, 2, 1, 2, 3, 2, 3, 4, 2}

// shuffle does what the instructions do that only move words of the stack. ok
// is false if there are too few.
func shuffle[T any](op classfile.Op, s []T) (out []T, ok bool) {
	n := len(s)
	if n < shuffled[op-classfile.OpPop] {
		return s, false
	}
	under := func(top, below int) []T { // the top words again, below that many more
		words := append([]T(nil), s[n-top-below:]...)
		return append(append(s[:n-top-below], words[below:]...), words...)
	}
	switch op {
	case classfile.OpPop:
		return s[:n-1], true
	case classfile.OpPop2:
		return s[:n-2], true
	case classfile.OpDup:
		return under(1, 0), true
	case classfile.OpDupX1:
		return under(1, 1), true
	case classfile.OpDupX2:
		return under(1, 2), true
	case classfile.OpDup2:
		return under(2, 0), true
	case classfile.OpDup2X1:
		return under(2, 1), true
	case classfile.OpDup2X2:
		return under(2, 2), true
	}
	s[n-1], s[n-2] = s[n-2], s[n-1]
	return s, true
}

// effect is what an instruction does to the stack: the words it takes and the
// type it leaves, if any.
type effect struct {
	pops int
	push string
}

// fixed has the effects of instructions without operands that matter.
var fixed = func(table map[classfile.Op]effect) (list [256]struct {
	effect
	ok bool
}) {
	for op, e := range table {
		list[op].effect, list[op].ok = e, true
	}
	return list
}(map[classfile.Op]effect{
	classfile.OpNop: {}, classfile.OpIInc: {}, classfile.OpGoto: {}, classfile.OpReturn: {},
	classfile.OpAConstNull: {0, nullDesc},
	classfile.OpIALoad:     {2, "I"}, classfile.OpLALoad: {2, "J"}, classfile.OpFALoad: {2, "F"}, classfile.OpDALoad: {2, "D"},
	classfile.OpCALoad: {2, "C"}, classfile.OpSALoad: {2, "S"},
	classfile.OpIAStore: {3, ""}, classfile.OpLAStore: {4, ""}, classfile.OpFAStore: {3, ""}, classfile.OpDAStore: {4, ""},
	classfile.OpAAStore: {3, ""}, classfile.OpBAStore: {3, ""}, classfile.OpCAStore: {3, ""}, classfile.OpSAStore: {3, ""},
	classfile.OpINeg: {1, "I"}, classfile.OpLNeg: {2, "J"}, classfile.OpFNeg: {1, "F"}, classfile.OpDNeg: {2, "D"},
	classfile.OpIShl: {2, "I"}, classfile.OpIShr: {2, "I"}, classfile.OpIUshr: {2, "I"},
	classfile.OpLShl: {3, "J"}, classfile.OpLShr: {3, "J"}, classfile.OpLUshr: {3, "J"},
	classfile.OpI2L: {1, "J"}, classfile.OpI2F: {1, "F"}, classfile.OpI2D: {1, "D"},
	classfile.OpL2I: {2, "I"}, classfile.OpL2F: {2, "F"}, classfile.OpL2D: {2, "D"},
	classfile.OpF2I: {1, "I"}, classfile.OpF2L: {1, "J"}, classfile.OpF2D: {1, "D"},
	classfile.OpD2I: {2, "I"}, classfile.OpD2L: {2, "J"}, classfile.OpD2F: {2, "F"},
	classfile.OpI2B: {1, "B"}, classfile.OpI2C: {1, "C"}, classfile.OpI2S: {1, "S"},
	classfile.OpLCmp: {4, "I"}, classfile.OpFCmpL: {2, "I"}, classfile.OpFCmpG: {2, "I"}, classfile.OpDCmpL: {4, "I"}, classfile.OpDCmpG: {4, "I"},
	classfile.OpIfEq: {1, ""}, classfile.OpIfNe: {1, ""}, classfile.OpIfLt: {1, ""}, classfile.OpIfGe: {1, ""}, classfile.OpIfGt: {1, ""}, classfile.OpIfLe: {1, ""},
	classfile.OpIfICmpEq: {2, ""}, classfile.OpIfICmpNe: {2, ""}, classfile.OpIfICmpLt: {2, ""}, classfile.OpIfICmpGe: {2, ""},
	classfile.OpIfICmpGt: {2, ""}, classfile.OpIfICmpLe: {2, ""}, classfile.OpIfACmpEq: {2, ""}, classfile.OpIfACmpNe: {2, ""},
	classfile.OpIfNull: {1, ""}, classfile.OpIfNonNull: {1, ""},
	classfile.OpTableSwitch: {1, ""}, classfile.OpLookupSwitch: {1, ""},
	classfile.OpIReturn: {1, ""}, classfile.OpLReturn: {2, ""}, classfile.OpFReturn: {1, ""}, classfile.OpDReturn: {2, ""}, classfile.OpAReturn: {1, ""},
	classfile.OpArrayLength: {1, "I"}, classfile.OpAThrow: {1, ""}, classfile.OpInstanceOf: {1, "Z"},
	classfile.OpMonitorEnter: {1, ""}, classfile.OpMonitorExit: {1, ""},
})

// apply changes a frame as an instruction does.
func (f *frame) apply(in *classfile.Insn) error {
	if in.Op >= classfile.OpPop && in.Op <= classfile.OpSwap {
		s, ok := shuffle(in.Op, f.stack)
		if !ok {
			return fmt.Errorf("%s on a stack of %d words", in.Op, len(f.stack))
		}
		f.stack = s
		return nil
	}
	if in.Op >= classfile.OpIStore && in.Op <= classfile.OpAStore {
		return f.store(in)
	}
	if in.Op == classfile.OpIInc && int(in.Local) >= len(f.locals) {
		return fmt.Errorf("%s %d: no such local", in.Op, in.Local)
	}
	e, err := f.effect(in)
	if err != nil {
		return err
	}
	if len(f.stack) < e.pops {
		return fmt.Errorf("%s on a stack of %d words", in.Op, len(f.stack))
	}
	f.stack = f.stack[:len(f.stack)-e.pops]
	if e.push != "" && e.push != "V" {
		f.push(e.push)
	}
	return nil
}

func (f *frame) store(in *classfile.Insn) error {
	words := 1
	if in.Op == classfile.OpLStore || in.Op == classfile.OpDStore {
		words = 2
	}
	n := len(f.stack) - words
	if n < 0 || int(in.Local)+words > len(f.locals) {
		return fmt.Errorf("%s %d: no such word", in.Op, in.Local)
	}
	copy(f.locals[in.Local:], f.stack[n:])
	f.stack = f.stack[:n]
	return nil
}

// effect returns what an instruction takes and leaves, given the frame before
// it.
func (f *frame) effect(in *classfile.Insn) (effect, error) {
	if e := &fixed[in.Op]; e.ok {
		return e.effect, nil
	}
	switch op := in.Op; {
	case op == classfile.OpLdc:
		return effect{0, constDesc(in)}, nil
	case op >= classfile.OpILoad && op <= classfile.OpALoad:
		if int(in.Local) >= len(f.locals) {
			return effect{}, fmt.Errorf("%s %d: no such local", op, in.Local)
		}
		return effect{0, loadDesc(op, f.locals[in.Local])}, nil
	case op == classfile.OpAALoad || op == classfile.OpBALoad:
		if len(f.stack) < 2 {
			return effect{}, fmt.Errorf("%s on a stack of %d words", op, len(f.stack))
		}
		return effect{2, elemDesc(f.stack[len(f.stack)-2], op)}, nil
	case op >= classfile.OpIAdd && op <= classfile.OpLXor:
		// The four types take turns; of the operations on bits there are two.
		desc := arithmeticDesc(op)
		return effect{2 * classfile.Words(desc), desc}, nil
	case op == classfile.OpGetStatic:
		return effect{0, in.Member.Desc}, nil
	case op == classfile.OpPutStatic:
		return effect{classfile.Words(in.Member.Desc), ""}, nil
	case op == classfile.OpGetField:
		return effect{1, in.Member.Desc}, nil
	case op == classfile.OpPutField:
		return effect{1 + classfile.Words(in.Member.Desc), ""}, nil
	case op >= classfile.OpInvokeVirtual && op <= classfile.OpInvokeInterface:
		return callEffect(in.Member.Desc, op != classfile.OpInvokeStatic)
	case op == classfile.OpInvokeDynamic:
		return callEffect(in.Dynamic.Desc, false)
	case op == classfile.OpNew:
		return effect{0, classfile.DescOf(in.Text)}, nil
	case op == classfile.OpNewArray:
		return effect{1, "[" + in.Text}, nil
	case op == classfile.OpANewArray:
		return effect{1, "[" + classfile.DescOf(in.Text)}, nil
	case op == classfile.OpCheckCast:
		return effect{1, classfile.DescOf(in.Text)}, nil
	case op == classfile.OpMultiANewArray:
		return effect{int(in.Dims), in.Text}, nil
	}
	return effect{}, fmt.Errorf("%s is not expected here", in.Op)
}

func callEffect(desc string, receiver bool) (effect, error) {
	d, err := classfile.ParseMethodDesc(desc)
	if err != nil {
		return effect{}, err
	}
	n := d.Words()
	if receiver {
		n++
	}
	return effect{n, d.Result}, nil
}

// loadDesc is the type a load pushes: what is known of the local, if it agrees
// with the instruction.
func loadDesc(op classfile.Op, local string) string {
	switch op {
	case classfile.OpALoad:
		if isRef(local) {
			return local
		}
		return objectDesc
	case classfile.OpILoad:
		if isInt(local) {
			return local
		}
		return "I"
	}
	return [...]string{"J", "F", "D"}[op-classfile.OpLLoad]
}

// arithmeticDesc is the type of a binary operation.
func arithmeticDesc(op classfile.Op) string {
	if op <= classfile.OpDRem {
		return [...]string{"I", "J", "F", "D"}[(op-classfile.OpIAdd)%4]
	}
	return [...]string{"I", "J"}[(op-classfile.OpIAnd)%2]
}
