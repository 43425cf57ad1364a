package order

import (
	"reflect"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/value"
)

// Result answers order questions.
type Result struct {
	pts      *pointer.Result
	runs     *runs.Result
	worlds   []*world
	byObject map[pointer.Node][]cutRef
	reach    [][]bool // reach[o][d]: d is o or a descendant of o
	only     [][]bool // only[o][d]: every start of d leads through o

	tested map[pointer.Node]bool // flags that branches test
	tests  map[runs.Point][]branchTest
	handed map[pointer.Node]bool // locks that somebody releases who does not hold them
	locks  Locks
	values Values
	skip   func(pointer.InstID, int32) bool // calls that are taken not to be made; nil for none

	code    map[link.FuncID]*code // shared with the orders within frames
	indices []int32               // by rank; see index

	memo     map[runs.Point]*sets
	segments map[segmentKey]*sets
	phases   map[phaseKey]int32
	answers  map[question]bool
	starts   map[startQuestion]bool
	chains   map[chain]bool       // of the question being asked
	spans    map[question]span    // of chains, whatever the question
	releases map[*cut][]cutRef    // see findReleases
	setters  map[*cut]flagSetters // see settersOf

	callees  map[pointer.InstID]map[pointer.InstID]bool // what an instance calls, itself included
	inner    map[runs.Frame]*Result                     // order within frames, shared by all
	joined   map[enclosure]bool
	scopes   map[runs.Point]bool // starts: whether they are waited for by who makes them
	turns    map[joinQuestion]bool
	starters map[[2]origin.ID]pointer.InstID
	onces    map[pointer.InstID]pointer.Node
	winners  map[int32][]pointer.Node // by segment
}

type cutRef struct {
	origin origin.ID
	cut    int32
}

// Locks is what order needs to know of locks.
type Locks interface {
	// Guarded tells whether two accesses of the same memory hold a common lock.
	Guarded(a, b runs.Point) bool
	// Held tells whether a lock is surely held at a point.
	Held(p runs.Point, lock pointer.Node) bool
}

// Values is what order needs to know of conditions.
type Values interface {
	// Edge tells whether control can go from a block to its successor k.
	Edge(inst pointer.InstID, b ir.BlockID, k int) bool
	// Runs tells whether control can get to an instruction.
	Runs(inst pointer.InstID, instr int32) bool
	// Pass returns what a call tells whom it calls, by an instance that was told
	// something itself.
	Pass(inst pointer.InstID, instr int32, told value.Passed) value.Passed
	// RunsIn is Runs in an activation that was told something.
	RunsIn(inst pointer.InstID, instr int32, told value.Passed) bool
}

// Analyze prepares the cuts of all origins.
func Analyze(pts *pointer.Result, rs *runs.Result, locks Locks, values Values) *Result {
	r := &Result{pts: pts, runs: rs, locks: locks, values: values,
		code:    make(map[link.FuncID]*code),
		inner:   make(map[runs.Frame]*Result),
		indices: make([]int32, len(rs.Instances())),
	}
	r.analyze()
	return r
}

// Without returns the order of a program in which some calls are never made.
func (r *Result) Without(skip func(pointer.InstID, int32) bool) *Result {
	out := &Result{pts: r.pts, runs: r.runs, locks: r.locks, values: r.values, skip: skip, code: r.code, inner: r.inner,
		indices: make([]int32, len(r.runs.Instances()))}
	out.analyze()
	return out
}

// Within returns the order within the frame that run counts are of.
func (r *Result) Within(rs *runs.Result) *Result {
	f := rs.Frame()
	in := r.inner[f]
	if in == nil {
		in = &Result{pts: r.pts, runs: rs, locks: r.locks, values: r.values, code: r.code, inner: r.inner,
			indices: make([]int32, len(rs.Instances()))}
		in.analyze()
		r.inner[f] = in
	}
	return in
}

