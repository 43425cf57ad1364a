package detect

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Ways to different accesses lead through the same functions and ask the same of
// their callers. Which calls meet it, and what those ask in turn, depends on nothing
// else: it is found once, and only for as many calls as a search looks at.

// wanted is what the calls of a function must pass for a way to lead where it does.
type wanted struct {
	data     int32              // the parameter that the accessed object is had from, or ir.None
	objects  []pointer.ObjectID // what that parameter may be for it to be the accessed object
	callback int32              // the parameter that is the function called next, or ir.None
	function link.FuncID        // that function
	demands  []requirement      // on the parameters
}

// asking is an instance with what its calls must pass. There is one of each, so that
// they can be compared.
type asking struct {
	wanted
	inst    pointer.InstID
	callers []runs.Point // not looked at yet
	calls   []askingCall // those looked at that pass it

	entered [2]entrances // see entrancesOf
	round   int32        // of findEntrances
	node    int          // in that round
}

// askingCall is a call of a function that passes what it must.
type askingCall struct {
	call       runs.Point
	of         *asking // the function that the call is in
	reflective bool
}

// maxAsked bounds what is remembered from one search to the next.
const maxAsked = 1 << 18

// ask returns an instance with what is asked of it.
func (d *detector) ask(inst pointer.InstID, w wanted) *asking {
	d.askedKey = appendAsked(d.askedKey[:0], inst, &w)
	a, known := d.asked[string(d.askedKey)]
	if !known {
		a = &asking{wanted: w, inst: inst, callers: d.nearCallers(inst)}
		d.asked[string(d.askedKey)] = a
	}
	return a
}

// appendAsked appends what tells apart what is asked of instances.
func appendAsked(key []byte, inst pointer.InstID, w *wanted) []byte {
	add := func(n uint32) { key = binary.LittleEndian.AppendUint32(key, n) }
	add(uint32(inst))
	add(uint32(w.data))
	add(uint32(len(w.objects)))
	for _, o := range w.objects {
		add(uint32(o))
	}
	add(uint32(w.callback))
	if w.callback != ir.None {
		add(uint32(w.function))
	}
	demands := w.demands
	if len(demands) > 1 {
		demands = slices.Clone(demands)
		slices.SortFunc(demands, func(a, b requirement) int {
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
	return key
}

// askingCall returns the call with a number of those that pass what is asked; ok is
// false if there are not so many.
func (s *search) askingCall(a *asking, k int) (c askingCall, ok bool) {
	for k >= len(a.calls) && len(a.callers) > 0 {
		c := a.callers[0]
		a.callers = a.callers[1:]
		if !s.Values.Runs(c.Inst, c.Instr) || !s.passes(&a.wanted, c) {
			continue
		}
		demands, ok := s.demandsOn(c, a.demands)
		if !ok {
			continue
		}
		w := s.wantedBy(c, a)
		if w.data != ir.None && len(w.objects) == 0 {
			continue // nothing holds what is passed
		}
		w.demands = demands
		a.calls = append(a.calls, askingCall{c, s.ask(c.Inst, w), s.reflective(c.Inst, c.Instr)})
	}
	if k >= len(a.calls) {
		return askingCall{}, false
	}
	return a.calls[k], true
}

// wantedBy returns what the function with a call must be passed for the call to pass
// what it must, but for the demands.
func (s *search) wantedBy(c runs.Point, a *asking) wanted {
	w := wanted{data: ir.None, callback: ir.None}
	body := s.Points.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	args := body.Args(in)
	switch in.Op {
	case ir.OpCall, ir.OpInvoke:
		if a.data != ir.None && in.Flags&ir.FlagGroup == 0 && int(a.data) < len(args) && !s.boxed(c.Inst, in, a.data) {
			w.data, w.objects = s.hadFrom(c.Inst, args[a.data], a.objects)
		}
	case ir.OpCallPtr:
		if p := s.Locks.Paths(c.Inst); in.Flags&ir.FlagGroup == 0 {
			if at := p.Value(args[0]); at != path.None && p.Get(at).Kind == path.Param {
				w.callback, w.function = p.Get(at).N, s.Points.Instances[a.inst].Func
			}
		}
	}
	return w
}
