package detect

import (
	"cmp"
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

// within is a call that an access lies in, with any number of calls in between.
type within struct {
	call    runs.Point
	way     runs.Way     // to the call
	between []runs.Point // calls by which the recursion may lead to the way of the access, that way's end first

	moments [2]order.Moment // when the access happens, see moment
	known   [2]bool
}

// moment returns when an access happens that is reached by a way within the call.
func (w *within) moment(in *order.Result, firm bool, s *side) order.Moment {
	k := flag(firm)
	if !w.known[k] {
		w.moments[k], w.known[k] = in.During(in.Via(s.point, s.way), w.call, w.way), true
	}
	return w.moments[k]
}

// entrance is a call into recursion.
type entrance struct {
	call    runs.Point
	from    trail // what the function with the call must be passed
	between []runs.Point
}

// entrances is how recursion is entered.
type entrances struct {
	list  []entrance
	start bool // the origin may begin within
	known bool

	crowded bool // too much is asked of too many
}

// askedID is the number of an instance with what is asked of its parameters.
type askedID int32

// enteredKey is a question to entrancesOf.
type enteredKey struct {
	id   askedID
	firm bool
}

// maxRound bounds the functions, with what is asked of their parameters, that call
// one another in a circle. Beyond it nothing is known of how it is entered.
const maxRound = 1000

// asked is a function of which it is asked to be called with certain parameters.
type asked struct {
	id      askedID
	inst    pointer.InstID
	from    trail      // what is asked
	next    int        // the one it calls to get on, or -1
	via     runs.Point // by which call
	callees []int      // among those that lead on
	calls   []callBy
}

// callBy is a call that another one makes.
type callBy struct {
	*askingCall
	by int // or -1: one that does not belong to the circle
}

// askingCall is a call with what it asks of the parameters of the function that it
// is in.
type askingCall struct {
	call runs.Point
	from trail
	id   askedID // of that function
}

// asking is what is known of an instance with what is asked of its parameters.
type asking struct {
	calls []askingCall
	known bool // calls are
	round int32
	node  int // in the round of findEntrances
}

// askedOf returns the number of an instance with what is asked of it.
func (d *detector) askedOf(inst pointer.InstID, t *trail) askedID {
	key := askedKey(inst, t)
	id, known := d.asked[key]
	if !known {
		id = askedID(len(d.asking))
		d.asking = append(d.asking, asking{})
		d.asked[key] = id
	}
	return id
}

// askedKey tells apart what is asked of an instance.
func askedKey(inst pointer.InstID, t *trail) string {
	key := make([]byte, 0, 32+16*len(t.demands)+4*len(t.objects))
	add := func(n uint32) { key = binary.LittleEndian.AppendUint32(key, n) }
	add(uint32(inst))
	add(uint32(t.data))
	add(uint32(len(t.objects)))
	for _, o := range t.objects {
		add(uint32(o))
	}
	add(uint32(t.callback))
	if t.callback != ir.None {
		add(uint32(t.function))
	}
	demands := t.demands
	if len(demands) > 1 {
		demands = slices.SortedFunc(slices.Values(demands), func(a, b requirement) int {
			return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.slot, b.slot))
		})
	}
	for i := range demands {
		c := &demands[i]
		add(uint32(c.param))
		add(uint32(c.slot))
		add(uint32(len(c.values))<<1 | uint32(flag(c.not)))
		for _, n := range c.values {
			key = binary.LittleEndian.AppendUint64(key, uint64(n))
		}
	}
	return string(key)
}

// entrancesOf returns the calls by which recursion is entered that leads to an
// instance called as a trail demands. known is false if that is not recursive, or too
// much is.
func (s *search) entrancesOf(inst pointer.InstID, t *trail) entrances {
	if s.Order.Recursion(inst) == 0 {
		return entrances{}
	}
	key := enteredKey{s.askedOf(inst, t), s.trust <= noReflection}
	e, known := s.entered[key]
	if !known {
		e = s.findEntrances(inst, t, key)
		s.entered[key] = e
	}
	return e
}

