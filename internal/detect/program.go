package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/ownership"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
	"github.com/deadheat/deadheat/internal/value"
)

// Config says what is worth reporting.
type Config struct {
	// InScope tells whether the code of a unit is the user's: a finding needs
	// such code on one of its stacks. Nil means all code is.
	InScope func(unit string) bool
	// Near tells whether the code of a unit belongs to the user's, such as other
	// packages of the same module: a finding is placed there. Nil means InScope.
	Near func(unit string) bool
	// Root names the root origin by the function that the runtime called in it.
	// Nil means that it is called main.
	Root func(function string) OriginRef
	// Programs are the names of the programs that are analysed as one, by the
	// number of the alternative (see runs.Result.Alternatives). Nil if it is one.
	Programs []string
}

// Facts are what the engines know of a program.
type Facts struct {
	Points  *pointer.Result
	Runs    *runs.Result
	Sharing *sharing.Result
	Locks   *lockset.Result
	Order   *order.Result
	Owners  *ownership.Result
	Values  *value.Result
}

// Limit is something detection did not look at in full.
type Limit struct {
	Kind  string
	Text  string
	Place Place // of the memory concerned
}

// Program finds the races of a whole program.
func Program(f Facts, cfg Config) ([]Finding, []Limit) {
	d := newDetector(f, cfg)
	for i := range f.Sharing.Cells {
		d.cell(&f.Sharing.Cells[i])
		if f.Points.Stopped() {
			return nil, nil
		}
	}
	return d.findings(), d.limits
}

func newDetector(f Facts, cfg Config) *detector {
	return &detector{Facts: f, cfg: cfg,
		traces:      make(map[pointer.InstID][]step),
		callers:     make(map[pointer.InstID][]runs.Point),
		pairs:       make(map[pairKey]int),
		groups:      make(map[string]groupID),
		grouped:     make([]group, 1),
		pairings:    make(map[string]*pairing),
		waySides:    make(map[string]*side),
		begun:       make(map[string]activations),
		asked:       make(map[string]*asking),
		during:      make(map[string]order.Moment),
		reachable:   make(map[reachedBy]bool),
		contents:    make(map[pointer.Node]slotContent),
		crowdedBy:   make(map[outerCalls]bool),
		living:      make(map[origin.ID]activations),
		receivers:   receivers{cells: make(map[*pointer.Set]bool), objects: make(map[*pointer.Set]map[pointer.ObjectID]bool)},
		listed:      make(map[sharing.Access]sharing.AccessID),
		frameCounts: make(map[runs.Frame]*runs.Result),
		meetings:    make(map[meeting]meetingPlaces),
		laters:      make(map[laterKey]*later),
		staying:     make(map[frameObject]bool),
		holding:     make(map[placeObject]bool),
		witnesses:   make(map[pairOn]witness),
		ownCodes:    make(map[actorIn]map[pointer.InstID]bool),
		reached:     make(map[operand]reached),
		starters:    make(map[origin.ID]pointer.InstID),
		originRefs:  make(map[origin.ID]OriginRef),
		operands:    make(map[pointer.InstID][][]pointer.ObjectID),
		leading:     make(map[pointer.InstID]map[pointer.InstID]bool),
		sent:        make(map[pointer.ObjectID]bool),
		replacedAt:  make(map[runs.Point]bool),
		known:       make(map[origin.ID]map[pointer.ObjectID]bool),
		writers:     make(map[pointer.Node][]sharing.Access),
		forwards:    make(map[runs.Point]ir.Value),
		needed:      make(map[codeBlock][]condition),
		exclusive:   make(map[[2]runs.Point]bool),
		found:       make(map[runs.Point][]runs.Point),

		requirements: make(map[blockOf][]requirement),
		fixed:        make(map[pointer.Node]bool),
	}
}

