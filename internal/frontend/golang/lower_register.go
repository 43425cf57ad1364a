package golang

import (
	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// registers maps the values of a function to registers, or to the constants that
// stand for them. Most operands have been defined a few instructions before, so
// that the last ones are looked at before the map is.
type registers struct {
	all    map[ssa.Value]ir.Value
	recent [4]recentValue
	turn   int
}

type recentValue struct {
	of ssa.Value
	is ir.Value
}

// reset forgets everything. Clearing a map costs what it has held at most, so
// that of a large function is not kept.
func (r *registers) reset() {
	r.recent = [4]recentValue{}
	if len(r.all) < 1024 && r.all != nil {
		clear(r.all)
	} else {
		r.all = make(map[ssa.Value]ir.Value)
	}
}

func (r *registers) set(v ssa.Value, is ir.Value) { r.all[v] = is }

func (r *registers) get(v ssa.Value) (ir.Value, bool) {
	for i := range r.recent {
		if r.recent[i].of == v {
			return r.recent[i].is, true
		}
	}
	is, ok := r.all[v]
	return is, ok
}

// keep says that a value has just been defined.
func (r *registers) keep(v ssa.Value, is ir.Value) {
	r.recent[r.turn] = recentValue{v, is}
	r.turn = (r.turn + 1) % len(r.recent)
}
