package detect

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Answer is what the analysis knows of one or two lines in one program.
type Answer struct {
	Lines []LineAnswer
	// Pairs are the pairs of an access of the first line with one of the second or,
	// if only one line was asked for, with any of the program, as far as the two
	// reach the same memory.
	Pairs []Pair
}

// Line is a line of a source file that is asked for. With a column, accesses
// there are meant, if there are any.
type Line struct {
	File string // as the front end recorded it
	Line int
	Col  int // 0: the whole line
}

// LineAnswer is what is known of a line.
type LineAnswer struct {
	Line     Line
	Function string // that it is in, "" if in none
	State    LineState
	Text     Sentence // why there is nothing to say, unless State is LineAccesses
	Accesses []LineAccess
}

// LineState says what a line has to do with memory.
type LineState uint8

const (
	LineAccesses  LineState = iota
	LineQuiet               // code that accesses no memory
	LineNoCode              // a comment, a declaration, a file that is not part of the program
	LineUnreached           // no entry point reaches its function
	LineModelled            // a model stands for its function
)

func (s LineState) String() string {
	return [...]string{"accesses", "no-access", "no-code", "unreached", "modelled"}[s]
}

// LineAccess is an access on a line, in whatever context.
type LineAccess struct {
	Use
	What     string // the memory in the program's own words
	Library  string // the library function called here that makes the access, "" if the line does it itself
	Alone    bool   // one origin instance alone uses the memory
	Paired   bool   // it is in one of the pairs
	Memory   []Memory
	Contexts []Context
	Sharers  []Sharer
	Never    Sentence // why it never runs; empty if it can
}

// Memory is a cell that an access may lead to.
type Memory struct {
	Name    string
	Object  Object
	Several bool // the place makes several objects
}

// Context is what holds when an origin makes an access.
type Context struct {
	Origin OriginRef
	Locks  []HeldLock
	Maybe  []HeldLock // held on some ways only
	Owned  bool       // nobody else knows the object yet
	Until  Place      // Owned: where others first learn of it
}

// Sharer is an origin that touches the memory of an access.
type Sharer struct {
	Origin        OriginRef
	Reads, Writes bool
}

// Pair is what two accesses come to.
type Pair struct {
	What          string // the memory as the first side names it
	First, Second Use
	Race          bool
	Finding       *Finding  // of a race: how it would be reported; nil if none of the code is in scope
	Reported      string    // of a race: fingerprint of the finding that reports it, "" if none does
	Into          [2]Place  // Reported: the places of that finding, if it is about another pair
	Verdicts      []Verdict // otherwise: what keeps the accesses apart, one for each way to do so

	explained int
}

// Why answers a question about one or two lines. It looks for races in the cells
// of these lines only; what it says of them is what detection of the whole program
// would.
func Why(f Facts, cfg InspectConfig, lines []Line) Answer {
	w := &whyQuestion{inspector: newInspector(f, cfg), cells: make(map[pointer.Node]*sharing.Cell), races: make(map[pointer.Node]bool)}
	var answer Answer
	var spots [][]*spot
	for _, l := range lines {
		spots = append(spots, w.find(l))
	}
	w.fillCells(spots)
	for i, l := range lines {
		answer.Lines = append(answer.Lines, w.line(l, spots[i]))
	}
	if len(lines) == 2 {
		answer.Pairs = w.pairs(spots[0], spots[1])
	} else {
		answer.Pairs = w.pairs(spots[0], w.others(spots[0]))
	}
	w.report(answer.Pairs)
	for _, l := range answer.Lines {
		for i := range l.Accesses {
			acc := &l.Accesses[i]
			acc.Paired = slices.ContainsFunc(answer.Pairs, func(p Pair) bool { return p.First == acc.Use || p.Second == acc.Use })
		}
	}
	return answer
}

// whyQuestion is one call of Why.
type whyQuestion struct {
	*inspector
	cells map[pointer.Node]*sharing.Cell
	races map[pointer.Node]bool // cells of pairs that race
}

// spot is an access in the source: all accesses of the program that a report
// shows at the same place with the same kind.
type spot struct {
	use     Use
	library string
	hits    []hit
}

// hit is an access in one context with a cell that it leads to; node is
// negative if it leads nowhere.
type hit struct {
	access sharing.Access
	node   pointer.Node
}

// fillCells collects all accesses that can run of the cells that the spots
// touch.
func (w *whyQuestion) fillCells(spots [][]*spot) {
	for _, list := range spots {
		for _, s := range list {
			for _, h := range s.hits {
				if h.node >= 0 && w.cells[h.node] == nil {
					obj, slot := w.Points.Object(h.node)
					w.cells[h.node] = &sharing.Cell{Object: obj, Slot: slot}
				}
			}
		}
	}
	w.eachCell(func(a sharing.Access, _ pointer.ObjectID, n pointer.Node) {
		if c := w.cells[n]; c != nil {
			c.Accesses = append(c.Accesses, a)
		}
	})
}

