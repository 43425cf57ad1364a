// Package owners holds what is not shared yet, and what is (RacerD 5.2.3).
package owners

import "sync"

// Built is written only before anyone can know of it.
type Built struct {
	mu   sync.Mutex
	name string
	n    int
}

func NewBuilt(name string) *Built {
	b := &Built{}
	b.name = name
	b.init()
	return b
}

func (b *Built) init() { b.n = 1 }

func (b *Built) Name() string { return b.name }

func (b *Built) Inc() {
	b.mu.Lock()
	b.n++
	b.mu.Unlock()
}

func (b *Built) Get() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// Builder passes itself along (RacerD, figure 7).
type Builder struct {
	mu sync.Mutex
	x  int
}

func start() *Builder { return new(Builder) }

func (b *Builder) with(x int) *Builder {
	b.x = x
	return b
}

func Make() *Builder { return start().with(1).with(2) }

func (b *Builder) X() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.x
}

func (b *Builder) SetX(x int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.x = x
}

// Registry publishes an entry and goes on writing to it.
type Registry struct {
	mu      sync.Mutex
	entries map[string]*Entry
}

type Entry struct {
	n int
}

func (r *Registry) Add(name string) {
	e := &Entry{}
	e.n = 1
	r.mu.Lock()
	r.entries[name] = e
	r.mu.Unlock()
	e.n = 2 // want race "n"
}

func (r *Registry) Bump(name string) {
	r.mu.Lock()
	r.entries[name].n++
	r.mu.Unlock()
}

func (r *Registry) Look(name string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.entries[name].n
}

// Either is owned if both its parameters are (RacerD, figure 8).
type Either struct {
	mu sync.Mutex
	f  int
}

func either(c bool, a, b *Either) {
	e := a
	if c {
		e = b
	}
	e.f = 7 // want race "f"
}

func Both(c bool) *Either {
	a, b := new(Either), new(Either)
	either(c, a, b)
	return a
}

func (e *Either) One(c bool) { either(c, e, new(Either)) }

func (e *Either) Set() {
	e.mu.Lock()
	e.f = 1
	e.mu.Unlock()
}

func (e *Either) Get() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.f
}

// Pair: two instances of one type are two objects.
type Pair struct {
	mu sync.Mutex
	n  int
}

func (p *Pair) CopyTo(q *Pair) {
	p.mu.Lock()
	n := p.n
	p.mu.Unlock()
	q.mu.Lock()
	q.n = n
	q.mu.Unlock()
}

// Sharded has a lock for each part.
type Sharded struct {
	shards [16]shard
}

type shard struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *Sharded) shard(k string) *shard { return &s.shards[len(k)%16] }

func (s *Sharded) Put(k string, v int) {
	sh := s.shard(k)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.m[k] = v
}

func (s *Sharded) Get(k string) int {
	i := len(k) % 16
	s.shards[i].mu.Lock()
	defer s.shards[i].mu.Unlock()
	return s.shards[i].m[k]
}

// Copied locks a copy of the lock.
type Copied struct {
	mu sync.Mutex
	n  int
}

func (c Copied) Get() int { // want race "n"
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *Copied) Set(n int) {
	c.mu.Lock()
	c.n = n
	c.mu.Unlock()
}

func (c *Copied) Inc() {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
}

// List publishes in a function it calls.
type List struct {
	mu    sync.Mutex
	items map[int]*Item
}

type Item struct {
	n int
}

func (l *List) enter(k int) *Item {
	it := new(Item)
	l.mu.Lock()
	l.items[k] = it
	l.mu.Unlock()
	return it
}

func (l *List) Add(k int) {
	it := l.enter(k)
	it.n = 1 // want race "n"
}

func (l *List) Get(k int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.items[k].n
}

// Node holds a leaf: putting a new one into memory of a
// type without any lock lets nobody know.
type Node struct {
	child *Leaf
}

type Leaf struct {
	mu sync.Mutex
	n  int
}

func newLeaf(p *Node) *Leaf {
	l := new(Leaf)
	p.child = l
	return l
}

func Grow(p *Node) *Leaf {
	l := newLeaf(p)
	l.n = 1
	return l
}

func (l *Leaf) Inc() {
	l.mu.Lock()
	l.n++
	l.mu.Unlock()
}

func (l *Leaf) Get() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}