type detector struct {
	Facts
	cfg         Config
	traces      map[pointer.InstID][]step
	callers     map[pointer.InstID][]runs.Point     // see nearCallers
	pairs       map[pairKey]int                     // the pairs of instructions that race, as indices of races
	groupOf     []groupID                           // by access; noGroup until asked for
	sides       []*side                             // by access; nil until asked for
	listed      map[sharing.Access]sharing.AccessID // numbers of those that come without one
	races       [][]race                            // by pair of instructions: in different cells
	limits      []Limit
	groups      map[string]groupID
	grouped     []group             // by number; the first is not one
	cellsSeen   int32               // how many cells have been looked at
	pairings    map[string]*pairing // by the numbers of the representatives
	waySides    map[string]*side    // see knownSide
	frameCounts map[runs.Frame]*runs.Result
	meetings    map[meeting]meetingPlaces
	laters      map[laterKey]*later // see laterThan
	staying     map[frameObject]bool
	holding     map[placeObject]bool
	witnesses   map[pairOn]witness
	ownCodes    map[actorIn]map[pointer.InstID]bool
	reached     map[operand]reached // see reaches
	starters    map[origin.ID]pointer.InstID
	originRefs  map[origin.ID]OriginRef
	operands    map[pointer.InstID][][]pointer.ObjectID
	leading     map[pointer.InstID]map[pointer.InstID]bool
	firm        *order.Result // order without calls by reflection; nil until asked for
	depths      []int32       // calls from the entry of the origin to an instance; nil until asked for
	sent        map[pointer.ObjectID]bool
	replacedAt  map[runs.Point]bool                     // see replaced
	cells       map[slotKey]*sharing.Cell               // see cellAt; nil until asked for
	known       map[origin.ID]map[pointer.ObjectID]bool // see knows
	marks       []int32                                 // of instances, for callsAny; nil until asked for
	mark        int32                                   // the last one given
	members     map[pointer.InstID][]runs.Point         // starts of the origins of a crowd; nil until asked for
	writers     map[pointer.Node][]sharing.Access       // see writesOf
	forwards    map[runs.Point]ir.Value                 // see misses
	needed      map[codeBlock][]condition               // see conditions
	exclusive   map[[2]runs.Point]bool                  // see exclude
	found       map[runs.Point][]runs.Point             // see foundNeeds
	lookups     map[lookupKey]lookedUp                  // see lookup

	written      *writes                      // see stores; nil until asked for
	requirements map[blockOf][]requirement    // see requirementsAt
	fixed        map[pointer.Node]bool        // see isFixed
	begun        map[string]activations       // see earlyAt
	asked        map[string]*asking           // see ask
	askedKey     []byte                       // the last key of it
	during       map[string]order.Moment      // see momentWithin
	duringKey    []byte                       // the last key of it
	round        int32                        // see findEntrances
	reachable    map[reachedBy]bool           // see reached
	contents     map[pointer.Node]slotContent // see slotValues
	crowdedBy    map[outerCalls]bool          // see outermost
	living       map[origin.ID]activations    // see lives
	receivers    receivers
	made         [][]pointer.ObjectID // see madeBy; nil until asked for
}

// pairKey is a pair of instructions of functions, whatever the origin.
type pairKey struct{ a, b runs.Point }

// race is a pair of accesses that nothing keeps apart.
type race struct {
	cell *sharing.Cell
	a, b side
	weak string // why it is a race only if something unlikely happens; "" if not
}

// side is an access with what is known of its context.
type side struct {
	sharing.Access
	point  runs.Point
	locks  lockset.Side
	past   []lockset.Lock   // waits and onces behind it that its function names like the access
	way    runs.Way         // the calls that lead to it; none means any
	within *within          // the call that its way lies in, if that leads through recursion
	actor  pointer.InstID   // the function that is taken to be run by one instance of the origin, or noActor
	when   order.Moment     // in the whole program
	elems  elements         // which elements of an array it touches
	number sharing.AccessID // or noNumber

	owned    answer
	received answer
	asked    answer       // whether needed is known
	needed   []runs.Point // see needsOf
}

// answer is a question that is put off until it matters.
type answer uint8

const (
	unasked answer = iota
	yes
	no
)

// maxReps bounds the representatives of one cell that are paired, writes first. A
// cell that exceeds it is one that everything touches; a Limit says so.
const maxReps = 128

