package origin

import (
	"slices"

	"github.com/deadheat/deadheat/internal/link"
)

// Chain is the calls by which a wrapper is told apart: the one that runs it, and
// if that stands in a wrapper too, the one that runs that, and so on.
type Chain int32

// NoChain is that of functions which are not told apart by call.
const NoChain Chain = -1

// MaxChain bounds the calls of a chain; the nearest are kept.
const MaxChain = 4

// Chains holds chains, each once.
type Chains struct {
	list []called
	ids  map[called]Chain
}

// called is the first call of a chain and the rest of it.
type called struct {
	by Site
	up Chain
}

func newChains() *Chains { return &Chains{ids: make(map[called]Chain)} }

// Extend returns the chain of what a call runs that stands in a function with a
// chain. Calls that come round are left out.
func (c *Chains) Extend(up Chain, by Site) Chain {
	n := 1
	for k := up; k != NoChain; k = c.list[k].up {
		if c.list[k].by == by {
			return k
		}
		n++
	}
	if n > MaxChain {
		up = c.shorten(up, MaxChain-1)
	}
	return c.intern(called{by, up})
}

// shorten returns the chain of the nearest calls of a chain.
func (c *Chains) shorten(k Chain, n int) Chain {
	if n == 0 || k == NoChain {
		return NoChain
	}
	return c.intern(called{c.list[k].by, c.shorten(c.list[k].up, n-1)})
}

func (c *Chains) intern(x called) Chain {
	id, known := c.ids[x]
	if !known {
		id = Chain(len(c.list))
		c.list = append(c.list, x)
		c.ids[x] = id
	}
	return id
}

// copyFrom returns a chain of another table.
func (c *Chains) copyFrom(from *Chains, k Chain) Chain {
	if k == NoChain {
		return NoChain
	}
	return c.intern(called{from.list[k].by, c.copyFrom(from, from.list[k].up)})
}

// Calls returns the calls of a chain, the farthest from what it runs first.
func (c *Chains) Calls(k Chain) []Site {
	var list []Site
	for ; k != NoChain; k = c.list[k].up {
		list = append(list, c.list[k].by)
	}
	slices.Reverse(list)
	return list
}

// renumber translates the functions of calls. No chain is made after that.
func (c *Chains) renumber(funcs []link.FuncID) {
	for i := range c.list {
		c.list[i].by = c.list[i].by.Renumber(funcs)
	}
	c.ids = nil
}
