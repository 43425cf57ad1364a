package runs

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
)

// Count is how often something happens: Times, or Times for each of what Of
// names within one activation. The zero value means that it is not known.
type Count struct {
	Times int64
	Of    string // "" if it is a plain number
}

// CountedLoop is a loop that counts its turns.
type CountedLoop struct {
	Turns Count
	Head  int32      // the branch that leaves the loop when all turns are done
	Exit  int        // by this successor
	Guard int32      // a branch before the loop that skips it, by the same successor, if there is no turn; or ir.None
	body  ir.BlockID // the successor of Head that begins the next turn
}

// Counted returns the loop around an instruction if it is the innermost one,
// counts its turns, and executes the instruction at most once in each. every is
// true if it does so in every turn; alone if the loop itself runs once in an
// activation.
func (r *Result) Counted(p Point) (l CountedLoop, every, alone, ok bool) {
	body := r.pts.Body(p.Inst)
	for _, l := range r.countedLoops(r.pts.Instances[p.Inst].Func, body) {
		if p.Instr == l.Head || !reachesFrom(body, l.body, p.Instr, l.Head) || !Reaches(body, p.Instr, l.Head, ir.None) {
			continue
		}
		if Reaches(body, p.Instr, p.Instr, l.Head) {
			continue // an inner loop repeats it
		}
		return l, !reachesFrom(body, l.body, l.Head, p.Instr), l.alone(body), true
	}
	return CountedLoop{}, false, false, false
}

// alone tells whether control does not come back to a loop that it has left.
func (l *CountedLoop) alone(body *ir.Body) bool {
	return !reachesFrom(body, body.Succs(body.BlockOf(l.Head))[l.Exit], l.Head, ir.None)
}

// CountedLoops lists the loops of an instance's function that count their turns.
func (r *Result) CountedLoops(id pointer.InstID) []CountedLoop {
	return r.countedLoops(r.pts.Instances[id].Func, r.pts.Body(id))
}

// countedLoops is CountedLoops of a function.
func (r *Result) countedLoops(fn link.FuncID, body *ir.Body) []CountedLoop {
	list, ok := r.counted[fn]
	if ok {
		return list
	}
	c := counter{r.pts, fn, body}
	cyclic := Cyclic(body)
	for b := range body.Blocks {
		end := body.Blocks[b].End - 1
		if cyclic[b] && body.Instrs[end].Op == ir.OpIf {
			if l, ok := c.loop(ir.BlockID(b), end); ok {
				list = append(list, l)
			}
		}
	}
	r.counted[fn] = list
	return list
}

// counter recognises loops that count.
type counter struct {
	pts  *pointer.Result
	fn   link.FuncID
	body *ir.Body
}

func (c *counter) def(v ir.Value) *ir.Instr {
	if d := c.pts.Prog.Definition(c.fn, v); d >= 0 {
		return &c.body.Instrs[d]
	}
	return nil
}

// loop recognises the test at the end of a block: "i < n" where i is a variable
// that begins with a constant and is one more in each turn.
func (c *counter) loop(b ir.BlockID, end int32) (CountedLoop, bool) {
	test := c.def(c.body.Args(&c.body.Instrs[end])[0])
	if test == nil || test.Op != ir.OpBinary || ir.BinaryKind(test.Sub) != ir.BinLt {
		return CountedLoop{}, false
	}
	args := c.body.Args(test)
	first, bottom, ok := c.steps(args[0])
	if !ok {
		return CountedLoop{}, false
	}
	turns := c.count(args[1])
	switch {
	case turns == Count{}:
		return CountedLoop{}, false
	case turns.Of == "":
		turns.Times = max(turns.Times-first, 0)
	case first != 0:
		return CountedLoop{}, false
	}
	succs := c.body.Succs(b)
	l := CountedLoop{Turns: turns, Head: end, Exit: 1, Guard: ir.None, body: succs[0]}
	if !reachesFrom(c.body, succs[0], end, ir.None) || bottom && !c.guarded(&l, succs[1], args[1], first) {
		return CountedLoop{}, false
	}
	return l, true
}

