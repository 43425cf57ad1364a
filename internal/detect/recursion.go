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
	demands []requirement // on the function with the call
	between []runs.Point
}

// entrances is how recursion is entered.
type entrances struct {
	list  []entrance
	start bool // the origin may begin within
	known bool
}

// maxRound bounds the functions, with what is asked of their parameters, that call
// one another in a circle. Beyond it nothing is known of how it is entered.
const maxRound = 1000

// asked is a function of which it is asked to be called with certain parameters.
type asked struct {
	key     string
	inst    pointer.InstID
	demands []requirement
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
	call    runs.Point
	demands []requirement
	key     string // of that function
}

func askedKey(inst pointer.InstID, demands []requirement) string {
	key := binary.LittleEndian.AppendUint32(make([]byte, 0, 16+16*len(demands)), uint32(inst))
	if len(demands) > 1 {
		demands = slices.SortedFunc(slices.Values(demands), func(a, b requirement) int {
			return cmp.Or(cmp.Compare(a.param, b.param), cmp.Compare(a.slot, b.slot))
		})
	}
	for i := range demands {
		c := &demands[i]
		key = binary.LittleEndian.AppendUint32(key, uint32(c.param))
		key = binary.LittleEndian.AppendUint32(key, uint32(c.slot))
		key = binary.LittleEndian.AppendUint32(key, uint32(len(c.values))<<1|uint32(flag(c.not)))
		for _, n := range c.values {
			key = binary.LittleEndian.AppendUint64(key, uint64(n))
		}
	}
	return string(key)
}

// entrancesOf returns the calls by which recursion is entered that leads to an
// instance called as demanded. known is false if that is not recursive, or too much
// is.
func (s *search) entrancesOf(inst pointer.InstID, demands []requirement) entrances {
	if s.Order.Recursion(inst) == 0 {
		return entrances{}
	}
	firm := s.trust <= noReflection
	key := askedKey(inst, demands)
	if firm {
		key += "f"
	}
	e, known := s.entered[key]
	if !known {
		e = s.findEntrances(inst, demands, firm)
		s.entered[key] = e
	}
	return e
}

func (d *detector) findEntrances(inst pointer.InstID, demands []requirement, firm bool) entrances {
	nodes := []asked{{key: askedKey(inst, demands), inst: inst, demands: demands, next: -1}}
	number := map[string]int{nodes[0].key: 0}
	for k := 0; k < len(nodes); k++ {
		calls := d.askingCalls(&nodes[k])
		for i := range calls {
			c := &calls[i]
			if firm && d.reflective(c.call.Inst, c.call.Instr) {
				continue
			}
			if d.Order.Recursion(c.call.Inst) != d.Order.Recursion(inst) {
				nodes[k].calls = append(nodes[k].calls, callBy{c, -1})
				continue
			}
			n, known := number[c.key]
			if !known {
				if n = len(nodes); n == maxRound {
					return entrances{}
				}
				number[c.key] = n
				nodes = append(nodes, asked{key: c.key, inst: c.call.Inst, demands: c.demands, next: k, via: c.call})
			}
			nodes[n].callees = append(nodes[n].callees, k)
			nodes[k].calls = append(nodes[k].calls, callBy{c, n})
		}
	}
	return d.enter(nodes)
}

// askingCalls returns the calls of a function as it is asked to be called.
func (d *detector) askingCalls(a *asked) []askingCall {
	list, known := d.asking[a.key]
	if known {
		return list
	}
	for _, c := range d.nearCallers(a.inst) {
		if !d.Values.Runs(c.Inst, c.Instr) {
			continue
		}
		if on, ok := d.demandsOn(c, a.demands); ok {
			list = append(list, askingCall{c, on, askedKey(c.Inst, on)})
		}
	}
	d.asking[a.key] = list
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
	listed := make(map[string]bool)
	for k := range nodes {
		if !round[k] {
			continue
		}
		e.start = e.start || d.isEntry(nodes[k].inst)
		for _, c := range nodes[k].calls {
			if c.by >= 0 && round[c.by] {
				continue
			}
			key := string(binary.LittleEndian.AppendUint32([]byte(c.key), uint32(c.call.Instr)))
			if listed[key] {
				continue
			}
			listed[key] = true
			var between []runs.Point
			for n := k; nodes[n].next >= 0; n = nodes[n].next {
				between = append(between, nodes[n].via)
			}
			slices.Reverse(between)
			e.list = append(e.list, entrance{c.call, c.demands, between})
		}
	}
	return e
}

// outside returns the calls into the recursion that a way has come to; ok is false
// if it goes on as anywhere else.
func (s *search) outside(inst pointer.InstID, t *trail) (list []entrance, ok bool) {
	e := s.entrancesOf(inst, t.demands)
	return e.list, e.known && !e.start
}

// into returns the trail of a call into the recursion that a way has come to.
func (t *trail) into(in *entrance) trail {
	u := trail{callback: ir.None, data: ir.None, demands: in.demands, inner: t.Way, within: &within{call: in.call, between: in.between}}
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
