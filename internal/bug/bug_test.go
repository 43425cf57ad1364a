package bug

import (
	"regexp"
	"strings"
	"sync"
	"testing"
)

func TestReportfPanicsInTests(t *testing.T) {
	defer func() {
		if got := recover(); got != "bug: block 3 has no terminator" {
			t.Errorf("recovered %v", got)
		}
		if r := Reports(); r != nil {
			t.Errorf("recorded as well: %v", r)
		}
	}()
	Reportf("block %d has no terminator", 3)
	t.Error("returned")
}

// reportf stands for Reportf outside of tests: add takes the caller of its
// caller as the place.
func reportf(r *recorder, message string) { r.add(message) }

func TestRecorder(t *testing.T) {
	var r recorder
	if got := r.list(); got != nil {
		t.Errorf("a new recorder has %v", got)
	}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { reportf(&r, "first place") })
	}
	wg.Wait()
	reportf(&r, "second place")
	for _, message := range []string{"third place", "third place, again"} {
		reportf(&r, message)
	}

	got := r.list()
	want := []struct {
		message string
		count   int
	}{{"first place", 50}, {"second place", 1}, {"third place", 2}}
	if len(got) != len(want) {
		t.Fatalf("got %d reports: %v", len(got), got)
	}
	siteForm := regexp.MustCompile(`^github\.com/deadheat/deadheat/internal/bug/bug_test\.go:\d+$`)
	for i, w := range want {
		g := got[i]
		if g.Message != w.message || g.Count != w.count {
			t.Errorf("report %d is %q %d times, want %q %d times", i, g.Message, g.Count, w.message, w.count)
		}
		if !siteForm.MatchString(g.Site) {
			t.Errorf("site %q", g.Site)
		}
		first, _, _ := strings.Cut(g.Stack, "\n")
		if !strings.Contains(first, "bug.TestRecorder") || !strings.HasSuffix(first, g.Site) {
			t.Errorf("stack of %q begins with %q", g.Site, first)
		}
	}
}
