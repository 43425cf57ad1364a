package detect

import "fmt"

// fix says what would mend a race, where that is clear.
func (d *detector) fix(r *race, f *Finding) string {
	first, second := &f.First, &f.Second
	switch {
	case f.Rule == RuleMisuse:
		return ""
	case f.Rule == RuleRaceAtomic:
		plain := first
		if plain.Kind.Atomic() {
			plain = second
		}
		return fmt.Sprintf("use an atomic operation at %s too", at(plain.Place))
	}
	if lock, ok := writeUnderRead(first); ok && sameNames(first.Locks, second.Locks) {
		return fmt.Sprintf("hold %s exclusively: a read lock lets other readers in", lock)
	}
	switch {
	case len(first.Locks) == 0 && d.Locks.Beside(r.b.locks):
		return fmt.Sprintf("hold the lock that guards the other side (%s) at %s", second.Locks[0].Name, at(first.Place))
	case len(second.Locks) == 0 && d.Locks.Beside(r.a.locks):
		return fmt.Sprintf("hold the lock that guards the other side (%s) at %s", first.Locks[0].Name, at(second.Place))
	}
	return ""
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
