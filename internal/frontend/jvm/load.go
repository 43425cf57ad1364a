package jvm

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/frontend/jvm/stubs"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

// frontendVersion must change whenever the same class could give another unit.
const frontendVersion = "7"

// loader is one call of Load.
type loader struct {
	cfg     *Config
	targets *archive.Path
	libs    *archive.Path
	jdk     *archive.Path // nil if there is none
	stubs   *stubs.Table  // in its place, else nil
	starts  map[string]bool

	classes map[string]*Class // by internal name; nil for those that are nowhere
	stats   struct{ hits, bytes atomic.Int64 }

	mu   sync.Mutex
	done int // guarded by mu
}

// Load makes units of the classes of the targets and of all they lead to. It
// fails if a place cannot be opened or has no classes; problems of single
// classes are noted on them.
func Load(ctx context.Context, cfg Config) (res *Result, err error) {
	l := &loader{cfg: &cfg, classes: make(map[string]*Class), starts: make(map[string]bool)}
	res = &Result{}
	defer func() { err = errors.Join(err, l.close()) }()
	if err := l.open(res); err != nil {
		return nil, err
	}
	wave := l.targets.Classes()
	for len(wave) > 0 {
		if err := l.load(ctx, wave); err != nil {
			return nil, err
		}
		wave = l.mentioned(wave)
	}
	for name, c := range l.classes {
		if c == nil {
			res.Missing = append(res.Missing, dotted(name))
		} else {
			res.Classes = append(res.Classes, c)
		}
	}
	slices.Sort(res.Missing)
	slices.SortFunc(res.Classes, func(a, b *Class) int { return strings.Compare(a.Name, b.Name) })
	l.problems(res)
	res.Stats = Stats{Classes: len(res.Classes), Hits: int(l.stats.hits.Load()), Bytes: l.stats.bytes.Load()}
	return res, nil
}

// open opens all places.
func (l *loader) open(res *Result) (err error) {
	if l.targets, err = archive.OpenPath(l.cfg.Targets, archive.Config{}); err != nil {
		return err
	}
	if len(l.targets.Classes()) == 0 {
		return fmt.Errorf("%s: no classes there; name a directory of class files, a jar or a war", strings.Join(l.cfg.Targets, ", "))
	}
	if l.libs, err = archive.OpenPath(l.cfg.ClassPath, archive.Config{}); err != nil {
		return err
	}
	for _, a := range l.targets.Archives {
		if m := a.Manifest(); m != nil {
			l.starts[m.MainClass()], l.starts[m.StartClass()] = true, true
		}
	}
	if l.cfg.Library == LibraryNone {
		l.stubs, err = stubs.Open()
		return err
	}
	home := l.cfg.JDK
	if home == "" {
		if home, err = archive.FindJDK(l.cfg.JavaHome, l.cfg.PathList); err != nil {
			res.Notes = append(res.Notes, err.Error()+"; the declarations of the JDK that deadheat has are used")
			l.stubs, err = stubs.Open()
			return err
		}
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		return err
	}
	l.jdk = jdk.Path
	return nil
}

func (l *loader) close() error {
	var errs []error
	for _, p := range []*archive.Path{l.targets, l.libs, l.jdk} {
		if p != nil {
			errs = append(errs, p.Close())
		}
	}
	return errors.Join(errs...)
}

// find says where a class is.
func (l *loader) find(name string) *Class {
	for _, p := range []*archive.Path{l.targets, l.libs, l.jdk} {
		if p == nil {
			continue
		}
		if a := p.Find(name); a != nil {
			return &Class{Name: dotted(name), Place: a.Name(), Target: p == l.targets, Standard: p == l.jdk, Start: l.starts[name]}
		}
	}
	if l.stubs != nil && l.stubs.Lines(name) != "" {
		return &Class{Name: dotted(name), Place: "declarations of the JDK", Standard: true}
	}
	return nil
}

