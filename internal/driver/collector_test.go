package driver

import "testing"

func TestMemoryLimit(t *testing.T) {
	for live, want := range map[uint64]int64{0: relaxedMemory, 1 << 30: relaxedMemory, 2 << 30: 4 << 30, 10 << 30: 20 << 30} {
		if got := memoryLimit(live); got != want {
			t.Errorf("%d bytes in use: limit %d, want %d", live, got, want)
		}
	}
}
