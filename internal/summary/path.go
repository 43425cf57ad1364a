package summary

import (
	"cmp"
	"strconv"
	"strings"
	"sync"
)

// Kind says what a step of a path is.
type Kind uint8

const (
	Param   Kind = iota // root: parameter N
	Capture             // root: captured value N
	Global              // root: the address of the global Name
	Result              // root: result N, as the caller gets it
	fresh               // root: the object made by instruction N; only inside one function
	local               // root: the value of instruction N, of unknown make; only inside one function
	Field               // the field Name of a struct of type Owner
	Deref               // what is stored at an address
	Index               // the element with the constant index N
	Elem                // an element: see the constants below
	Ref                 // the address of a variable that holds the value before; only in captures
	As                  // an interface value taken to be of the concrete type Name
)

// Identity of an element's index. Inside one function the index is known by its
// register; outside it matters only whether a lock and an access went through
// the same element.
const (
	anyElem   int32 = iota // of an access, or of a lock that shares it with its access
	otherElem              // of a lock: an element that its access does not go through
	firstElem              // of register N-firstElem
)

// Step is one step of a path. N depends on the kind; for fields and globals it
// is the number of a Symbol.
type Step struct {
	Kind Kind
	N    int32
}

// Symbol names a field of a type, or a global (with an empty Owner).
type Symbol struct{ Owner, Name string }

// Path is an interned sequence of steps. Equal paths have equal IDs within one
// Paths.
type Path int32

// NoPath is the path of what is no address.
const NoPath Path = -1

// maxSteps bounds the length of a path. Longer ones are cut off, which is
// noted (Summary.Truncated).
const maxSteps = 12

const (
	blockBits = 12
	blockSize = 1 << blockBits
	maxBlocks = 1 << 12
)

// Paths interns paths for all functions of a run. Reading a path that another
// goroutine made needs no lock, since blocks never move and whoever knows an ID
// got it after its node was written.
type Paths struct {
	mu     sync.Mutex
	ids    map[node]Path // guarded by mu
	n      int32         // guarded by mu
	blocks [maxBlocks]*[blockSize]node

	symMu   sync.RWMutex
	symIDs  map[Symbol]int32 // guarded by symMu
	symbols []Symbol         // guarded by symMu
}

type node struct {
	parent Path
	len    int32
	step   Step
}

// NewPaths returns an empty table.
func NewPaths() *Paths {
	return &Paths{ids: make(map[node]Path), symIDs: make(map[Symbol]int32)}
}

// FieldStep returns the step to a field of a type.
func (t *Paths) FieldStep(owner, name string) Step {
	return Step{Kind: Field, N: t.symbol(Symbol{owner, name})}
}

// GlobalRoot returns the root for a global.
func (t *Paths) GlobalRoot(name string) Step {
	return Step{Kind: Global, N: t.symbol(Symbol{"", name})}
}

func (t *Paths) symbol(s Symbol) int32 {
	t.symMu.Lock()
	defer t.symMu.Unlock()
	if id, ok := t.symIDs[s]; ok {
		return id
	}
	id := int32(len(t.symbols))
	t.symbols = append(t.symbols, s)
	t.symIDs[s] = id
	return id
}

// named tells whether N is the number of a Symbol.
func (k Kind) named() bool { return k == Field || k == Global || k == As }

// asStep returns the step that takes an interface value for one type.
func (t *Paths) asStep(typ string) Step { return Step{Kind: As, N: t.symbol(Symbol{"", typ})} }

// Symbol returns what a field or global step names.
func (t *Paths) Symbol(s Step) Symbol {
	if !s.Kind.named() {
		return Symbol{}
	}
	t.symMu.RLock()
	defer t.symMu.RUnlock()
	return t.symbols[s.N]
}

func (t *Paths) at(p Path) *node { return &t.blocks[p>>blockBits][p&(blockSize-1)] }

func (t *Paths) intern(n node) Path {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.ids[n]; ok {
		return p
	}
	p := Path(t.n)
	if p>>blockBits >= maxBlocks {
		return NoPath
	}
	if t.blocks[p>>blockBits] == nil {
		//deadheat:ignore race who has a path got it after the block was there
		t.blocks[p>>blockBits] = new([blockSize]node)
	}
	//deadheat:ignore race who has a path got it after the node was there
	*t.at(p) = n
	t.n++
	t.ids[n] = p
	return p
}