// steps recognises a variable that is one more in each turn, and returns its
// value in the first test. bottom is true if the test comes after the turn.
func (c *counter) steps(v ir.Value) (first int64, bottom, ok bool) {
	in := c.def(v)
	if in == nil {
		return 0, false, false
	}
	switch in.Op {
	case ir.OpPhi: // i = phi(first, i+1)
		first, ok = c.phi(in, func(a ir.Value) bool { return c.isNext(a, in.Dst) })
		return first, false, ok
	case ir.OpBinary: // next = phi(first, next)+1
		args := c.body.Args(in)
		phi := c.def(args[0])
		if phi == nil || phi.Op != ir.OpPhi || !c.isNext(v, phi.Dst) {
			return 0, false, false
		}
		first, ok = c.phi(phi, func(a ir.Value) bool { return a == v })
		if first == -1 {
			return 0, false, ok // the test comes before the turn
		}
		return first, true, ok // after it: the guard has made the first test
	case ir.OpLoad: // a variable that is made anew in each turn
		phi := c.def(c.body.Args(in)[0])
		if phi == nil || phi.Op != ir.OpPhi {
			return 0, false, false
		}
		return c.cells(phi)
	}
	return 0, false, false
}

// phi returns the constant that a phi begins with, if all else is the next
// value.
func (c *counter) phi(in *ir.Instr, next func(ir.Value) bool) (first int64, ok bool) {
	found := 0
	for _, a := range c.body.Args(in) {
		if next(a) {
			continue
		}
		if first, ok = c.constant(a); !ok {
			return 0, false
		}
		found++
	}
	return first, found == 1
}

func (c *counter) isNext(v ir.Value, of ir.Reg) bool {
	in := c.def(v)
	if in == nil || in.Op != ir.OpBinary || ir.BinaryKind(in.Sub) != ir.BinAdd {
		return false
	}
	args := c.body.Args(in)
	n, ok := c.constant(args[1])
	return ok && n == 1 && args[0].Reg() == of
}

// cells recognises the variable of a loop whose turns each have their own copy:
// one cell with a constant, then cells that get the old value and one more.
func (c *counter) cells(phi *ir.Instr) (first int64, bottom, ok bool) {
	found := 0
	for _, a := range c.body.Args(phi) {
		cell := c.def(a)
		if cell == nil || cell.Op != ir.OpAlloc {
			return 0, false, false
		}
		var stores []ir.Value
		for i := range c.body.Instrs {
			if in := &c.body.Instrs[i]; in.Op == ir.OpStore && c.body.Args(in)[0] == a {
				stores = append(stores, c.body.Args(in)[1])
			}
		}
		switch {
		case len(stores) == 1:
			if first, ok = c.constant(stores[0]); !ok {
				return 0, false, false
			}
			found++
		case len(stores) == 2 && c.isLoad(stores[0], phi.Dst) && c.isMore(stores[1], cell.Dst):
		default:
			return 0, false, false
		}
		if c.changedElsewhere(ir.RegValue(cell.Dst)) {
			return 0, false, false
		}
	}
	return first, false, found == 1 && !c.changedElsewhere(ir.RegValue(phi.Dst))
}

func (c *counter) isLoad(v ir.Value, of ir.Reg) bool {
	in := c.def(v)
	return in != nil && in.Op == ir.OpLoad && c.body.Args(in)[0].Reg() == of
}

// isMore tells whether a value is one more than what a cell holds.
func (c *counter) isMore(v ir.Value, cell ir.Reg) bool {
	in := c.def(v)
	if in == nil || in.Op != ir.OpBinary || ir.BinaryKind(in.Sub) != ir.BinAdd {
		return false
	}
	n, ok := c.constant(c.body.Args(in)[1])
	return ok && n == 1 && c.isLoad(c.body.Args(in)[0], cell)
}