func (r *Result) analyze() {
	r.byObject = make(map[pointer.Node][]cutRef)
	r.memo = make(map[runs.Point]*sets)
	r.segments = make(map[segmentKey]*sets)
	r.phases = make(map[phaseKey]int32)
	r.answers = make(map[question]bool)
	r.starts = make(map[startQuestion]bool)
	r.chains = make(map[chain]bool)
	r.spans = make(map[question]span)
	r.releases = make(map[*cut][]cutRef)
	r.setters = make(map[*cut]flagSetters)
	r.callees = make(map[pointer.InstID]map[pointer.InstID]bool)
	r.joined = make(map[enclosure]bool)
	r.scopes = make(map[runs.Point]bool)
	r.turns = make(map[joinQuestion]bool)
	r.starters = make(map[[2]origin.ID]pointer.InstID)
	r.onces = make(map[pointer.InstID]pointer.Node)
	r.winners = make(map[int32][]pointer.Node)
	r.collect()
	r.family()
}

// index returns the place of an instance in the world of its origin.
func (r *Result) index(id pointer.InstID) int32 {
	if k := r.runs.Rank(id); k >= 0 {
		return r.indices[k]
	}
	return 0
}

// family computes which origins descend from which, and which can only be
// started through which.
func (r *Result) family() {
	n := len(r.worlds)
	r.reach = make([][]bool, n)
	r.only = make([][]bool, n)
	for o := 0; o < n; o++ {
		if r.worlds[o] != nil {
			r.reach[o] = r.descendants(origin.ID(o), origin.None)
		}
	}
	for o := 0; o < n; o++ {
		if r.worlds[o] == nil {
			continue
		}
		// d depends on o if no root reaches d when o is taken away.
		free := make([]bool, n)
		for root := 0; root < n; root++ {
			if r.worlds[root] != nil && r.runs.Root(origin.ID(root)) && root != o {
				for d, ok := range r.descendants(origin.ID(root), origin.ID(o)) {
					free[d] = free[d] || ok
				}
			}
		}
		r.only[o] = make([]bool, n)
		for d := 0; d < n; d++ {
			r.only[o][d] = r.reach[o][d] && !free[d]
		}
	}
}

func (r *Result) descendants(from, without origin.ID) []bool {
	seen := make([]bool, len(r.worlds))
	seen[from] = true
	for changed := true; changed; {
		changed = false
		for d := range r.worlds {
			if seen[d] || origin.ID(d) == without || r.worlds[d] == nil {
				continue
			}
			for _, p := range r.runs.SpawnsOf(origin.ID(d)) {
				if o := r.origin(p); seen[o] && o != without {
					seen[d], changed = true, true
					break
				}
			}
		}
	}
	return seen
}

// maxDepth bounds chains of waits and starts.
const maxDepth = 6

// Before tells whether everything at a is finished before anything at b
// begins, in all executions. a and b are in different origins, or in different
// instances of one.
func (r *Result) Before(a, b Moment) bool {
	r.forgetChains()
	if a.alone != nil || b.alone != nil || r.onceOnWay(a) {
		return r.before(a, b, maxDepth)
	}
	key := question{a: r.earlier(a), b: b.sets.past}
	ok, known := r.answers[key]
	if !known {
		ok = r.beforeAny(a, b, maxDepth)
		r.answers[key] = ok
	}
	return ok || r.afterTurns(a, b)
}

// earlier is all that beforeAny asks of the earlier of two moments, if it is not
// alone with some code.
type earlier struct {
	phase int32
	once  pointer.Node // that the moment is in, or noNode
}

// question is all that beforeAny asks of two moments: of the later one it asks
// what must have been executed, for that is what it may have waited for.
type question struct {
	a earlier
	b int32
}

// startQuestion is all that beforeStarts asks.
type startQuestion struct {
	a earlier
	d origin.ID
}

func (r *Result) earlier(a Moment) earlier {
	once, ok := r.onceBy(a)
	if !ok {
		once = noNode
	}
	return earlier{a.sets.phase, once}
}