// Root returns the path that consists of a root alone.
func (t *Paths) Root(s Step) Path { return t.intern(node{parent: NoPath, step: s}) }

// Extend returns p followed by s; NoPath if that would be too long.
func (t *Paths) Extend(p Path, s Step) Path {
	if p == NoPath {
		return NoPath
	}
	n := t.at(p).len + 1
	if n >= maxSteps || s.Kind == Field && n > 3 && t.repeats(p, s) {
		return NoPath
	}
	return t.intern(node{parent: p, len: n, step: s})
}

// repeats tells whether a field is on a path twice already: the way into a
// recursive structure, of which two steps say as much as three.
func (t *Paths) repeats(p Path, s Step) bool {
	n := 0
	for ; p != NoPath; p = t.at(p).parent {
		if t.at(p).step == s {
			n++
		}
	}
	return n >= 2
}

// Last returns the last step of p.
func (t *Paths) Last(p Path) Step { return t.at(p).step }

// Parent returns p without its last step; NoPath for a root.
func (t *Paths) Parent(p Path) Path { return t.at(p).parent }

// Len returns the number of steps after the root.
func (t *Paths) Len(p Path) int { return int(t.at(p).len) }

// Base returns the root of p.
func (t *Paths) Base(p Path) Path {
	for t.at(p).parent != NoPath {
		p = t.at(p).parent
	}
	return p
}

// Steps returns the steps of p, the root first.
func (t *Paths) Steps(p Path) []Step {
	n := t.at(p).len + 1
	out := make([]Step, n)
	for ; p != NoPath; p = t.at(p).parent {
		n--
		out[n] = t.at(p).step
	}
	return out
}

// Make interns a sequence of steps.
func (t *Paths) Make(steps []Step) Path {
	if len(steps) == 0 {
		return NoPath
	}
	p := t.Root(steps[0])
	for _, s := range steps[1:] {
		p = t.Extend(p, s)
	}
	return p
}

// Compare orders paths by their steps, whatever their IDs.
func (t *Paths) Compare(a, b Path) int {
	if a == b {
		return 0
	}
	if a == NoPath || b == NoPath {
		return cmp.Compare(a, b)
	}
	x, y := t.Steps(a), t.Steps(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if c := t.compareSteps(x[i], y[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(x), len(y))
}

func (t *Paths) compareSteps(a, b Step) int {
	if a == b {
		return 0
	}
	if a.Kind == b.Kind && a.Kind.named() {
		x, y := t.Symbol(a), t.Symbol(b)
		return cmp.Or(strings.Compare(x.Owner, y.Owner), strings.Compare(x.Name, y.Name))
	}
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.N, b.N))
}

// common returns how many leading steps, the root included, two paths share.
func common(a, b []Step) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// Name spells a path; root gives the root's name.
func (t *Paths) Name(p Path, root func(Step) string) string {
	if p == NoPath {
		return "?"
	}
	var b strings.Builder
	for i, s := range t.Steps(p) {
		switch {
		case i == 0:
			b.WriteString(root(s))
		case s.Kind == Field:
			if name := t.Symbol(s).Name; !strings.HasPrefix(name, "$") {
				b.WriteString("." + name)
			}
		case s.Kind == Index:
			b.WriteString("[" + strconv.Itoa(int(s.N)) + "]")
		case s.Kind == Elem:
			b.WriteString("[…]")
		}
	}
	return b.String()
}

// String spells a path for tests: p0 is a parameter, c0 a capture, r0 a
// result, * a load.
func (t *Paths) String(p Path) string {
	if p == NoPath {
		return "?"
	}
	var b strings.Builder
	for _, s := range t.Steps(p) {
		switch s.Kind {
		case Param, Capture, Result, fresh, local:
			b.WriteString(string("pcgrnv"[s.Kind]) + strconv.Itoa(int(s.N)))
		case Global:
			b.WriteString("$" + t.Symbol(s).Name)
		case Field:
			b.WriteString("." + t.Symbol(s).Name)
		case Deref:
			b.WriteByte('*')
		case Index:
			b.WriteString("[" + strconv.Itoa(int(s.N)) + "]")
		case Elem:
			b.WriteString([]string{"[_]", "[?]", "[v]"}[min(s.N, firstElem)])
		case Ref:
			b.WriteByte('&')
		case As:
			b.WriteString("(" + t.Symbol(s).Name + ")")
		}
	}
	return b.String()
}
