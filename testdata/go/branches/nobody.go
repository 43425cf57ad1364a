package main

type coder struct{ n int }

var table, used [2]int

func (c *coder) all() int {
	c.n++
	return table[0]
}

func (c *coder) some() int {
	c.n++
	return used[0] // want race "used"
}

type buffer interface{ get() *coder }

type real struct{ c *coder }

func (r *real) get() *coder { return r.c }

func encode(b buffer) int {
	if b == nil {
		return 0
	}
	return b.get().all()
}

func encodeSome(b buffer) int {
	if b == nil {
		return 0
	}
	return b.get().some()
}

// Nobody has a coder here: the method is never called.
func nobodyClean() {
	done := start(func() { encode(nil) })
	table[0] = 1
	<-done
}

func somebodyRacy() {
	done := start(func() { encodeSome(&real{&coder{}}) })
	used[0] = 1
	<-done
}