func (r *Result) before(a, b Moment, depth int) bool {
	return depth > 0 && (r.beforeAny(a, b, depth) || r.afterTurns(a, b))
}

// chain is a step of a chain of waits and starts back from the later moment of a
// question to the earlier one, which is alone with some code or reached by a way.
type chain struct {
	a, b  int32       // segments
	at    runs.Point  // of a
	way   *runs.Point // of a: its first call
	calls int         // of that way
	alone uintptr     // of a: the code that it is alone with
	depth int
}

func chainOf(a, b Moment, depth int) chain {
	c := chain{a: a.sets.segment, b: b.sets.segment, at: a.Point, alone: reflect.ValueOf(a.alone).Pointer(), depth: depth}
	if len(a.way.Calls) > 0 {
		c.way, c.calls = &a.way.Calls[0], len(a.way.Calls)
	}
	return c
}

// span is at which depths a chain leads from one moment to another: a longer chain
// finds all that a shorter one does.
type span struct {
	no  int8 // none up to this depth, 0 if not asked yet
	yes int8 // one from this depth on, 0 if none is known
}

// maxSpans bounds those that are remembered.
const maxSpans = 1 << 22

// forgetChains begins a question.
func (r *Result) forgetChains() {
	if len(r.chains) > 0 {
		r.chains = make(map[chain]bool)
	}
	if len(r.spans) > maxSpans {
		r.spans = make(map[question]span)
	}
}

// beforeCut is before for a cut on the way of a chain. Many chains lead to the
// same cut.
func (r *Result) beforeCut(a Moment, p runs.Point, depth int) bool {
	b := r.Moment(p)
	switch {
	case depth <= 0:
		return false
	case a.alone != nil, r.onceOnWay(a): // it depends on more than the segment
		key := chainOf(a, b, depth)
		ok, known := r.chains[key]
		if !known {
			ok = r.beforeAny(a, b, depth)
			r.chains[key] = ok
		}
		return ok || r.afterTurns(a, b)
	}
	return r.beforeWithin(a, b, depth) || r.afterTurns(a, b)
}

// beforeWithin is beforeAny, asked once for each depth for which the answer does
// not follow from others.
func (r *Result) beforeWithin(a, b Moment, depth int) bool {
	key := question{a: r.earlier(a), b: b.sets.past}
	known := r.spans[key]
	switch {
	case known.yes > 0 && int(known.yes) <= depth:
		return true
	case depth <= int(known.no):
		return false
	}
	ok := r.beforeAny(a, b, depth)
	known = r.spans[key]
	if ok {
		known.yes = int8(depth)
	} else {
		known.no = int8(depth)
	}
	r.spans[key] = known
	return ok
}

// beforeAny is before for all moments with the same sets as a and b.
func (r *Result) beforeAny(a, b Moment, depth int) bool {
	oa, ob := r.origin(a.Point), r.origin(b.Point)
	if r.beforeStart(a, ob) {
		return true
	}
	if r.afterWait(a, b, depth) {
		return true
	}
	return ob != oa && r.beforeAllStarts(a, ob, depth)
}

// beforeAllStarts is beforeStarts, remembered for whole questions: their later
// moments are many, and are in few origins.
func (r *Result) beforeAllStarts(a Moment, d origin.ID, depth int) bool {
	if depth < maxDepth || a.alone != nil {
		return r.beforeStarts(a, d, depth)
	}
	key := startQuestion{r.earlier(a), d}
	ok, known := r.starts[key]
	if !known {
		ok = r.beforeStarts(a, d, depth)
		r.starts[key] = ok
	}
	return ok
}

// maxStarters bounds the origins through which starts are followed.
const maxStarters = 64

