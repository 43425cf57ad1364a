package report

import (
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

func TestColumns(t *testing.T) {
	for _, tt := range []struct {
		s    string
		want int
	}{
		{"", 0}, {"abc", 3}, {"é", 1}, {"e\u0301", 1}, {"日本", 4}, {"한글", 4}, {"ｗ", 2}, {"🏁", 2}, {"a\u200bb", 2}, {"│…", 2},
	} {
		if got := columns(tt.s); got != tt.want {
			t.Errorf("%q takes %d columns, want %d", tt.s, got, tt.want)
		}
	}
	for i := 1; i < len(wideRanges); i++ {
		if wideRanges[i-1][1] >= wideRanges[i][0] || wideRanges[i][0] > wideRanges[i][1] {
			t.Errorf("wideRanges[%d] is out of order", i)
		}
	}
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		s           string
		n           int
		back, front string
	}{
		{"abc", 3, "abc", "abc"},
		{"abcd", 3, "ab…", "…cd"},
		{"日本語", 4, "日…", "…語"},
		{"日本語", 5, "日本…", "…本語"},
		{"ab", 1, "…", "…"},
		{"ab", 0, "", ""},
	} {
		if got := cut(tt.s, tt.n); got != tt.back {
			t.Errorf("cut(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.back)
		}
		if got := cutFront(tt.s, tt.n); got != tt.front {
			t.Errorf("cutFront(%q, %d) = %q, want %q", tt.s, tt.n, got, tt.front)
		}
	}
}

// Whatever is in them, lanes end where the terminal does and the rule between
// them is straight.
func TestLanesAlign(t *testing.T) {
	long := strings.Repeat("veryLongName", 12)
	src := []byte("x\n" + strings.Repeat("日本", 40) + " = " + long + "\n\tshort()\n")
	read := func(string) ([]byte, error) { return src, nil }
	f := fixture().Findings[2]
	f.First.Function = long
	f.First.Place = detect.Place{File: "/a/b.go", Line: 2, Col: 244, EndLine: 2, EndCol: 300}
	f.First.Locks = []detect.HeldLock{{Name: long, Place: at("/x/"+long+".go", 3, 2, 4), Function: "(*Server).Serve"}}
	f.Second.Trace[0].Function = "日本" + long
	for _, width := range []int{1, MinLanes, 133, 400} {
		doc := &Document{Findings: []detect.Finding{f}}
		var b strings.Builder
		if err := (&Text{Sources: read, Lanes: width}).Write(&b, doc); err != nil {
			t.Fatal(err)
		}
		rule := -1
		rows := 0
		for l := range strings.Lines(b.String()) {
			left, _, ok := strings.Cut(strings.TrimSuffix(l, "\n"), " │")
			if !ok {
				continue
			}
			rows++
			if rule < 0 {
				rule = columns(left)
			}
			if columns(left) != rule {
				t.Errorf("width %d: the rule is at %d instead of %d in %q", width, columns(left), rule, l)
			}
			if n := columns(strings.TrimSuffix(l, "\n")); n > max(width, MinLanes) {
				t.Errorf("width %d: %d columns in %q", width, n, l)
			}
		}
		if rows < 8 {
			t.Errorf("width %d: %d rows of lanes:\n%s", width, rows, b.String())
		}
	}
}
