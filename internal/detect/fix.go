package detect

import (
	"fmt"
	"strings"
)

// fix says what would mend a race, where that is clear.
func (d *detector) fix(r *race, f *Finding) string {
	first, second := &f.First, &f.Second
	switch {
	case f.Rule == RuleMisuse:
		return d.fixUse(r, f)
	case f.Rule == RuleRaceAtomic:
		plain := first
		if plain.Kind.Atomic() {
			plain = second
		}
		return fmt.Sprintf("use an atomic operation at %s too", at(plain.Place))
	}
	if lock, ok := writeUnderRead(first); ok && sameNames(first.Locks, second.Locks) {
		if strings.HasSuffix(lock, "ReadLock") {
			return "hold the write lock: a read lock lets other readers in"
		}
		return fmt.Sprintf("hold %s exclusively: a read lock lets other readers in", lock)
	}
	wait, late := d.fixWait(r, f)
	switch {
	case late: // somebody meant the wait to order the two
		return wait
	case len(first.Locks) == 0 && d.Locks.Beside(r.b.locks):
		return fmt.Sprintf("hold the lock that guards the other side (%s) at %s", lockWords(second.Locks[0].Name), at(first.Place))
	case len(second.Locks) == 0 && d.Locks.Beside(r.a.locks):
		return fmt.Sprintf("hold the lock that guards the other side (%s) at %s", lockWords(first.Locks[0].Name), at(second.Place))
	case len(first.Locks) == 0 && len(second.Locks) == 0:
		return wait
	}
	return ""
}

// fixUse says what would mend the misuse of a primitive.
func (d *detector) fixUse(r *race, f *Finding) string {
	is := func(op string) (*side, *Access) {
		switch op {
		case f.First.Op:
			return &r.a, &f.First
		case f.Second.Op:
			return &r.b, &f.Second
		}
		return nil, nil
	}
	_, wait := is("wait")
	if s, add := is("add"); add != nil && wait != nil && d.isEntry(s.Inst) && add.Origin.Start.IsValid() {
		return fmt.Sprintf("add before %s is started at %s, not in it", originWords(add.Origin), at(add.Origin.Start))
	}
	_, send := is("send")
	if _, closing := is("close"); closing != nil && send != nil {
		return fmt.Sprintf("close only when nobody sends any more: wait for %s before %s", originWords(send.Origin), at(closing.Place))
	}
	return ""
}

// lockWords names a lock inside a sentence: an object's monitor has the name of
// the object.
func lockWords(name string) string {
	if name == "this" {
		return "the monitor of this"
	}
	return name
}

// writeUnderRead returns a lock that a write holds for reading only.
func writeUnderRead(a *Access) (string, bool) {
	if a.Kind != Write {
		return "", false
	}
	for _, l := range a.Locks {
		if l.Shared {
			return l.Name, true
		}
	}
	return "", false
}

func sameNames(a, b []HeldLock) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name {
				return true
			}
		}
	}
	return false
}

// at spells a place relative to nothing: the base of the file and the line.
func at(p Place) string {
	return fmt.Sprintf("%s:%d", base(p.File), p.Line)
}

func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