// beforeStarts is R-ORDER-2: a is before every start of an origin, or before all
// of the origin that starts it. Origins that start each other may be taken to come
// after a while that is found out, since every instance has a first one above it
// that none of them started.
func (r *Result) beforeStarts(a Moment, d origin.ID, depth int) bool {
	oa := r.origin(a.Point)
	list := []origin.ID{d}
	for i := 0; i < len(list); i++ {
		points := r.runs.SpawnsOf(list[i])
		if len(points) == 0 || len(list) > maxStarters {
			return false
		}
		for _, p := range points {
			o := r.origin(p)
			switch {
			case !r.values.Runs(p.Inst, p.Instr):
			case o == oa:
				if !r.precedes(a, p) && !r.passedOnce(a, p) {
					return false
				}
			case slices.Contains(list, o) || r.beforeStart(a, o):
			case depth > 1 && r.afterWaits(a, r.Moment(p), depth-1):
			default:
				list = append(list, o)
			}
		}
	}
	return true
}

// afterWaits tells whether b comes after a because of what its origin has waited
// for.
func (r *Result) afterWaits(a, b Moment, depth int) bool {
	return r.afterWait(a, b, depth) || r.afterTurns(a, b)
}

func (r *Result) origin(p runs.Point) origin.ID { return r.pts.Instances[p.Inst].Origin }

// beforeStart is R-ORDER-1.
func (r *Result) beforeStart(a Moment, d origin.ID) bool {
	o := r.origin(a.Point)
	if o == d || r.runs.Many(o) && a.alone == nil || !r.only[o][d] {
		return false
	}
	spawns := r.leading(o, d)
	if a.sets.may.overlaps(spawns) {
		return false
	}
	ok := true
	if r.runs.Many(o) {
		spawns.each(func(k int32) { ok = ok && a.alone[r.worlds[o].cuts[k].point.Inst] })
	}
	return ok
}

// leading returns the spawns of an origin that may lead to another.
func (r *Result) leading(o, d origin.ID) set {
	w := r.world(o)
	s, known := w.leading[d]
	if !known {
		s = newSet(len(w.cuts))
		for k := range w.cuts {
			for _, x := range w.cuts[k].spawns {
				if r.reach[x][d] {
					s.add(int32(k))
				}
			}
		}
		w.leading[d] = s
	}
	return s
}

// precedes tells whether a is over whenever the cut at p of the same origin is
// executed: the cut is not among those that may have been executed before a.
func (r *Result) precedes(a Moment, p runs.Point) bool {
	o := r.origin(a.Point)
	if !r.single(a, p.Inst) {
		return false
	}
	w := r.world(o)
	may := a.sets.may
	for _, k := range w.byPoint[runs.Point{Inst: p.Inst, Instr: p.Instr}] {
		if may.has(k) {
			return false
		}
	}
	return true
}

// afterWait is R-ORDER-3, 4 and 9: b must have waited for something that
// cannot have come before a was over.
func (r *Result) afterWait(a, b Moment, depth int) bool {
	w := r.world(r.origin(b.Point))
	for _, k := range b.sets.waits {
		if r.endedAfter(a, &w.cuts[k], depth) || r.drained(a, b, k) {
			return true
		}
	}
	if _, ok := r.roundsBefore(a, b); ok {
		return true
	}
	_, ok := r.counted(a, b, depth)
	return ok
}

// endedAfter tells whether a wait cannot have ended before a was over.
func (r *Result) endedAfter(a Moment, c *cut, depth int) bool {
	switch {
	case c.test != nil:
		return !c.test.allows(0) && r.flagSet(a, c, depth) || r.afterLast(a, c)
	case c.tally != nil, c.drain != nil:
		return false // see counted, drained
	case c.closed:
		return r.allAfter(a, c, depth, func(s *cut) bool { return s.op == ir.OpClose })
	case c.op == ir.OpSelect:
		return r.anyCase(a, c, depth)
	case c.op == ir.OpLock:
		return r.handedLock(a, c, depth)
	case c.op == ir.OpOnce:
		return r.afterOnce(a, c)
	case c.op == ir.OpJoin:
		return r.over(r.origin(a.Point), c.object)
	case c.op == ir.OpGroup && ir.GroupKind(c.sub) == ir.GroupWait:
		return r.over(r.origin(a.Point), c.object) || r.groupDone(a, c.object)
	case c.waits():
		return r.allAfter(a, c, depth, (*cut).signals)
	case c.op == ir.OpSend && r.unbuffered(c.object):
		return r.allAfter(a, c, depth, (*cut).waits)
	}
	return false
}

