package detect

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/order"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// Verdict says what keeps two accesses apart.
type Verdict struct {
	Kind string // a stable word
	Rule string // of the order that decided, such as R-ORDER-3; "" if none did
	Text Sentence
}

// because puts the outcome of a pair into words.
func (x *inspector) because(c *sharing.Cell, a, b *side, o outcome) Verdict {
	switch o {
	case onlyReads:
		return Verdict{Kind: "reads", Text: plain("both only read")}
	case allAtomic:
		return Verdict{Kind: "atomic", Text: plain("both are atomic")}
	case serially:
		return Verdict{Kind: "serial", Text: plain("instances of " + originWords(x.originOf(a.Inst)) + " run one at a time")}
	case ownInstance:
		if !x.Runs.Many(x.Points.Instances[a.Inst].Origin) {
			return x.becauseOneRun(a, b)
		}
		return Verdict{Kind: "own-instance", Text: plain("every instance of "+originWords(x.originOf(a.Inst))+" has its own").
			at(", made at ", x.object(c.Object).Place).say(" and never handed out")}
	case otherObject:
		return Verdict{Kind: "other-object", Text: plain("one of them is of what its function has just put there, which is other memory")}
	case noElement:
		return Verdict{Kind: "element", Text: plain("the array").at(" made at ", x.object(c.Object).Place).say(" has no elements")}
	case behindEnd:
		return Verdict{Kind: "append", Text: plain("append writes behind the end of the slice, the other side within it")}
	case bothWaiting:
		return Verdict{Kind: "waits", Text: plain("any number may wait at the same time")}
	case otherElement:
		return Verdict{Kind: "element", Text: plain("they use different elements, " + a.elems.String() + " and " + b.elems.String())}
	case ownElement:
		return Verdict{Kind: "element", Text: plain("every instance of " + originWords(x.originOf(a.Inst)) + " uses elements of its own")}
	case otherStart:
		return Verdict{Kind: "other-start", Text: plain("no run of the program comes to both: it begins with one or the other")}
	case oneRun, lockedBoth, ordered:
		return x.becauseIn(view{x.Runs, x.Order}, a, b, o)
	case ownedFirst:
		return x.becauseOwned(a)
	case ownedSecond:
		return x.becauseOwned(b)
	case ownStart:
		return Verdict{Kind: "own-object", Text: plain("every start of "+originWords(x.originOf(a.Inst))).
			at(" at ", x.originOf(a.Inst).Start).say(" passes an object of its own").at(", made at ", x.object(c.Object).Place)}
	case ownMessage:
		return Verdict{Kind: "own-object", Text: plain("each side received an object of its own").at(", made at ", x.object(c.Object).Place)}
	case onceOfIt:
		return x.becauseOnce(a, b)
	case awaitedIt:
		return x.becauseAwaited(c, a, b)
	case apartInFrame:
		return x.becauseFrame(c, a, b)
	case apartOnWays:
		return Verdict{Kind: "ways", Text: plain("whichever calls lead to the two, a lock, order or ownership keeps them apart")}
	}
	return Verdict{Kind: "race"}
}

// becauseIn explains what keeps two accesses apart within a view.
func (x *inspector) becauseIn(v view, a, b *side, o outcome) Verdict {
	switch o {
	case oneRun:
		return x.becauseOneRun(a, b)
	case lockedBoth:
		return x.becauseLocked(v, a, b)
	}
	one, two := x.moment(v, a), x.moment(v, b)
	if e, ok := v.order.Explain(one, two); ok {
		return x.becauseOrdered(&e, a, b)
	}
	if e, ok := v.order.Explain(two, one); ok {
		return x.becauseOrdered(&e, b, a)
	}
	if e, ok := v.order.ExplainApart(one, two); ok {
		return x.becauseOrdered(&e, a, b)
	}
	return Verdict{Kind: "ordered", Text: plain("one is over before the other begins")}
}

func (x *inspector) becauseOneRun(a, b *side) Verdict {
	oa, ob := x.originOf(a.Inst), x.originOf(b.Inst)
	if oa.Kind == "test" && ob.Kind == "test" && len(x.originsOf(a.Inst))+len(x.originsOf(b.Inst)) > 2 {
		return Verdict{Kind: "one-origin", Text: plain("tests run one after the other")}
	}
	if oa != ob {
		return Verdict{Kind: "one-origin", Text: plain(originWords(oa) + " and " + originWords(ob) + " run one after the other")}
	}
	if x.Points.Origins.Get(x.Points.Instances[a.Inst].Origin).Root {
		return Verdict{Kind: "one-origin", Text: plain("both are run by " + originWords(oa))}
	}
	return Verdict{Kind: "one-origin", Text: plain("both are run by " + originWords(oa) + ", of which there is only one")}
}