func (s *search) findEntrances(inst pointer.InstID, t *trail, key enteredKey) entrances {
	nodes := []asked{{id: key.id, inst: inst, from: *t, next: -1}}
	s.round++
	s.asking[key.id].round, s.asking[key.id].node = s.round, 0
	recursion := s.Order.Recursion(inst)
	for k := 0; k < len(nodes); k++ {
		calls := s.askingCalls(&nodes[k])
		for i := range calls {
			c := &calls[i]
			if key.firm && s.reflective(c.call.Inst, c.call.Instr) {
				continue
			}
			if s.Order.Recursion(c.call.Inst) != recursion {
				nodes[k].calls = append(nodes[k].calls, callBy{c, -1})
				continue
			}
			a := &s.asking[c.id]
			if a.round != s.round {
				// What is too much for one it leads to is too much for this one.
				if len(nodes) == maxRound || s.entered[enteredKey{c.id, key.firm}].crowded {
					return entrances{crowded: true}
				}
				a.round, a.node = s.round, len(nodes)
				nodes = append(nodes, asked{id: c.id, inst: c.call.Inst, from: c.from, next: k, via: c.call})
			}
			n := a.node
			nodes[n].callees = append(nodes[n].callees, k)
			nodes[k].calls = append(nodes[k].calls, callBy{c, n})
		}
	}
	return s.enter(nodes)
}

// askingCalls returns the calls of a function as it is asked to be called.
func (s *search) askingCalls(a *asked) []askingCall {
	if s.asking[a.id].known {
		return s.asking[a.id].calls
	}
	var list []askingCall
	for _, c := range s.nearCallers(a.inst) {
		if !s.Values.Runs(c.Inst, c.Instr) || !s.passes(&a.from, c) {
			continue
		}
		on, ok := s.demandsOn(c, a.from.demands)
		if !ok {
			continue
		}
		u := trail{Way: runs.Way{Calls: []runs.Point{c}}, demands: on}
		if s.demand(&u, a.from, a.inst); u.data != ir.None && len(u.objects) == 0 {
			continue
		}
		u.Way = runs.Way{}
		list = append(list, askingCall{c, u, s.askedOf(c.Inst, &u)})
	}
	s.asking[a.id].calls, s.asking[a.id].known = list, true
	return list
}

// enter returns the calls into what the first of some functions calls that leads
// back to it.
func (d *detector) enter(nodes []asked) entrances {
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
	e := entrances{known: true}
	type listing struct {
		id    askedID
		instr int32
	}
	listed := make(map[listing]bool)
	for k := range nodes {
		if !round[k] {
			continue
		}
		e.start = e.start || d.isEntry(nodes[k].inst)
		for _, c := range nodes[k].calls {
			if c.by >= 0 && round[c.by] {
				continue
			}
			at := listing{c.id, c.call.Instr}
			if listed[at] {
				continue
			}
			listed[at] = true
			var between []runs.Point
			for n := k; nodes[n].next >= 0; n = nodes[n].next {
				between = append(between, nodes[n].via)
			}
			slices.Reverse(between)
			e.list = append(e.list, entrance{c.call, c.from, between})
		}
	}
	return e
}

// outside returns the calls into the recursion that a way has come to; ok is false
// if it goes on as anywhere else.
func (s *search) outside(inst pointer.InstID, t *trail) (list []entrance, ok bool) {
	e := s.entrancesOf(inst, t)
	return e.list, e.known && !e.start
}

// into returns the trail of a call into the recursion that a way has come to.
func (t *trail) into(in *entrance) trail {
	u := in.from
	u.inner, u.within = t.Way, &within{call: in.call, between: in.between}
	if t.within != nil {
		u.inner = t.inner
		u.within.between = slices.Concat(t.within.between, []runs.Point{t.within.call}, t.Calls, in.between)
	}
	return u
}

// shortest returns the trail with the shortest of the ways that lead through
// recursion to the access.
func (t *trail) shortest() trail {
	if t.within == nil {
		return *t
	}
	calls := slices.Concat(t.inner.Calls, t.within.between, []runs.Point{t.within.call}, t.Calls)
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
		ok = s.leads(to.Inst, trail{callback: ir.None, data: ir.None, demands: s.requirementsAt(to.Inst, to.Instr)}, &left)
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