// changedElsewhere tells whether the address of a variable is used for anything
// but loads, stores by this function, phis and closures that do not store to it.
func (c *counter) changedElsewhere(addr ir.Value) bool {
	for i := range c.body.Instrs {
		in := &c.body.Instrs[i]
		for k, a := range c.body.Args(in) {
			if a != addr {
				continue
			}
			switch in.Op {
			case ir.OpLoad, ir.OpPhi:
			case ir.OpStore:
				if k > 0 {
					return true
				}
			case ir.OpClosure:
				if c.storedBy(c.pts.Prog.Callee(c.fn, ir.FuncRefID(in.Aux)), int32(k)) {
					return true
				}
			default:
				return true
			}
		}
	}
	return false
}

// storedBy tells whether a function may store to what it captured as value k.
func (c *counter) storedBy(fn link.FuncID, k int32) bool {
	body := c.pts.Prog.Body(fn)
	if body == nil {
		return true
	}
	captured := ir.RegValue(ir.Reg(body.Params + k))
	for i := range body.Instrs {
		in := &body.Instrs[i]
		for _, a := range body.Args(in) {
			if a == captured && in.Op != ir.OpLoad {
				return true
			}
		}
	}
	return false
}

// guarded finds the branch that skips a loop which tests after its turns.
func (c *counter) guarded(l *CountedLoop, out ir.BlockID, bound ir.Value, first int64) bool {
	for _, b := range c.body.Preds(l.body) {
		end := c.body.Blocks[b].End - 1
		if end == l.Head {
			continue
		}
		if c.body.Instrs[end].Op != ir.OpIf || l.Guard != ir.None {
			return false
		}
		test := c.def(c.body.Args(&c.body.Instrs[end])[0])
		if test == nil || test.Op != ir.OpBinary || ir.BinaryKind(test.Sub) != ir.BinLt {
			return false
		}
		args := c.body.Args(test)
		if n, ok := c.constant(args[0]); !ok || n != first || c.count(args[1]) != c.count(bound) || c.body.Succs(b)[0] != l.body || c.body.Succs(b)[1] != out {
			return false
		}
		l.Guard = end
	}
	return l.Guard != ir.None
}

// count returns the number that a value is, or names it.
func (c *counter) count(v ir.Value) Count {
	if n, ok := c.constant(v); ok {
		return Count{Times: max(n, 0)}
	}
	if name := c.name(v, 4); name != "" {
		return Count{1, name}
	}
	return Count{}
}

// name returns the same words for values that are the same throughout an
// activation, "" if that is not known.
func (c *counter) name(v ir.Value, depth int) string {
	if v.Kind() != ir.ValueReg || depth == 0 {
		return ""
	}
	d := c.pts.Prog.Definition(c.fn, v)
	if d < 0 {
		return "v" + strconv.Itoa(int(v.Reg()))
	}
	in := &c.body.Instrs[d]
	switch in.Op {
	case ir.OpCopy, ir.OpConvert:
		return c.name(c.body.Args(in)[0], depth-1)
	case ir.OpLen:
		if s := c.name(c.body.Args(in)[0], depth-1); s != "" {
			return "len " + s
		}
		return ""
	case ir.OpLoad:
		return c.loaded(c.body.Args(in)[0], depth)
	}
	if Reaches(c.body, d, d, ir.None) {
		return "" // another value in each turn
	}
	return "v" + strconv.Itoa(int(in.Dst))
}

// loaded names what a variable holds that is given a value once.
func (c *counter) loaded(addr ir.Value, depth int) string {
	cell := c.def(addr)
	if cell == nil || cell.Op != ir.OpAlloc || c.changedElsewhere(addr) {
		return ""
	}
	var stored []ir.Value
	for i := range c.body.Instrs {
		if in := &c.body.Instrs[i]; in.Op == ir.OpStore && c.body.Args(in)[0] == addr {
			stored = append(stored, c.body.Args(in)[1])
		}
	}
	if len(stored) != 1 {
		return ""
	}
	return c.name(stored[0], depth-1)
}

func (c *counter) constant(v ir.Value) (int64, bool) {
	k := v.Const()
	if k == ir.None {
		return 0, false
	}
	n, err := strconv.ParseInt(c.pts.Prog.Unit(c.fn).Consts[k].Text, 10, 64)
	return n, err == nil
}