// anyCase tells whether a select cannot have gone on before a was over: none of
// its cases could.
func (r *Result) anyCase(a Moment, c *cut, depth int) bool {
	w := r.world(r.origin(c.point))
	found := false
	for _, k := range w.byPoint[c.point] {
		s := &w.cuts[k]
		if s.op == ir.OpSelect || s.dead {
			continue
		}
		found = true
		if s.object == noNode || !r.endedAfter(a, s, depth) {
			return false
		}
	}
	return found
}

// allAfter tells whether a is before every cut on the object that could be the
// partner of c.
func (r *Result) allAfter(a Moment, c *cut, depth int, partner func(*cut) bool) bool {
	found := false
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		if s == c || s.dead || !partner(s) || r.onlyAfter(s, c) {
			continue
		}
		found = true
		if !r.isBefore(a, ref.origin, s.point, depth) {
			return false
		}
	}
	return found
}

// isBefore tells whether a is before a cut of the given origin.
func (r *Result) isBefore(a Moment, o origin.ID, p runs.Point, depth int) bool {
	if o == r.origin(a.Point) {
		return r.precedes(a, p)
	}
	return r.beforeCut(a, p, depth-1)
}

// onlyAfter tells whether a cut can only be executed when c has been: it cannot
// be what c waited for.
func (r *Result) onlyAfter(s, c *cut) bool {
	if c.point.Inst < 0 {
		return false // a class: some wait of several
	}
	os, oc := r.origin(s.point), r.origin(c.point)
	for depth := 0; depth < maxDepth && os != oc; depth++ {
		points := r.runs.SpawnsOf(os)
		if len(points) != 1 {
			return false
		}
		s = &cut{point: points[0]}
		os = r.origin(s.point)
	}
	if os != oc || r.runs.Many(oc) || r.runs.Often(c.point.Inst) || r.runs.InLoop(c.point) {
		return false
	}
	w := r.world(oc)
	for _, k := range w.byPoint[runs.Point{Inst: c.point.Inst, Instr: c.point.Instr}] {
		if &w.cuts[k] == c {
			return r.must(s.point).has(k)
		}
	}
	return false
}

// collectHanded finds the locks that are released by others than their
// holders.
func (r *Result) collectHanded() {
	r.handed = make(map[pointer.Node]bool)
	for _, id := range r.runs.Instances() {
		c := r.codeOf(id)
		if c == nil {
			continue
		}
		for _, i := range c.unlocks {
			p := runs.Point{Inst: id, Instr: i}
			n, ok := r.pts.PointsTo(p.Inst, c.body.Args(&c.body.Instrs[i])[0], 0).Single()
			if ok && r.runs.UniqueNode(n) && !r.locks.Held(p, n) {
				r.handed[n] = true
			}
		}
	}
}

// handedLock is R-ORDER-6: c took a lock that somebody had taken and does not
// release himself; it waited for one of the releases by others, who do not hold
// it.
func (r *Result) handedLock(a Moment, c *cut, depth int) bool {
	releases, known := r.releases[c]
	if !known {
		releases = r.findReleases(c)
		r.releases[c] = releases
	}
	for _, ref := range releases {
		if !r.isBefore(a, ref.origin, r.worlds[ref.origin].cuts[ref.cut].point, depth) {
			return false
		}
	}
	return len(releases) > 0
}

