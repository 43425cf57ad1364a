package summary

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// memory is a Cache that lasts for a test.
type memory struct {
	mu    sync.Mutex
	packs map[string][]byte
	saved int
}

func (m *memory) Load(unit string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.packs[unit]
}

func (m *memory) Save(unit string, pack []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.packs[unit] = pack
	m.saved++
}

// cached is a chain of calls, two functions that call each other, a closure that
// is returned, and something that nobody calls.
const cached = `unit lib ir
file "a.ir"
type Mutex struct{s int}
type S struct{mu Mutex; n int; m int}
func @leaf(v0 s: *S) {
b0:
	v1 = field *int S.n v0 ; 1:1
	store int v1, 1:int ; 1:2
	ret
}
func @middle(v0 s: *S) {
b0:
	call () @leaf(v0) ; 10:1
	ret
}
func[exported] @Top(v0 s: *S) {
b0:
	v1 = field *Mutex S.mu v0 ; 20:1
	lock.excl v1 ; 20:2
	call () @middle(v0) ; 21:1
	unlock.excl v1 ; 22:1
	ret
}
func @even(v0 s: *S) {
b0:
	call () @odd(v0) ; 30:1
	ret
}
func @odd(v0 s: *S) {
b0:
	v1 = field *int S.m v0 ; 31:1
	store int v1, 1:int ; 31:2
	call () @even(v0) ; 32:1
	ret
}
func @release() captures(v0 s: *S) {
b0:
	v1 = field *Mutex S.mu v0 ; 40:1
	unlock.excl v1 ; 40:2
	ret
}
func @hold(v0 s: *S) (func()) {
b0:
	v1 = field *Mutex S.mu v0 ; 41:1
	lock.excl v1 ; 41:2
	v2 = closure func() @release v0 ; 41:3
	ret v2
}
func[exported] @Use(v0 s: *S) {
b0:
	v1 = call func() @hold(v0) ; 50:1
	callptr () v1() ; 51:1
	v2 = field *int S.n v0 ; 52:1
	store int v2, 2:int ; 52:2
	ret
}
func[exported] @Alone(v0 s: *S) {
b0:
	v1 = field *int S.n v0 ; 60:1
	v2 = load int v1 ; 60:2
	ret
}
`

func summariseText(t *testing.T, src string, cache Cache, jobs int) (*Set, string) {
	t.Helper()
	units, err := ir.ParseAll("a.ir", src)
	if err != nil {
		t.Fatal(err)
	}
	all := func(string) bool { return true }
	set, err := Summarise(t.Context(), link.Link(units, nil), Config{InScope: all, Summarise: all, Cache: cache, Jobs: jobs})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, f := range set.Funcs {
		b.WriteString(set.Format(f))
	}
	return set, b.String()
}

// After an edit, what is computed is the component of the edited function, and
// those callers of which a callee's summary changed.
func TestCacheWave(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit []string // what to replace, and by what
		want int
	}{
		{"nothing", nil, 0},
		{"a body whose summary stays", []string{"v2 = load int v1 ; 60:2", "v2 = load int v1 ; 60:2\n\tv3 = binary.add int v2, 1:int"}, 1},
		{"a leaf whose summary stays", []string{"store int v1, 1:int ; 1:2", "store int v1, 7:int ; 1:2"}, 1},
		{"a leaf with another access", []string{"store int v1, 1:int ; 1:2", "v2 = load int v1 ; 1:2"}, 3},
		{"a leaf that has moved", []string{"1:int ; 1:2", "1:int ; 1:3"}, 3},
		{"one of two that call each other", []string{"31:1", "31:4"}, 2},
		{"a lock in the middle of nowhere", []string{"call () @middle(v0) ; 21:1", "call () @middle(v0) ; 21:2"}, 1},
		{"a closure that is returned", []string{"\tunlock.excl v1 ; 40:2\n", ""}, 3},
		{"what is evident about a type", []string{"\tlock.excl v1 ; 20:2\n", "", "\tlock.excl v1 ; 41:2\n", ""}, 9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cache := &memory{packs: make(map[string][]byte)}
			first, _ := summariseText(t, cached, cache, 1)
			if first.Stats.Computed != first.Stats.Functions || cache.saved != 1 {
				t.Fatalf("%d of %d computed, %d packs saved at first", first.Stats.Computed, first.Stats.Functions, cache.saved)
			}
			src := strings.NewReplacer(tt.edit...).Replace(cached)
			if src == cached && tt.edit != nil {
				t.Fatal("no such text")
			}
			_, want := summariseText(t, src, nil, 1)
			set, got := summariseText(t, src, cache, 4)
			if got != want {
				t.Errorf("with a cache:\n%swithout:\n%s", got, want)
			}
			if set.Stats.Computed != tt.want {
				t.Errorf("%d functions computed, want %d", set.Stats.Computed, tt.want)
			}
			if again, _ := summariseText(t, src, cache, 1); again.Stats.Computed != 0 {
				t.Errorf("%d functions computed once more", again.Stats.Computed)
			}
		})
	}
}

// A damaged pack costs work, not the result.
func TestCacheDamaged(t *testing.T) {
	cache := &memory{packs: make(map[string][]byte)}
	_, want := summariseText(t, cached, cache, 1)
	good := cache.packs["lib"]
	rnd := rand.New(rand.NewPCG(3, 4))
	computed := 0
	for range 300 {
		bad := append([]byte(nil), good...)
		bad = bad[:rnd.IntN(len(bad)+1)]
		if len(bad) > 0 && rnd.IntN(2) == 0 {
			bad = append(bad, good[len(bad):]...)
			// Only what finds entries is changed: their content has a digest in the store.
			bad[rnd.IntN(35)] ^= byte(1 + rnd.IntN(255))
		}
		cache.packs["lib"] = bad
		set, got := summariseText(t, cached, cache, 1)
		if got != want {
			t.Fatalf("got\n%swant\n%s", got, want)
		}
		computed += set.Stats.Computed
	}
	if computed == 0 {
		t.Error("no damage was noticed")
	}
}

func TestCancelled(t *testing.T) {
	units, err := ir.ParseAll("a.ir", cached)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	all := func(string) bool { return true }
	if _, err := Summarise(ctx, link.Link(units, nil), Config{InScope: all, Summarise: all}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