// maxRepsMany is the same for objects of sites that make many: there the two
// sides of a pair are seldom known to use the same one.
const maxRepsMany = 48

// cell pairs the accesses of a cell and keeps one race for each function that
// writes, of low confidence only if there is no other: against another function or
// another way to the same one if there is any, for two stacks tell more than one;
// else against itself; else against another access of its own. Two functions that
// both write have one race with each other.
func (d *detector) cell(c *sharing.Cell) {
	reps := d.representatives(c)
	reported := make(map[link.FuncID]bool)   // functions of writes
	between := make(map[[2]link.FuncID]bool) // functions that have a race with each other
	faint := make(map[link.FuncID][]race)    // those that nobody will look at first
	var later []link.FuncID                  // the functions of faint, in order
	low := make(map[link.FuncID]int)         // how many of those took a search for ways
	alike := make(map[[2]link.FuncID]int)    // how many of them are of the same two functions
	for _, pairs := range d.pairsOf(reps) {
		for i := range pairs {
			p := &pairs[i]
			if d.Points.Stopped() {
				return
			}
			fn, other := d.funcOf(p.w), d.funcOf(p.o)
			if reported[fn] || len(faint[fn]) == maxFaint || low[fn] == maxLow || between[[2]link.FuncID{fn, other}] ||
				alike[[2]link.FuncID{fn, other}] == maxAlike {
				continue
			}
			if !d.together(p) {
				continue
			}
			if d.wellKnown(p) {
				reported[fn] = true
				continue
			}
			if d.ofInstance(c, p.w, p.o) || d.judgeOn(c, p.w, p.o) != racing {
				continue
			}
			r := d.raceOf(c, p.w, p.o)
			unlikely := d.faint(c, p.w, p.o)
			if !unlikely {
				f, ok := d.explain(&r)
				if unlikely = !ok || f.Confidence == Low; unlikely {
					low[fn]++
					alike[[2]link.FuncID{fn, other}]++
				}
			}
			if unlikely {
				faint[fn] = append(faint[fn], r)
				later = append(later, fn)
				continue
			}
			reported[fn] = true
			between[[2]link.FuncID{other, fn}] = p.o.Kind.Writes()
			d.keep(r)
		}
	}
	for _, f := range later {
		if reported[f] {
			continue
		}
		reported[f] = true
		r := faint[f][0]
		if other := d.funcOf(&r.b); !between[[2]link.FuncID{f, other}] {
			between[[2]link.FuncID{other, f}] = r.b.Kind.Writes()
			d.keep(r)
		}
	}
}

// maxCells bounds the cells in which one pair of instructions races that are
// compared for the one of which most can be said.
const maxCells = 16

// keep notes a race: of each pair of instructions one is reported.
func (d *detector) keep(r race) {
	pk := d.pairKey(&r.a, &r.b)
	k, known := d.pairs[pk]
	if !known {
		k = len(d.races)
		d.pairs[pk] = k
		d.races = append(d.races, nil)
	}
	if len(d.races[k]) < maxCells {
		d.races[k] = append(d.races[k], r)
	}
}

// wellKnown tells whether a pair of instructions races in so many cells that one
// more changes nothing.
func (d *detector) wellKnown(p *sidePair) bool {
	k, known := d.pairs[d.pairKey(p.w, p.o)]
	return known && len(d.races[k]) == maxCells
}

// maxFaint bounds the races of low confidence that are found for one function
// before no better one is looked for.
const maxFaint = 8

// maxLow is the same for those that are of low confidence by the ways that lead to
// them, which take longer to find.
const maxLow = 6

// maxAlike bounds those of two functions, so that others are looked at too.
const maxAlike = 3

func (d *detector) pairKey(a, b *side) pairKey {
	x := runs.Point{Inst: pointer.InstID(d.Points.Instances[a.Inst].Func), Instr: a.Instr}
	y := runs.Point{Inst: pointer.InstID(d.Points.Instances[b.Inst].Func), Instr: b.Instr}
	if y.Inst < x.Inst || y.Inst == x.Inst && y.Instr < x.Instr {
		x, y = y, x
	}
	return pairKey{x, y}
}