func (x *inspector) becauseLocked(v view, a, b *side) Verdict {
	p, _ := x.commonLock(v.runs, a, b)
	name := x.lockName(a.Inst, p.First)
	text := plain("both hold " + name)
	if other := x.lockName(b.Inst, p.Second); other != name {
		text = plain("both hold the same lock, " + name + " and " + other)
	}
	one, two := x.place(p.First.Taken.Inst, p.First.Taken.Instr), x.place(p.Second.Taken.Inst, p.Second.Taken.Instr)
	text = text.at(", taken at ", one)
	if one != two {
		text = text.at(" and at ", two)
	}
	return Verdict{Kind: "lock", Text: text}
}

// becauseOnce explains that the once of the object keeps two accesses apart.
func (x *inspector) becauseOnce(a, b *side) Verdict {
	p, _ := x.Locks.Common(a.inPast(lockset.Once), b.inPast(lockset.Once), x.Runs)
	text := plain("both go by the object's own Once").at(" at ", x.place(p.First.Taken.Inst, p.First.Taken.Instr))
	return Verdict{Kind: "ordered", Rule: "R-ORDER-8", Text: text.say(", whose one run is over when any use of it returns")}
}

// becauseAwaited explains that one access has waited for something of the object
// that comes after the other.
func (x *inspector) becauseAwaited(c *sharing.Cell, a, b *side) Verdict {
	if !x.awaitedBy(c, a, b) {
		a, b = b, a
	}
	text := Sentence{{"", x.shownPlace(b)}}.say(" comes after a wait for something of the same object")
	for _, w := range b.past {
		if w.Kind.Waits() {
			text = text.at(" at ", x.place(w.Taken.Inst, w.Taken.Instr))
			break
		}
	}
	return Verdict{Kind: "ordered", Rule: "R-ORDER-3", Text: text.say(", which does not end").at(" before ", x.shownPlace(a))}
}

// becauseOwned explains that nobody else knows the object yet.
func (x *inspector) becauseOwned(s *side) Verdict {
	text := Sentence{}.at("at ", x.shownPlace(s)).say(" nobody else knows the object yet")
	if pubs := x.Owners.Publications(s.Inst, s.Instr, s.Addr); len(pubs) > 0 {
		text = text.at("; it gets out at ", x.firstPlace(pubs))
	}
	return Verdict{Kind: "owned", Text: text}
}

// becauseFrame explains what keeps two accesses to one of many objects apart.
func (x *inspector) becauseFrame(c *sharing.Cell, a, b *side) Verdict {
	v := Verdict{Kind: "frame", Text: plain("every object").at(" made at ", x.object(c.Object).Place).say(" is used in its own activation only, and there ")}
	m := x.meetings[meeting{c.Object, a.Inst, b.Inst}]
	for _, f := range m.frames {
		in := x.frameView(f)
		inner := x.becauseIn(in, a, b, x.coexist(in, a, b))
		v.Rule = inner.Rule
		v.Text = append(v.Text, inner.Text...)
		return v
	}
	return Verdict{Kind: "frame", Text: plain("never the same one of the objects").at(" made at ", x.object(c.Object).Place)}
}

// becauseOrdered explains that first is over before second begins.
func (x *inspector) becauseOrdered(e *order.Reason, first, second *side) Verdict {
	v := Verdict{Kind: "ordered"}
	if e.Rule != 0 {
		v.Rule = "R-ORDER-" + strconv.Itoa(int(e.Rule))
	}
	v.Text = x.orderText(e, x.shownPlace(first), x.shownPlace(second), x.originOf(first.Inst), x.originOf(second.Inst))
	// One step further back is shown; a longer chain would be hard to read.
	if e.Via != nil {
		v.Text = append(v.Text.say(", and "), x.orderText(e.Via, x.shownPlace(first), Place{}, x.originOf(first.Inst), OriginRef{})...)
		if e.Via.Via != nil {
			v.Text = v.Text.say(", and so on")
		}
	}
	return v
}