// findReleases returns the releases of a lock, one of which c waited for; none if
// it need not have waited.
func (r *Result) findReleases(c *cut) (releases []cutRef) {
	taken := false
	for _, ref := range r.byObject[c.object] {
		s := &r.worlds[ref.origin].cuts[ref.cut]
		taken = taken || s != c && s.op == ir.OpLock && r.keeps(s, ref.origin) && r.executedBefore(ref, c)
	}
	if !taken {
		return nil
	}
	for _, ref := range r.byObject[c.object] {
		if s := &r.worlds[ref.origin].cuts[ref.cut]; s.op == ir.OpUnlock && !r.locks.Held(s.point, c.object) {
			releases = append(releases, ref)
		}
	}
	return releases
}

// keeps tells whether an origin never releases a lock it has taken.
func (r *Result) keeps(s *cut, o origin.ID) bool {
	for _, ref := range r.byObject[s.object] {
		if ref.origin == o && r.worlds[o].cuts[ref.cut].op == ir.OpUnlock {
			return false
		}
	}
	return s.object != noNode
}

// executedBefore tells whether a cut has surely been executed when c is.
func (r *Result) executedBefore(ref cutRef, c *cut) bool {
	if ref.origin == r.origin(c.point) {
		return r.must(c.point).has(ref.cut)
	}
	for _, p := range r.runs.SpawnsOf(r.origin(c.point)) {
		if r.origin(p) != ref.origin || !r.must(p).has(ref.cut) {
			return false
		}
	}
	return len(r.runs.SpawnsOf(r.origin(c.point))) > 0
}

// memberOf tells whether every instance of an origin is started as a member of
// the group, or under the handle: its end is what a wait or join waits for.
func (r *Result) memberOf(o origin.ID, group pointer.Node) bool {
	points := r.runs.SpawnsOf(o)
	for _, p := range points {
		body := r.pts.Body(p.Inst)
		in := &body.Instrs[p.Instr]
		if in.Flags&ir.FlagGroup == 0 {
			return false
		}
		if n, ok := r.pts.PointsTo(p.Inst, body.Args(in)[0], 0).Single(); !ok || n != group {
			return false
		}
	}
	return len(points) > 0
}

// groupDone tells whether a is over before a group's wait returns: a's origin
// is counted before it starts, says done on all ways out, and not before a.
func (r *Result) groupDone(a Moment, group pointer.Node) bool {
	o := r.origin(a.Point)
	w := r.world(o)
	may := a.sets.may
	done := newSet(len(w.cuts))
	for k := range w.cuts {
		if c := &w.cuts[k]; c.thing == group && c.isDone() {
			done.add(int32(k))
			if may.has(int32(k)) {
				return false
			}
		}
	}
	if r.runs.Root(o) {
		return false
	}
	for i, id := range w.insts {
		if r.runs.Entry(id) && !w.sets.get(w.mustGen[i]).overlaps(done) {
			return false
		}
	}
	for _, p := range r.runs.SpawnsOf(o) {
		if !r.added(p, group) {
			return false
		}
	}
	return true
}

// added tells whether a group has surely been told of more work before a
// point.
func (r *Result) added(p runs.Point, group pointer.Node) bool {
	return r.addedBy(r.Moment(p), group)
}

// addedBy is added for a moment.
func (r *Result) addedBy(m Moment, group pointer.Node) bool {
	w := r.world(r.origin(m.Point))
	ok := false
	m.sets.must.each(func(k int32) {
		c := &w.cuts[k]
		ok = ok || c.thing == group && c.op == ir.OpGroup && ir.GroupKind(c.sub) == ir.GroupAdd
	})
	return ok
}

// unbuffered tells whether a channel surely has no buffer.
func (r *Result) unbuffered(n pointer.Node) bool {
	id, _ := r.pts.Object(n)
	o := &r.pts.Objects[id]
	if o.Kind != pointer.ObjectChan || o.Inst < 0 {
		return false
	}
	body := r.pts.Body(o.Inst)
	size := body.Args(&body.Instrs[o.Site.Instr])[0].Const()
	return size != ir.None && r.pts.Prog.Unit(o.Site.Func).Consts[size].Text == "0"
}