// representatives returns one access for each group that no question tells
// apart: same instance, same kind, same locks, same order segment.
func (d *detector) representatives(c *sharing.Cell) []*side {
	d.cellsSeen++
	var reps []*side
	for i := range c.Accesses {
		id := d.sideID(&c.Accesses[i])
		if g := &d.grouped[d.groupOf[id]]; g.cell != d.cellsSeen {
			g.cell = d.cellsSeen
			reps = append(reps, d.sides[id])
		}
	}
	limit := maxReps
	if !d.Runs.Unique(c.Object) {
		limit = maxRepsMany
	}
	if len(reps) > limit {
		d.limits = append(d.limits, Limit{"crowded", "so many different accesses that not all pairs of them were compared", d.object(c.Object).Place})
	}
	// Writes first: a pair is found from its write. Of too many, those that hold no
	// lock matter most.
	var ranks [4][]*side
	for _, s := range reps {
		r := 0
		if !s.Kind.Writes() {
			r = 2
		}
		if len(reps) > limit && d.grouped[d.groupOf[s.number]].locked {
			r++
		}
		ranks[r] = append(ranks[r], s)
	}
	reps = slices.Concat(ranks[:]...)
	return reps[:min(len(reps), limit)]
}

// sideOf returns an access with its context, computed once: the cells of one
// object are often touched by the same accesses.
func (d *detector) sideOf(acc sharing.Access) *side {
	return d.sides[d.sideID(&acc)]
}

// sideID returns the number under which the side of an access is kept, and its
// group.
func (d *detector) sideID(acc *sharing.Access) sharing.AccessID {
	if d.sides == nil {
		d.sides = make([]*side, d.Sharing.Accesses)
		d.groupOf = make([]groupID, d.Sharing.Accesses)
	}
	id := acc.ID
	if id == sharing.NoAccess {
		var known bool
		if id, known = d.listed[*acc]; !known {
			id = sharing.AccessID(len(d.sides))
			d.listed[*acc] = id
			d.sides = append(d.sides, nil)
			d.groupOf = append(d.groupOf, noGroup)
		}
	}
	if d.groupOf[id] == noGroup {
		s := d.newSide(*acc)
		s.number = id
		d.sides[id] = &s
		d.groupOf[id] = d.addGroup(&s)
	}
	return id
}

// newSide returns an access with its context.
func (d *detector) newSide(acc sharing.Access) side {
	s := side{Access: acc, point: runs.Point{Inst: acc.Inst, Instr: acc.Instr}, actor: noActor}
	if d.isWait(&s) {
		s.point.Instr++ // what matters is when the wait returns
	}
	s.locks = lockset.Side{Inst: acc.Inst, Locks: d.taken(d.Locks.At(acc.Inst, acc.Instr)), Path: d.Locks.Paths(acc.Inst).Value(acc.Addr)}
	s.past = d.pastOf(&s)
	s.when = d.Order.Moment(s.point)
	s.elems = d.elementsOf(&s)
	return s
}

// view is run counts and order, of the whole program or of a frame.
type view struct {
	runs  *runs.Result
	order *order.Result
}

func (d *detector) instr(s *side) *ir.Instr {
	return &d.Points.Body(s.Inst).Instrs[s.Instr]
}

func (d *detector) owned(s *side) bool {
	if s.owned == unasked {
		s.owned = no
		if d.Owners.OwnedVia(s.Inst, s.Instr, s.Addr, s.way) {
			s.owned = yes
		}
	}
	return s.owned == yes
}

// isWait tells whether an access is the wait of a group.
func (d *detector) isWait(s *side) bool {
	in := d.instr(s)
	return in.Op == ir.OpGroup && ir.GroupKind(in.Sub) == ir.GroupWait
}

// bothWait tells whether two accesses both wait for a group, which any number
// may do at once.
func (d *detector) bothWait(a, b *side) bool { return d.isWait(a) && d.isWait(b) }