// orderText spells one application of a rule. Without a second place it is the
// signal, or the spawn, just spoken of.
func (x *inspector) orderText(e *order.Reason, first, second Place, one, two OriginRef) Sentence {
	cut, signal := x.pointPlace(e.Cut), x.pointPlace(e.Signal)
	later := func() Sentence {
		if second.IsValid() {
			return Sentence{{"", second}}
		}
		return plain("that")
	}
	other := originWords(two)
	if two.Kind == "" {
		other = "the one that does it"
	}
	switch e.Rule {
	case order.RuleSpawn, order.RuleStart:
		return Sentence{{"", first}}.say(" comes before the start of "+other).at(" at ", cut)
	case order.RuleWait:
		text := later().say(" comes after the "+x.waitWord(e.Cut)).at(" at ", cut)
		if signal.IsValid() {
			return text.say(", which waits for the "+x.signalWord(e.Signal)).at(" at ", signal)
		}
		return text.say(", which waits for " + originWords(one))
	case order.RuleRendezvous:
		return later().say(" comes after the send").at(" at ", cut).say(", which waits, for want of a buffer, for the receive").at(" at ", signal)
	case order.RuleFlag:
		return later().say(" comes after the test").at(" at ", cut).say(", which succeeds only after the write of the flag").at(" at ", signal)
	case order.RuleHandedLock:
		return later().say(" comes after the lock taken").at(" at ", cut).say(", which waits for the unlock").at(" at ", signal)
	case order.RuleOnce:
		if e.Inside {
			return plain("both are inside the Once").at(" at ", cut).say(", which runs one time only")
		}
		return later().say(" comes after the Once").at(" at ", cut).say(" has run").at(", in which is ", first)
	case order.RuleLast:
		if e.Inside {
			return plain("both are behind the test").at(" at ", cut).say(", which succeeds for one only")
		}
		return later().say(" comes after the test").at(" at ", cut).say(", which succeeds when all that were counted have counted down")
	case order.RuleCount:
		return later().say(" comes after as many operations on the channel").at(" at ", cut).say(" as there are partners for")
	case order.RuleRounds:
		return later().say(" comes after the meeting").at(" at ", cut).say(", to which all have come")
	case order.RuleOtherRound:
		return plain("all who run this meet between the two")
	case order.RuleDrain:
		return later().say(" comes after the loop that waits").at(" at ", cut).say(" for each of those that were started")
	case order.RuleTurns:
		return plain("every turn of the loop that starts one").at(" at ", cut).say(" waits for it before it goes on")
	case order.RuleEnclosed:
		return plain("what is started inside a call is waited for before the call returns").at(" at ", cut)
	}
	return Sentence{{"", first}}.say(" comes before ").at("", second)
}

// originWords names an origin within a sentence.
func originWords(o OriginRef) string {
	if o.Name == "" || o.Name == o.Kind {
		return o.Kind
	}
	return o.Kind + " " + o.Name
}

// waitWord names what waits at a point.
func (x *inspector) waitWord(p runs.Point) string {
	switch in := x.pointInstr(p); {
	case in == nil:
		return "wait"
	case in.Op == ir.OpRecv:
		return "receive"
	case in.Op == ir.OpSelect:
		return "select"
	case in.Op == ir.OpJoin:
		return "join"
	}
	return "wait"
}

// signalWord names what ends a wait.
func (x *inspector) signalWord(p runs.Point) string {
	switch in := x.pointInstr(p); {
	case in == nil:
	case in.Op == ir.OpSend, in.Op == ir.OpSelect:
		return "send"
	case in.Op == ir.OpClose:
		return "close"
	case in.Op == ir.OpGroup:
		return "Done"
	}
	return "signal"
}

func (x *inspector) pointInstr(p runs.Point) *ir.Instr {
	if p.Inst < 0 {
		return nil
	}
	return &x.Points.Body(p.Inst).Instrs[p.Instr]
}

func (x *inspector) pointPlace(p runs.Point) Place {
	if p.Inst < 0 {
		return Place{}
	}
	return x.near(p.Inst, p.Instr)
}

// firstPlace returns the first of some points in the order of the source.
func (x *inspector) firstPlace(points []runs.Point) Place {
	var first Place
	for _, p := range points {
		at := x.near(p.Inst, p.Instr)
		if at.IsValid() && (!first.IsValid() || at.before(first)) {
			first = at
		}
	}
	return first
}

func (p Place) before(q Place) bool {
	if p.File != q.File {
		return p.File < q.File
	}
	return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col
}

// near is the place of an instruction or, if it has none, of the next one before
// it that has.
func (x *inspector) near(inst pointer.InstID, instr int32) Place {
	for k := instr; k >= 0; k-- {
		if p := x.place(inst, k); p.IsValid() {
			return p
		}
	}
	return Place{}
}

// shownPlace is where a report says that an access is.
func (x *inspector) shownPlace(s *side) Place {
	acc, _ := x.access(s)
	return acc.Place
}
