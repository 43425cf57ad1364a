package detect

import (
	"go/format"
	"slices"
	"strings"
	"testing"
)

func TestRulesAreComplete(t *testing.T) {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
		if r.Title == "" || r.Text == "" {
			t.Errorf("%s: title or text missing", r.ID)
		}
		if r.Severity != "error" && r.Severity != "warning" {
			t.Errorf("%s: severity %q", r.ID, r.Severity)
		}
		for _, line := range strings.Split(r.Text, "\n") {
			if n := len([]rune(line)); n > 80 {
				t.Errorf("%s: line of %d columns: %s", r.ID, n, line)
			}
		}
		for name, src := range map[string]string{"racy": r.Racy, "fixed": r.Fixed} {
			out, err := format.Source([]byte(src))
			if err != nil {
				t.Errorf("%s: %s example: %v", r.ID, name, err)
			} else if string(out) != src {
				t.Errorf("%s: %s example is not formatted", r.ID, name)
			}
		}
	}
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("rule IDs are not sorted and unique: %v", ids)
	}
}