// others returns the spots of all accesses of the same cells.
func (w *whyQuestion) others(spots []*spot) []*spot {
	b := w.newSpots()
	seen := make(map[pointer.Node]bool)
	for _, s := range spots {
		for _, h := range s.hits {
			if h.node < 0 || seen[h.node] {
				continue
			}
			seen[h.node] = true
			for _, a := range w.cells[h.node].Accesses {
				b.add(a, h.node)
			}
		}
	}
	return b.sorted()
}

// line describes the accesses of a line.
func (w *whyQuestion) line(l Line, spots []*spot) LineAnswer {
	answer := LineAnswer{Line: l}
	answer.Function, answer.State, answer.Text = w.lineState(l)
	for _, s := range spots {
		answer.State, answer.Text = LineAccesses, nil
		answer.Accesses = append(answer.Accesses, w.describe(s))
	}
	return answer
}

func (w *whyQuestion) describe(s *spot) LineAccess {
	acc := LineAccess{Use: s.use, Library: s.library, Never: w.never(s), Alone: true}
	seen := make(map[pointer.Node]bool)
	for _, h := range s.hits {
		if h.node >= 0 && !seen[h.node] {
			seen[h.node] = true
			c := w.cells[h.node]
			m := Memory{w.cellName(c.Object, c.Slot), w.object(c.Object), !w.Runs.Unique(c.Object)}
			if s.use.Op != "" {
				m.Name = withoutPart(m.Name)
			}
			if !slices.Contains(acc.Memory, m) {
				acc.Memory = append(acc.Memory, m)
			}
			acc.Alone = acc.Alone && !w.isShared(c.Object, c.Accesses)
			for _, a := range c.Accesses {
				for _, o := range w.originsOf(a.Inst) {
					acc.Sharers = addSharer(acc.Sharers, o, a.Kind)
				}
			}
		}
		if ctx := w.context(h.access); !slices.ContainsFunc(acc.Contexts, func(c Context) bool { return reflect.DeepEqual(c, ctx) }) {
			acc.Contexts = append(acc.Contexts, ctx)
		}
	}
	acc.What = w.spotName(s)
	slices.SortFunc(acc.Memory, func(a, b Memory) int {
		return cmp.Or(comparePlaces(a.Object.Place, b.Object.Place), strings.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(acc.Contexts, func(a, b Context) int { return compareOrigins(a.Origin, b.Origin) })
	slices.SortFunc(acc.Sharers, func(a, b Sharer) int { return compareOrigins(a.Origin, b.Origin) })
	return acc
}

func compareOrigins(a, b OriginRef) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Name, b.Name), comparePlaces(a.Start, b.Start))
}

func addSharer(list []Sharer, o OriginRef, k sharing.Kind) []Sharer {
	i := slices.IndexFunc(list, func(s Sharer) bool { return s.Origin == o })
	if i < 0 {
		i = len(list)
		list = append(list, Sharer{Origin: o})
	}
	list[i].Writes = list[i].Writes || k.Writes()
	list[i].Reads = list[i].Reads || !k.Writes()
	return list
}

func (w *whyQuestion) context(a sharing.Access) Context {
	ctx := Context{Origin: w.originOf(a.Inst)}
	for _, l := range w.Locks.At(a.Inst, a.Instr) {
		held := HeldLock{Name: w.lockName(a.Inst, l), Shared: l.Mode != 0, Place: w.place(l.Taken.Inst, l.Taken.Instr)}
		if l.Maybe {
			ctx.Maybe = append(ctx.Maybe, held)
		} else {
			ctx.Locks = append(ctx.Locks, held)
		}
	}
	if ctx.Owned = w.Owners.Owned(a.Inst, a.Instr, a.Addr); ctx.Owned {
		ctx.Until = w.firstPlace(w.Owners.Publications(a.Inst, a.Instr, a.Addr))
	}
	return ctx
}

// withoutPart drops the last part of a name: a lock or group is accessed by its
// first word, whatever that is called.
func withoutPart(name string) string {
	if k := strings.LastIndexByte(name, '.'); k > 0 {
		return name[:k]
	}
	return name
}

// spotName names the memory of a spot as its code does.
func (w *whyQuestion) spotName(s *spot) string {
	h := s.hits[0]
	name := w.Locks.Paths(h.access.Inst).Name(w.sideOf(h.access).locks.Path)
	if s.use.Op != "" && name != "" {
		return name
	}
	for _, h := range s.hits {
		if h.node >= 0 {
			name, _ := w.what(&race{cell: w.cells[h.node], a: *w.sideOf(h.access), b: *w.sideOf(h.access)})
			return name
		}
	}
	return name
}

// never says why no access of a spot ever runs.
func (w *whyQuestion) never(s *spot) Sentence {
	var text Sentence
	for _, h := range s.hits {
		k, dead := w.Values.Decider(h.access.Inst, h.access.Instr)
		if !dead {
			return nil
		}
		text = plain("the condition").at(" at ", w.near(h.access.Inst, k)).say(" always comes out the other way")
	}
	return text
}
