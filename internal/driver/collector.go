package driver

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// GCPercent is how far a process that runs Check should let its heap grow
// between collections (debug.SetGCPercent): a run is short, allocates much and
// keeps most of it. bench/RESULTS.md has what it brings.
const GCPercent = 400

// relaxedMemory is up to which size, in bytes, the heap grows that freely. A
// larger one is collected when it has doubled, or memory would run out where half
// of it were enough.
const relaxedMemory = 5 << 29

// PaceCollector sets the garbage collector of a process that does nothing but run
// Check, from now on.
func PaceCollector() {
	debug.SetGCPercent(GCPercent)
	debug.SetMemoryLimit(relaxedMemory)
	go func() {
		set := int64(relaxedMemory)
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		for range time.Tick(50 * time.Millisecond) {
			metrics.Read(live)
			if want := memoryLimit(live[0].Value.Uint64()); want > set+set/16 || want < set-set/16 {
				set = want
				debug.SetMemoryLimit(set)
			}
		}
	}()
}

// memoryLimit is the limit for a heap of which so many bytes are in use.
func memoryLimit(live uint64) int64 { return max(relaxedMemory, 2*int64(live)) }
