package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// transferred tells whether two accesses are to different objects because each
// side received its own over a channel: every send passes an object made for it,
// only one receiver gets it, and neither side has passed it on by then (ownership
// transfer).
func (d *detector) transferred(obj pointer.ObjectID, a, b *side) bool {
	return d.sentOnce(obj) && d.isReceived(a) && d.isReceived(b) && !d.passedOn(a) && !d.passedOn(b)
}

// sharedBySend tells whether two accesses are to the same object because it was
// sent: one side received it, the other received it too or made and sent it.
func (d *detector) sharedBySend(obj pointer.ObjectID, a, b *side) bool {
	ra, rb := d.isReceived(a), d.isReceived(b)
	return ra && rb && (!d.sentOnce(obj) || d.passedOn(a) || d.passedOn(b)) || ra && d.makes(obj, b) || rb && d.makes(obj, a)
}

// passedOn tells whether the function of an access may have sent on what it
// received before it makes the access.
func (d *detector) passedOn(s *side) bool {
	if s.locks.Path == path.None {
		return false
	}
	t := d.Locks.Paths(s.Inst)
	root := t.Root(s.locks.Path)
	if t.Get(root).Kind != path.Value {
		return false
	}
	body := d.Points.Body(s.Inst)
	for i := range body.Instrs {
		in := &body.Instrs[i]
		var sent []ir.Value
		switch in.Op {
		case ir.OpSend:
			sent = body.Args(in)[1:]
		case ir.OpSelect:
			sent = body.Args(in)
		}
		for _, v := range sent {
			if p := t.Value(v); p != path.None && t.Root(p) == root && runs.Reaches(body, int32(i), s.Instr, t.Get(root).N) {
				return true
			}
		}
	}
	return false
}

// makes tells whether an access goes directly to what its own function made.
func (d *detector) makes(obj pointer.ObjectID, s *side) bool {
	o := &d.Points.Objects[obj]
	if s.Inst != o.Inst || s.locks.Path == path.None {
		return false
	}
	t := d.Locks.Paths(s.Inst)
	root := t.Get(t.Root(s.locks.Path))
	return root.Kind == path.Value && root.N == o.Site.Instr
}

// sentOnce tells whether the only things in memory that lead to an object are
// channels, and each object of the site is sent at most once: the instance that
// makes it sends it in one place, which cannot be reached twice without making
// another one.
func (d *detector) sentOnce(obj pointer.ObjectID) bool {
	once, known := d.sent[obj]
	if !known {
		once = d.isSentOnce(obj)
		d.sent[obj] = once
	}
	return once
}

func (d *detector) isSentOnce(obj pointer.ObjectID) bool {
	o := &d.Points.Objects[obj]
	if o.Inst < 0 {
		return false
	}
	channels := 0
	for _, h := range d.Sharing.Holders(obj) {
		switch holder := &d.Points.Objects[h]; {
		case holder.Kind == pointer.ObjectChan:
			channels++
		case holder.Kind == pointer.ObjectCell && holder.Inst >= 0 && d.Points.Instances[holder.Inst].Func == o.Site.Func:
			// A variable of the function that makes the object.
		default:
			return false
		}
	}
	if channels == 0 {
		return false
	}
	// The object may be made by the sender or handed to it by a constructor.
	sender, made := o.Inst, o.Site.Instr
	for range maxLift {
		if n, ok := d.sendsIn(sender, made, obj); n > 0 {
			return ok
		}
		callers := d.Runs.CallersOf(sender)
		if len(callers) != 1 || callers[0].How != ir.Now {
			return false
		}
		sender, made = callers[0].Inst, callers[0].Instr
	}
	return false
}

// sendsIn counts the sends of an object in an instance, and tells whether there
// is one that happens once for each object.
func (d *detector) sendsIn(inst pointer.InstID, made int32, obj pointer.ObjectID) (n int, once bool) {
	body := d.Points.Body(inst)
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpSend:
			if d.leadsTo(inst, body.Args(in)[1], obj) {
				n++
				once = !runs.Reaches(body, int32(i), int32(i), made)
			}
		case ir.OpSelect:
			args := body.Args(in)
			for k := 2; k < len(args); k += 3 {
				if args[k] != ir.NoValue && d.leadsTo(inst, args[k], obj) {
					n++
					once = !runs.Reaches(body, int32(i), int32(i), made)
				}
			}
		}
	}
	return n, n == 1 && once
}

func (d *detector) isReceived(s *side) bool {
	if s.received == unasked {
		s.received = no
		if d.received(s.Inst, s.locks.Path, maxLift) {
			s.received = yes
		}
	}
	return s.received == yes
}

// received tells whether an address leads through something that its origin
// received over a channel.
func (d *detector) received(inst pointer.InstID, p path.ID, depth int) bool {
	if p == path.None || depth == 0 {
		return false
	}
	t := d.Locks.Paths(inst)
	root := t.Get(t.Root(p))
	switch root.Kind {
	case path.Value:
		return d.isReceive(inst, root.N, depth)
	case path.Param:
		callers := d.Runs.CallersOf(inst)
		if len(callers) == 0 || d.Runs.Entry(inst) {
			return false
		}
		for _, c := range callers {
			body := d.Points.Body(c.Inst)
			in := &body.Instrs[c.Instr]
			if in.Op != ir.OpCall || root.N >= in.Args.Len {
				return false
			}
			if !d.received(c.Inst, d.Locks.Paths(c.Inst).Value(body.Args(in)[root.N]), depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

// isReceive tells whether an instruction's result is what a receive got, or was
// read from a variable that only holds such.
func (d *detector) isReceive(inst pointer.InstID, instr int32, depth int) bool {
	body := d.Points.Body(inst)
	in := &body.Instrs[instr]
	switch in.Op {
	case ir.OpRecv, ir.OpSelect:
		return true
	case ir.OpExtract:
		k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, body.Args(in)[0])
		return k >= 0 && d.isReceive(inst, k, depth)
	case ir.OpAlloc:
		// A variable that holds what was received, as in "for x := range c" with x
		// captured.
		return d.holdsReceived(inst, in.Dst)
	}
	return false
}

func (d *detector) holdsReceived(inst pointer.InstID, cell ir.Reg) bool {
	body := d.Points.Body(inst)
	found := false
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if in.Op != ir.OpStore || body.Args(in)[0] != ir.RegValue(cell) {
			continue
		}
		k := d.Points.Prog.Definition(d.Points.Instances[inst].Func, body.Args(in)[1])
		if k < 0 || body.Instrs[k].Op == ir.OpAlloc || !d.isReceive(inst, k, 1) {
			return false
		}
		found = true
	}
	return found
}
