package golang

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/deadheat/deadheat/internal/store"
)

// worker processes one package at a time.
type worker struct {
	*loader
	stats Stats
	ssa   ssaProgram
}

// Order of the blobs in a record.
const (
	unitBlob = iota
	exportBlob
	blobCount
)

// process finds or makes the unit of n. What goes wrong is noted on the package.
func (w *worker) process(ctx context.Context, n *node) {
	defer func() {
		if r := recover(); r != nil {
			w.ssa.discard()
			//deadheat:ignore race a node belongs to the worker that was given it, then to who waited for all
			n.pkg.Status = Failed
			n.pkg.Errors = append(n.pkg.Errors, Error{
				Msg:   fmt.Sprintf("not analysed because of a fault in deadheat: %v", r),
				Stack: string(debug.Stack()),
			})
		}
	}()
	if n.pkg.Status == Missing {
		return
	}
	start := time.Now()
	texts, err := readSource(n)
	if err != nil {
		w.unreadable(n, err)
		return
	}
	for i := range texts {
		w.stats.Files++
		w.stats.Bytes += int64(len(texts[i].data))
	}
	key, known := w.key(n, texts)
	hit := known && w.fromStore(n, key)
	w.stats.Read += time.Since(start)
	if hit {
		w.stats.Hits++
		return
	}
	w.stats.Misses++
	if n.list.usesCgo() {
		if texts, err = w.compiledTexts(ctx, n); err != nil {
			w.unreadable(n, err)
			return
		}
	}
	w.make(n, texts, key, known)
}

// fromStore takes the unit of n out of the store if it is there.
func (w *worker) fromStore(n *node, key store.Key) bool {
	record, ok := w.cfg.Store.GetAction(key)
	if !ok || len(record.Blobs) != blobCount {
		return false
	}
	unit, ok := w.cfg.Store.Get(record.Blobs[unitBlob])
	if !ok {
		return false
	}
	n.pkg.Cached = true
	//deadheat:ignore race a node belongs to the worker that was given it, then to who waited for all
	n.pkg.unit = unit
	n.pkg.Unit = record.Blobs[unitBlob]
	//deadheat:ignore race a node is read by the workers of its importers, which come after it
	n.pkg.API = record.Blobs[exportBlob]
	return true
}

// make makes the unit of n from source. Known says that the key is, and so
// that of each importer can be.
func (w *worker) make(n *node, texts []text, key store.Key, known bool) {
	start := time.Now()
	c := w.parse(n, texts)
	w.stats.Parse += lap(&start)

	before := w.stats.Import
	w.check(n, c, true)
	w.stats.Check += lap(&start) - (w.stats.Import - before)

	n.pkg.Errors = append(n.pkg.Errors, c.errs.list...)
	sortErrors(n.pkg.Errors)
	if c.errs.hard {
		//deadheat:ignore race a node belongs to the worker that was given it, then to who waited for all
		n.pkg.Status = IllTyped
		n.source = c.pkg
		return
	}
	if known {
		if data, err := writeExport(c.pkg); err == nil {
			n.export = data
			//deadheat:ignore race a node is read by the workers of its importers, which come after it
			n.pkg.API = store.Sum(data)
		}
	}
	if n.export == nil {
		n.source = c.pkg // importers make do with this, and are not kept
	}
	w.stats.Export += lap(&start)

	b := w.ssa.build(n, c)
	w.stats.SSA += lap(&start)
	unit, err := w.lower(b)
	w.ssa.release(b)
	w.stats.Lower += lap(&start)
	if err != nil {
		n.pkg.Status = Failed
		n.pkg.Errors = append(n.pkg.Errors, Error{Msg: "not analysed: " + err.Error()})
		return
	}
	//deadheat:ignore race a node belongs to the worker that was given it, then to who waited for all
	n.pkg.unit = unit
	n.pkg.Unit = store.Sum(unit)
	if known && n.export != nil && len(n.pkg.Errors) == 0 {
		w.keep(key, unit, n.export)
	}
	w.stats.Export += lap(&start)
}

// keep stores a unit and its export data. A write that fails costs the next run
// time and is told by the store's counters.
func (w *worker) keep(key store.Key, unit, export []byte) {
	var record store.Record
	for _, data := range [blobCount][]byte{unitBlob: unit, exportBlob: export} {
		d, err := w.cfg.Store.Put(data)
		if err != nil {
			return
		}
		record.Blobs = append(record.Blobs, d)
	}
	w.cfg.Store.PutAction(key, record)
}

func (w *worker) unreadable(n *node, err error) {
	var e Error
	if !errors.As(err, &e) {
		e.Msg = err.Error()
	}
	//deadheat:ignore race a node belongs to the worker that was given it, then to who waited for all
	n.pkg.Status = IllTyped
	n.pkg.Errors = append(n.pkg.Errors, e)
}

// lap returns the time since *start and moves it to now.
func lap(start *time.Time) time.Duration {
	now := time.Now()
	d := now.Sub(*start)
	*start = now
	return d
}
