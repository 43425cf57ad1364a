package driver

import (
	"crypto/sha256"
	"encoding/json"
	"io"
	"os"
	"sync"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/store"
	effects "github.com/deadheat/deadheat/internal/summary"
)

// libraryResult is what is kept of a library verdict.
type libraryResult struct {
	Findings   []detect.Finding
	Info       Program
	Limits     []keptLimit
	Unmodelled map[string]int
	Reached    []string
}

type keptLimit struct {
	Kind, Text, Symbol string
	Place              detect.Place
}

// libraryKey names a library verdict by everything it depends on: this program,
// the model files, the units and which of them are in scope. ok is false if that
// cannot be told.
func (r *run) libraryKey(p *program, scope map[string]bool) (key store.Key, ok bool) {
	self, err := ownDigest()
	if err != nil {
		return key, false
	}
	b := store.NewKey("library verdict 1")
	b.Digest(self)
	b.Bool(r.cfg.Sound)
	files := r.cfg.Models
	if name, ok := findProjectModels(r.dir); ok {
		files = append([]string{name}, files...)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return key, false
		}
		b.Bytes(text)
	}
	of := map[string]int{}
	for i, pkg := range r.parts {
		if pkg.variant == "" && r.units[i] != nil {
			of[pkg.path] = i
		}
	}
	for _, u := range p.units {
		i, known := of[u.Path]
		if !known || r.parts[i].digest == (store.Digest{}) {
			return key, false
		}
		b.Text(u.Path)
		b.Text(r.parts[i].dir)
		b.Bool(r.parts[i].standard)
		b.Digest(r.parts[i].digest)
		b.Bool(scope[u.Path])
	}
	return b.Sum(), true
}

// ownDigest is the digest of the running program: another build may come to
// another verdict.
var ownDigest = sync.OnceValues(func() (d store.Digest, err error) {
	name, err := os.Executable()
	if err != nil {
		return d, err
	}
	f, err := os.Open(name)
	if err != nil {
		return d, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return d, err
	}
	h.Sum(d[:0])
	return d, nil
})

// loadLibrary fills an analysis from the store.
func (a *analysis) loadLibrary(key store.Key) bool {
	rec, ok := a.run.cfg.Store.GetAction(key)
	if !ok || len(rec.Blobs) != 1 {
		return false
	}
	data, ok := a.run.cfg.Store.Get(rec.Blobs[0])
	if !ok {
		return false
	}
	var res libraryResult
	if json.Unmarshal(data, &res) != nil {
		return false
	}
	a.findings, a.info = res.Findings, res.Info
	for _, l := range res.Limits {
		a.limits = append(a.limits, limitAt{l.Kind, l.Text, l.Symbol, l.Place})
	}
	if res.Unmodelled != nil {
		a.unmodelled = res.Unmodelled
	}
	for _, s := range res.Reached {
		a.reached[s] = true
	}
	return true
}

// storeLibrary keeps the outcome of an analysis. Without a store, or if it
// cannot be written, the next run does the work again.
func (a *analysis) storeLibrary(key store.Key, reached []string) {
	res := libraryResult{Findings: a.findings, Info: a.info, Unmodelled: a.unmodelled, Reached: reached}
	for _, l := range a.limits {
		res.Limits = append(res.Limits, keptLimit{l.kind, l.text, l.symbol, l.place})
	}
	data, err := json.Marshal(&res)
	if err != nil {
		return
	}
	if d, err := a.run.cfg.Store.Put(data); err == nil {
		a.run.cfg.Store.PutAction(key, store.Record{Blobs: []store.Digest{d}})
	}
}

// summaryCache keeps the summaries of functions in the store.
func (r *run) summaryCache() effects.Cache {
	self, err := ownDigest()
	if err != nil || r.cfg.Store.Dir() == "" {
		return nil
	}
	return &summaryStore{r.cfg.Store, self}
}

// summaryStore is a slot for each unit, written over by the next run. What it
// holds need not fit the source: entries are found by what they depend on.
type summaryStore struct {
	store *store.Store
	self  store.Digest
}

func (s *summaryStore) slot(unit string) store.Key {
	b := store.NewKey("summaries 1")
	b.Digest(s.self)
	b.Text(unit)
	return b.Sum()
}

func (s *summaryStore) Load(unit string) []byte {
	rec, ok := s.store.GetAction(s.slot(unit))
	if !ok || len(rec.Blobs) != 1 {
		return nil
	}
	data, _ := s.store.Get(rec.Blobs[0])
	return data
}

func (s *summaryStore) Save(unit string, pack []byte) {
	if d, err := s.store.Put(pack); err == nil {
		s.store.PutAction(s.slot(unit), store.Record{Blobs: []store.Digest{d}})
	}
}
