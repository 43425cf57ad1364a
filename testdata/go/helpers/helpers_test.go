// Tests that share helpers: each has what the helper made for it. A goroutine that
// a test leaves behind runs beside the tests after it.
package helpers

import "testing"

type server struct {
	hits  int
	onHit func()
	done  chan struct{}
}

func start(onHit func()) *server {
	s := &server{onHit: onHit, done: make(chan struct{})}
	go s.serve()
	return s
}

func (s *server) serve() {
	s.hits++ // want race "s.hits"
	s.onHit()
	close(s.done)
}

var leftOver int

func TestWaitsClean(t *testing.T) {
	n := 0
	s := start(func() { n++ })
	<-s.done
	if n != s.hits {
		t.Error(n)
	}
}

func TestForgetsRacy(t *testing.T) {
	s := start(func() {})
	if s.hits > 1 { // want race "s.hits"
		t.Error(s.hits)
	}
}

func TestLeavesBehindRacy(t *testing.T) {
	start(func() { leftOver++ }) // want race "leftOver"
}

func TestOverwrites(t *testing.T) {
	leftOver = 0 // want race "leftOver"
}

type group struct{ funcs []func() }

func newGroup() *group { return new(group) }

func (g *group) add(f func()) { g.funcs = append(g.funcs, f) }

func (g *group) run() {
	for _, f := range g.funcs {
		f()
	}
}

func TestLeavesGroupClean(t *testing.T) {
	g := newGroup()
	g.add(func() { t.Log("late") })
	go g.run()
}

func TestOwnGroupClean(t *testing.T) {
	n := 0
	g := newGroup()
	g.add(func() { n++ })
	g.run()
	if n != 1 {
		t.Error(n)
	}
}