// load makes the units of classes, several at a time.
func (l *loader) load(ctx context.Context, names []string) error {
	list := make([]*Class, len(names))
	for i, name := range names {
		list[i] = l.find(name)
		l.classes[name] = list[i]
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(l.cfg.workers(), len(names)) {
		wg.Go(func() {
			buf := new(buffers)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) || ctx.Err() != nil {
					return
				}
				if list[i] != nil {
					l.process(names[i], list[i], buf)
				}
				l.progress()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

func (l *loader) progress() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done++
	if l.cfg.Progress != nil && l.done%64 == 0 {
		l.cfg.Progress(l.done, max(l.done, len(l.targets.Classes())))
	}
}

// mentioned returns the classes that the given ones mention and that are not
// loaded yet. Of a class whose code is not analysed only the supertypes count.
func (l *loader) mentioned(names []string) []string {
	var wave []string
	add := func(t *ir.Type) {
		if t.Kind != ir.KindNamed || strings.Contains(t.Name, "$$Lambda$") {
			return
		}
		name := internalName(t.Name)
		if _, known := l.classes[name]; !known {
			l.classes[name] = nil
			wave = append(wave, name)
		}
	}
	for _, name := range names {
		c := l.classes[name]
		if c == nil || c.Unit == nil {
			continue
		}
		u := c.Unit
		if l.analysed(c) {
			for i := range u.Types {
				add(&u.Types[i])
			}
			wave = append(wave, l.services(u)...)
			continue
		}
		for i := range u.TypeDecls {
			for _, s := range u.TypeDecls[i].Supers {
				add(&u.Types[s])
			}
		}
	}
	slices.Sort(wave)
	return wave
}

// services makes the classes of the services that a unit asks for, and returns
// the classes that they mention.
func (l *loader) services(u *ir.Unit) []string {
	var made []string
	for i := range u.FuncRefs {
		service := serviceOf(u.FuncRefs[i].Symbol)
		name := internalName(servicePrefix + service)
		if _, known := l.classes[name]; known || service == "" {
			continue
		}
		l.classes[name] = l.makeServices(service)
		made = append(made, name)
	}
	if made == nil {
		return nil
	}
	return l.mentioned(made)
}

// analysed tells whether the code of a class is analysed.
func (l *loader) analysed(c *Class) bool {
	return !c.Standard || l.cfg.Library == LibraryBodies && l.stubs == nil
}

// process finds or makes the unit of a class.
func (l *loader) process(name string, c *Class, buf *buffers) {
	defer func() {
		if r := recover(); r != nil {
			c.Unit = nil
			c.Errors = append(c.Errors, &Fault{What: fmt.Sprint(r), Stack: string(debug.Stack())})
		}
	}()
	data, err := l.read(name)
	if err != nil {
		c.Errors = append(c.Errors, err)
		return
	}
	l.stats.bytes.Add(int64(len(data)))
	key := l.key(c, data)
	encoded, ok := l.fromStore(key, c)
	if !ok {
		if encoded, err = l.lower(name, c, data, buf); err != nil {
			c.Errors = append(c.Errors, err)
			return
		}
		l.keep(key, c, encoded)
	}
	if c.Unit, err = ir.Decode(encoded); err != nil {
		c.Errors = append(c.Errors, err)
	}
}

// A Fault is a panic while a class was lowered.
type Fault struct{ What, Stack string }

func (f *Fault) Error() string { return "not analysed because of a fault in deadheat: " + f.What }

func (l *loader) read(name string) ([]byte, error) {
	for _, p := range []*archive.Path{l.targets, l.libs, l.jdk} {
		if p != nil && p.Find(name) != nil {
			return p.Read(name)
		}
	}
	if l.stubs != nil {
		return []byte(l.stubs.Lines(name)), nil
	}
	return nil, fmt.Errorf("no such class")
}

func (l *loader) key(c *Class, data []byte) store.Key {
	k := store.NewKey("java unit " + frontendVersion)
	k.Int(ir.EncodingVersion)
	k.Bool(l.analysed(c))
	k.Text(c.Name)
	k.Digest(store.Sum(data))
	return k.Sum()
}

func (l *loader) lower(name string, c *Class, data []byte, buf *buffers) ([]byte, error) {
	class, err := l.parse(name, c, data)
	if err != nil {
		return nil, err
	}
	if class.Name != name {
		return nil, fmt.Errorf("the file holds the class %s; put it into the directory of its package", dotted(class.Name))
	}
	lower := lowerHeader
	if l.analysed(c) {
		lower = lowerClass
	}
	u, errs := lower(class, buf)
	c.Errors = errs
	return ir.Encode(u), nil
}

// parse reads the declarations of a class.
func (l *loader) parse(name string, c *Class, data []byte) (*classfile.Class, error) {
	if c.Standard && l.stubs != nil {
		return l.stubs.Class(name)
	}
	return classfile.Parse(data)
}

func (l *loader) fromStore(key store.Key, c *Class) ([]byte, bool) {
	record, ok := l.cfg.Store.GetAction(key)
	if !ok || len(record.Blobs) != 1 {
		return nil, false
	}
	data, ok := l.cfg.Store.Get(record.Blobs[0])
	if ok {
		l.stats.hits.Add(1)
		c.Cached, c.Digest = true, record.Blobs[0]
	}
	return data, ok
}

// keep stores a unit. One with methods that could not be lowered is not kept, so
// that the next run says so again.
func (l *loader) keep(key store.Key, c *Class, encoded []byte) {
	c.Digest = store.Sum(encoded)
	if len(c.Errors) > 0 {
		return
	}
	if d, err := l.cfg.Store.Put(encoded); err == nil {
		l.cfg.Store.PutAction(key, store.Record{Blobs: []store.Digest{d}})
	}
}

// problems notes what was passed over while places were opened.
func (l *loader) problems(res *Result) {
	for _, p := range []*archive.Path{l.targets, l.libs} {
		for _, problem := range p.Problems {
			res.Notes = append(res.Notes, problem.String())
		}
	}
}
