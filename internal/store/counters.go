package store

import (
	"sync"
	"sync/atomic"
)

// Counters says what a Store has done since it was opened. An off store counts
// nothing.
type Counters struct {
	ActionHits, ActionMisses int64
	BlobHits, BlobMisses     int64
	BytesRead                int64 // of hits, records included

	Written      int64 // entries written
	Present      int64 // blobs put that were there already
	BytesWritten int64

	// Corrupt counts entries found damaged on reading, removed, and treated as
	// misses.
	Corrupt int64

	// Reads that failed for another reason than that there is no such entry;
	// they are misses too.
	ReadErrors     int64
	FirstReadError error

	// Writes that failed. The analysis is not affected; the next one is slower.
	WriteErrors     int64
	FirstWriteError error
}

// tally is the live form of Counters.
type tally struct {
	actionHits, actionMisses atomic.Int64
	blobHits, blobMisses     atomic.Int64
	bytesRead                atomic.Int64
	written, present         atomic.Int64
	bytesWritten             atomic.Int64
	corrupt                  atomic.Int64

	mu          sync.Mutex
	readErrors  int64 // guarded by mu
	firstRead   error // guarded by mu
	writeErrors int64 // guarded by mu
	firstWrite  error // guarded by mu
}

func (t *tally) failedRead(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readErrors++
	if t.firstRead == nil {
		t.firstRead = err
	}
}

func (t *tally) failedWrite(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writeErrors++
	if t.firstWrite == nil {
		t.firstWrite = err
	}
}

// Counters returns the counts up to now.
func (s *Store) Counters() Counters {
	if s == nil {
		return Counters{}
	}
	t := &s.n
	t.mu.Lock()
	defer t.mu.Unlock()
	return Counters{
		ActionHits:      t.actionHits.Load(),
		ActionMisses:    t.actionMisses.Load(),
		BlobHits:        t.blobHits.Load(),
		BlobMisses:      t.blobMisses.Load(),
		BytesRead:       t.bytesRead.Load(),
		Written:         t.written.Load(),
		Present:         t.present.Load(),
		BytesWritten:    t.bytesWritten.Load(),
		Corrupt:         t.corrupt.Load(),
		ReadErrors:      t.readErrors,
		FirstReadError:  t.firstRead,
		WriteErrors:     t.writeErrors,
		FirstWriteError: t.firstWrite,
	}
}
