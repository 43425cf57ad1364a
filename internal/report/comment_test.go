package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

func TestParseComment(t *testing.T) {
	for _, tt := range []struct {
		text string
		want string // rules|reason, or "!" and a part of the problem, or "no"
	}{
		{"deadheat:ignore race benign by design", "race|benign by design"},
		{"deadheat:ignore\trace,race-atomic  two   words", "race,race-atomic|two words"},
		{"deadheat:ignore race", "!no reason"},
		{"deadheat:ignore", "!no rule"},
		{"deadheat:ignore rcae because", `!no rule is called "rcae"`},
		{"deadheat:ignore race, because", `!no rule is called ""`},
		{"deadheat:ignored race because", "no"},
		{"deadheat:guarded_by mu", "no"},
	} {
		c, ok := ParseComment(tt.text, detect.Place{})
		got := strings.Join(c.Rules, ",") + "|" + c.Reason
		switch {
		case !ok:
			got = "no"
		case c.Problem != "":
			got = "!" + c.Problem
		}
		if got != tt.want && !(tt.want[0] == '!' && strings.HasPrefix(got, tt.want)) {
			t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

func TestSuppress(t *testing.T) {
	for _, tt := range []struct {
		name     string
		comments string // "line rule …"; a rule in capitals has a problem
		lines    [2]int // of the accesses
		want     string // lines of comments used
		ignored  bool
	}{
		{"same line", "5 race", [2]int{5, 9}, "5", true},
		{"other access", "9 race", [2]int{5, 9}, "9", true},
		{"line above", "4 race", [2]int{5, 9}, "4", true},
		{"two above", "3 race", [2]int{5, 9}, "", false},
		{"below", "6 race", [2]int{5, 9}, "", false},
		{"another rule", "5 misuse", [2]int{5, 9}, "", false},
		{"stacked", "3 misuse 4 race", [2]int{5, 9}, "4", true},
		{"stacked the other way", "3 race 4 misuse", [2]int{5, 9}, "3", true},
		{"both accesses", "5 race 9 race", [2]int{5, 9}, "5 9", true},
		{"own line first", "5 race", [2]int{5, 6}, "5", true},
		{"a problem", "5 RACE", [2]int{5, 9}, "", false},
	} {
		var comments []Comment
		fields := strings.Fields(tt.comments)
		for i := 0; i < len(fields); i += 2 {
			c := Comment{Rules: []string{strings.ToLower(fields[i+1])}, Reason: "r", Place: detect.Place{File: "f"}}
			fmt.Sscan(fields[i], &c.Place.Line)
			if fields[i+1] == "RACE" {
				c.Problem = "no reason"
			}
			comments = append(comments, c)
		}
		f := detect.Finding{Rule: "race"}
		f.First.Place = detect.Place{File: "f", Line: tt.lines[0]}
		f.Second.Place = detect.Place{File: "f", Line: tt.lines[1]}
		list := []detect.Finding{f}
		Suppress(list, comments)
		var used []string
		for _, c := range comments {
			if c.Used {
				used = append(used, fmt.Sprint(c.Place.Line))
			}
		}
		if got := strings.Join(used, " "); got != tt.want || (list[0].Suppression != nil) != tt.ignored {
			t.Errorf("%s: used %q, want %q; suppression %v", tt.name, got, tt.want, list[0].Suppression)
		}
	}
}

// A comment at the end of a line that it applies to says nothing about the
// next line.
func TestSuppressOwnLineOnly(t *testing.T) {
	at := func(line int) detect.Finding {
		f := detect.Finding{Rule: "race"}
		f.First.Place = detect.Place{File: "f", Line: line}
		return f
	}
	list := []detect.Finding{at(5), at(6)}
	Suppress(list, []Comment{{Rules: []string{"race"}, Reason: "r", Place: detect.Place{File: "f", Line: 5}}})
	if list[0].Suppression == nil || list[1].Suppression != nil {
		t.Errorf("line 5: %v, line 6: %v", list[0].Suppression, list[1].Suppression)
	}
}
