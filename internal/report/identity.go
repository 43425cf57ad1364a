package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Identity is what a finding is recognised by in another revision: its
// fingerprint, and the parts that remain when a function was renamed. It holds
// no lines and no files.
type Identity struct {
	Fingerprint string
	Rule        string
	What        string
	Type        string
	Sides       [2]IdentitySide // sorted
}

// IdentitySide is one access of an Identity.
type IdentitySide struct {
	Access string
	Symbol string
}

// IdentityOf returns the identity of a finding.
func IdentityOf(f *detect.Finding) Identity {
	id := Identity{Fingerprint: f.Fingerprint, Rule: f.Rule, What: f.What, Type: f.Type}
	for i, a := range []*detect.Access{&f.First, &f.Second} {
		id.Sides[i] = IdentitySide{a.Kind.String(), a.Symbol}
	}
	slices.SortFunc(id.Sides[:], func(a, b IdentitySide) int {
		return cmp.Or(strings.Compare(a.Symbol, b.Symbol), strings.Compare(a.Access, b.Access))
	})
	return id
}

// Identities returns the identities of findings.
func Identities(findings []detect.Finding) []Identity {
	out := make([]Identity, len(findings))
	for i := range findings {
		out[i] = IdentityOf(&findings[i])
	}
	return out
}

// Functions is a set of symbols of functions that are written in the user's
// packages, without closures.
type Functions map[string]bool

// Add adds a function, or the one that a closure is written in.
func (f Functions) Add(symbol string) { f[root(symbol)] = true }

// Match finds for each finding of now the one of old that it is, or -1. Each is
// matched at most once, by the first of these that holds:
//
//  1. the fingerprint is the same;
//  2. rule, memory, accesses and functions are the same: what changed is where
//     the memory is allocated;
//  3. the same but for the numbers of closures, which shift when one is added;
//  4. the same but for one function that is gone now, in favour of one that was
//     not there before: it was renamed;
//  5. the same but for packages, of functions that are gone now in favour of
//     others that were not there before: the package was moved.
//
// For the last two a function must really be gone: otherwise a race that was
// fixed would hide another on the same memory. before is nil where what there
// was is not known; then it is enough that the old function is gone.
func Match(old, now []Identity, before, after Functions) []int {
	m := &matcher{old: old, now: now, before: before, after: after}
	m.match = slices.Repeat([]int{-1}, len(now))
	m.taken = make([]bool, len(old))
	byFingerprint := map[string]int{}
	for i := len(old) - 1; i >= 0; i-- {
		byFingerprint[old[i].Fingerprint] = i
	}
	for i := range now {
		if k, ok := byFingerprint[now[i].Fingerprint]; ok && !m.taken[k] {
			m.match[i], m.taken[k] = k, true
		}
	}
	m.round(func(a, b *Identity) bool { return a.What == b.What && a.Type == b.Type && a.Sides == b.Sides })
	m.round(func(a, b *Identity) bool {
		return a.What == b.What && a.Type == b.Type && m.sameSides(a, b, func(x, y string) bool { return root(x) == root(y) })
	})
	m.round(m.renamed)
	m.round(m.moved)
	return m.match
}

type matcher struct {
	old, now      []Identity
	before, after Functions
	match         []int
	taken         []bool
}

// round pairs what is left by a relation.
func (m *matcher) round(same func(old, now *Identity) bool) {
	for i := range m.now {
		if m.match[i] >= 0 {
			continue
		}
		for k := range m.old {
			if !m.taken[k] && m.old[k].Rule == m.now[i].Rule && same(&m.old[k], &m.now[i]) {
				m.match[i], m.taken[k] = k, true
				break
			}
		}
	}
}

// sameSides compares the sides in either pairing: a rename may change the
// order.
func (m *matcher) sameSides(a, b *Identity, same func(x, y string) bool) bool {
	pair := func(x, y IdentitySide) bool { return x.Access == y.Access && same(x.Symbol, y.Symbol) }
	return pair(a.Sides[0], b.Sides[0]) && pair(a.Sides[1], b.Sides[1]) ||
		pair(a.Sides[0], b.Sides[1]) && pair(a.Sides[1], b.Sides[0])
}

// renamed tells whether one function was renamed and everything else is the
// same.
func (m *matcher) renamed(a, b *Identity) bool {
	if a.What != b.What || a.Type != b.Type {
		return false
	}
	for _, side := range a.Sides {
		from := root(side.Symbol)
		for _, other := range b.Sides {
			to := root(other.Symbol)
			if !m.replaced(from, to) {
				continue
			}
			same := m.sameSides(a, b, func(x, y string) bool {
				return root(x) == root(y) || root(x) == from && root(y) == to
			})
			if same {
				return true
			}
		}
	}
	return false
}

// moved tells whether only packages differ.
func (m *matcher) moved(a, b *Identity) bool {
	return bare(a.What) == bare(b.What) && bare(a.Type) == bare(b.Type) && m.sameSides(a, b, func(x, y string) bool {
		x, y = root(x), root(y)
		return x == y || bare(x) == bare(y) && m.replaced(x, y)
	})
}

// replaced tells whether the function from is gone and to is new.
func (m *matcher) replaced(from, to string) bool {
	if m.after[from] || !m.after[to] {
		return false
	}
	return m.before == nil || m.before[from] && !m.before[to]
}

// root returns the symbol of the function that a closure is written in, or the
// symbol itself. Closures have it with $1, $2, … appended.
func root(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "$")
	return symbol
}

// bare drops the packages from the names in s.
func bare(s string) string {
	var b strings.Builder
	word := func(w string) {
		w = w[strings.LastIndexByte(w, '/')+1:]
		if _, rest, ok := strings.Cut(w, "."); ok {
			w = rest
		}
		b.WriteString(w)
	}
	start := 0
	for i := range len(s) {
		if strings.IndexByte("*[](){} ,;", s[i]) >= 0 {
			word(s[start:i])
			b.WriteByte(s[i])
			start = i + 1
		}
	}
	word(s[start:])
	return b.String()
}
