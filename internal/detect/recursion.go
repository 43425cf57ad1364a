package detect

import (
	"encoding/binary"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A way that comes to a function for the second time leads through recursion, as
// through layers that hand an event on to each other. How often it goes round is
// not known, but what it goes round with is: all on it ask for the same kind of
// event, and only those who pass such an event call into the recursion. The access
// lies in one of these calls, so what begins after the call is over begins after
// the access.

// passage is a call that an access lies in, with any number of calls in between.
type passage struct {
	call runs.Point
	gap  []runs.Point // calls by which the recursion may lead from the call to the way behind it, that way's end first
	// Where a second recursion is entered, the call into the first one and the
	// calls that lead to it.
	behind *passage
	calls  []runs.Point
}

// between returns calls by which recursion may lead to the way of the access, that
// way's end first.
func (p *passage) between() []runs.Point {
	if p.behind == nil {
		return p.gap
	}
	return slices.Concat(p.behind.between(), []runs.Point{p.behind.call}, p.calls, p.gap)
}

// within is a passage as it is reached by a way.
type within struct {
	*passage
	way runs.Way // to the call

	moments [2]order.Moment // when the access happens, see momentWithin
	known   [2]bool
}

// maxDuring bounds what momentWithin remembers.
const maxDuring = 1 << 16

// momentWithin returns when an access happens that lies in a call, computed once for
// all that it is paired with.
func (d *detector) momentWithin(in *order.Result, s *side) order.Moment {
	w, firm := s.within, flag(in == d.firm)
	if w.known[firm] {
		return w.moments[firm]
	}
	key := append(d.duringKey[:0], byte(firm<<2|flag(s.way.Start)<<1|flag(w.way.Start)))
	key = appendPoint(appendPoint(key, s.point), w.call)
	key = binary.LittleEndian.AppendUint32(key, uint32(len(s.way.Calls)))
	for _, calls := range [2][]runs.Point{s.way.Calls, w.way.Calls} {
		for _, c := range calls {
			key = appendPoint(key, c)
		}
	}
	d.duringKey = key
	m, known := d.during[string(key)]
	if !known {
		m = in.During(in.Via(s.point, s.way), w.call, w.way)
		if len(d.during) == maxDuring {
			clear(d.during)
		}
		d.during[string(key)] = m
	}
	w.moments[firm], w.known[firm] = m, true
	return m
}

// appendPoint appends what tells a point apart from others.
func appendPoint(key []byte, p runs.Point) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(p.Inst))
	return append(binary.LittleEndian.AppendUint32(key, uint32(p.Instr)), byte(p.How))
}

// entrance is a call into recursion.
type entrance struct {
	call    runs.Point
	of      *asking // the function with the call
	between []runs.Point
}

// entrances is how recursion is entered.
type entrances struct {
	list  []entrance
	start bool // the origin may begin within
	known bool

	crowded bool // too much is asked of too many
	done    bool // the question has been answered
}

// maxRound bounds the functions, with what is asked of their parameters, that call
// one another in a circle. Beyond it nothing is known of how it is entered.
const maxRound = 1000

// asked is a function of which it is asked to be called with certain parameters, in
// the round of findEntrances.
type asked struct {
	*asking
	next    int        // the one it calls to get on, or -1
	via     runs.Point // by which call
	callees []int      // among those that lead on
}

// entrancesOf returns the calls by which recursion is entered that leads to an
// instance called as is asked. known is false if that is not recursive, or too much
// is.
func (s *search) entrancesOf(a *asking) *entrances {
	e := &a.entered[flag(s.firmly())]
	if !e.done {
		if s.Order.Recursion(a.inst) != 0 {
			*e = s.findEntrances(a)
		}
		e.done = true
	}
	return e
}

