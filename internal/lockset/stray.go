package lockset

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A lock may be given back by another name than it was taken by: a guard that was
// made with the lock has it in a field of its own. Who gives a lock back holds it.
// So if it is by name none of those that are held, it is the one that lies at the
// same place, if there is one such.

// withoutStrays leaves out what an activation has given back by another name when
// it comes to an instruction.
func (r *Result) withoutStrays(f *Function, id pointer.InstID, instr int32, held []Lock) []Lock {
	all := slices.Clone(held)
	return slices.DeleteFunc(held, func(l Lock) bool {
		if l.Kind != Mutex || l.Node == noNode || count(all, l.Node) > 1 {
			return false
		}
		taken := int32(ir.None)
		if l.Taken.Inst == id {
			taken = l.Taken.Instr
		}
		return slices.ContainsFunc(f.strays, func(s release) bool {
			if s.path == l.Path || !runs.Reaches(f.body, s.instr, instr, taken) {
				return false
			}
			at := r.follow(id, s.path, 1)
			return len(at) == 1 && at[0] == l.Node
		})
	})
}

// count returns how many mutexes of some locks lie at a node.
func count(locks []Lock, n pointer.Node) int {
	k := 0
	for i := range locks {
		if locks[i].Kind == Mutex && locks[i].Node == n {
			k++
		}
	}
	return k
}
