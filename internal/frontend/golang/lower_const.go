package golang

import (
	"crypto/sha256"
	"encoding/hex"
	"go/constant"
	"go/types"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// intConst keys the constants that fit a machine word, which most do: go/ssa
// makes one for each use.
type intConst struct {
	typ  ir.TypeID
	kind constKind
	n    int64
}

type constKind uint8

const (
	constInt constKind = iota
	constBool
	constNil
	constZero
	constUndef
)

// longString is the length from which a string is kept by its hash: analyses
// compare constants and show short ones, they do not read tables.
const longString = 256

func (l *lowerer) constant(c *ssa.Const) ir.Value {
	typ := l.typ(c.Type())
	if c.Value == nil {
		if c.IsNil() {
			return l.smallConst(intConst{typ, constNil, 0})
		}
		return l.smallConst(intConst{typ, constZero, 0})
	}
	value := c.Value
	if b, ok := c.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		value = constant.ToInt(value)
	}
	switch value.Kind() {
	case constant.Bool:
		n := int64(0)
		if constant.BoolVal(value) {
			n = 1
		}
		return l.smallConst(intConst{typ, constBool, n})
	case constant.Int:
		if n, ok := constant.Int64Val(value); ok {
			return l.smallConst(intConst{typ, constInt, n})
		}
		return ir.ConstValue(l.b.Const(typ, value.ExactString()))
	case constant.String:
		s := constant.StringVal(value)
		if len(s) >= longString {
			sum := sha256.Sum256([]byte(s))
			s = s[:32] + "…" + hex.EncodeToString(sum[:16])
		}
		return ir.ConstValue(l.b.Const(typ, strconv.Quote(s)))
	default:
		return ir.ConstValue(l.b.Const(typ, strings.ReplaceAll(value.String(), " ", "")))
	}
}

func (l *lowerer) smallConst(key intConst) ir.Value {
	id, ok := l.ints[key]
	if !ok {
		id = l.b.Const(key.typ, key.text())
		l.ints[key] = id
	}
	return ir.ConstValue(id)
}

func (k intConst) text() string {
	switch k.kind {
	case constBool:
		return strconv.FormatBool(k.n != 0)
	case constNil:
		return "nil"
	case constZero:
		return "zero"
	case constUndef:
		return "undef"
	default:
		return strconv.FormatInt(k.n, 10)
	}
}

func (l *lowerer) intValue(n int64) ir.Value {
	return l.smallConst(intConst{l.typ(types.Typ[types.Int]), constInt, n})
}

// undef stands for a scalar whose value no analysis asks for.
func (l *lowerer) undef(typ ir.TypeID) ir.Value { return l.smallConst(intConst{typ, constUndef, 0}) }

// nameConst returns the constant of a source name, for OpAlloc.
func (l *lowerer) nameConst(name string) int32 {
	id, ok := l.names[name]
	if !ok {
		id = int32(l.b.StringConst(name))
		l.names[name] = id
	}
	return id
}