func (s *search) findEntrances(first *asking) entrances {
	nodes := []asked{{asking: first, next: -1}}
	s.round++
	first.round, first.node = s.round, 0
	recursion, firm := s.Order.Recursion(first.inst), s.firmly()
	for k := 0; k < len(nodes); k++ {
		for i := 0; ; i++ {
			c, ok := s.askingCall(nodes[k].asking, i)
			if !ok {
				break
			}
			if firm && c.reflective || s.Order.Recursion(c.call.Inst) != recursion {
				continue
			}
			if c.of.round != s.round {
				// What is too much for one it leads to is too much for this one.
				if len(nodes) == maxRound || c.of.entered[flag(firm)].crowded {
					return entrances{crowded: true}
				}
				c.of.round, c.of.node = s.round, len(nodes)
				nodes = append(nodes, asked{asking: c.of, next: k, via: c.call})
			}
			n := c.of.node
			nodes[n].callees = append(nodes[n].callees, k)
		}
	}
	return s.enter(nodes)
}

// enter returns the calls into what the first of some functions calls that leads
// back to it.
func (s *search) enter(nodes []asked) entrances {
	round := make([]bool, len(nodes))
	for queue := []int{0}; len(queue) > 0; {
		k := queue[0]
		queue = queue[1:]
		for _, n := range nodes[k].callees {
			if !round[n] {
				round[n] = true
				queue = append(queue, n)
			}
		}
	}
	if !round[0] {
		return entrances{}
	}
	e, firm := entrances{known: true}, s.firmly()
	type listing struct {
		of    *asking
		instr int32
	}
	listed := make(map[listing]bool)
	for k := range nodes {
		if !round[k] {
			continue
		}
		e.start = e.start || s.isEntry(nodes[k].inst)
		for _, c := range nodes[k].calls {
			if firm && c.reflective || c.of.round == s.round && round[c.of.node] {
				continue
			}
			at := listing{c.of, c.call.Instr}
			if listed[at] {
				continue
			}
			listed[at] = true
			var between []runs.Point
			for n := k; nodes[n].next >= 0; n = nodes[n].next {
				between = append(between, nodes[n].via)
			}
			slices.Reverse(between)
			e.list = append(e.list, entrance{c.call, c.of, between})
		}
	}
	return e
}

// into returns the trail of a call into the recursion that a way has come to.
func (t *trail) into(in *entrance) trail {
	u := trail{asking: in.of, inner: t.Way, within: &passage{call: in.call, gap: in.between}}
	if t.within != nil {
		u.inner = t.inner
		u.within.behind, u.within.calls = t.within, t.Calls
	}
	return u
}

// shortest returns the trail with the shortest of the ways that lead through
// recursion to the access.
func (t *trail) shortest() trail {
	if t.within == nil {
		return *t
	}
	calls := slices.Concat(t.inner.Calls, t.within.between(), []runs.Point{t.within.call}, t.Calls)
	return trail{Way: runs.Way{Calls: calls, Start: t.Start}, done: true}
}

// reachedBy is a question whether some way leads to a point.
type reachedBy struct {
	runs.Point
	trust int
}

// maxDead bounds the calls that are looked at to find out that no way leads to an
// access.
const maxDead = 4000

// reached tells whether some way leads to an access whose calls pass what the
// branches behind them ask for.
func (s *search) reached(to *side) bool {
	key := reachedBy{to.point, s.trust}
	ok, known := s.reachable[key]
	if !known {
		left := maxDead
		asks := wanted{callback: ir.None, data: ir.None, demands: s.requirementsAt(to.Inst, to.Instr)}
		ok = s.leads(to.Inst, trail{asking: s.ask(to.Inst, asks)}, &left)
		s.reachable[key] = ok
	}
	return ok
}

func (s *search) leads(inst pointer.InstID, t trail, left *int) bool {
	if *left--; t.done || *left < 0 {
		return true
	}
	longer := s.longer(t.to(inst), &t)
	for u, ok := longer.next(); ok; u, ok = longer.next() {
		if s.leads(inst, u, left) {
			return true
		}
	}
	return false
}
