package lockset

import "github.com/deadheat/deadheat/internal/ir"

// Kind is what a Held is about.
type Kind uint8

const (
	Mutex  Kind = iota
	Buffer      // a place in the buffer of a channel, taken by a send (see channel.go)
	Token       // the only element of a channel, taken by a receive (see token.go)
	Swap        // an atomic that was changed from free (see swap.go)
	// Once is a once that has been passed: exclusive for what runs inside of it,
	// shared for what comes after it. There is only one run of a once, and it is over
	// when any use of it returns, so that it excludes like a lock that is taken for
	// good.
	Once
	// Waits that have come to their end.
	Group
	Receive
	Join
)

// past tells whether it is about something that has happened, which nothing
// undoes, and not about a lock.
func (k Kind) past() bool { return k >= Once }

// Waits tells whether it is about a wait.
func (k Kind) Waits() bool { return k > Once }

// pass notes an instruction that has waited, by the path of what it waited for.
func (f *Function) pass(held []Held, i int32) []Held {
	in := &f.body.Instrs[i]
	if in.Dst != ir.None && len(held) > 0 {
		held = f.forget(held, i)
	}
	var kind Kind
	switch {
	case in.Flags&(ir.FlagTry|ir.FlagMaybe) != 0, in.Op == ir.OpGroup && ir.GroupKind(in.Sub) != ir.GroupWait:
		return held
	case in.Op == ir.OpOnce:
		kind = Once
	case in.Op == ir.OpGroup:
		kind = Group
	case in.Op == ir.OpRecv:
		kind = Receive
	default:
		kind = Join
	}
	return f.acquire(held, f.body.Args(in)[0], ir.Shared, i, kind)
}
