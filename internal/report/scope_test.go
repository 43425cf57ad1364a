package report

import (
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

func TestSuppressScope(t *testing.T) {
	finding := func() []detect.Finding {
		return []detect.Finding{{
			Rule: detect.RuleRace, What: "this.cells[i]", Type: "[]int",
			First:  detect.Access{Place: detect.Place{File: "/a/A.java", Line: 10}, Symbol: "a.A$B.lambda$fill$0(I)V"},
			Second: detect.Access{Place: detect.Place{File: "/a/A.java", Line: 20}, Symbol: "a.A.sum()I"},
		}}
	}
	for _, tt := range []struct {
		name  string
		rules string
		scope Scope
		want  bool
	}{
		{"lines", "", Scope{From: 18, To: 22}, true},
		{"lines of the other access", "race", Scope{From: 10, To: 10}, true},
		{"other lines", "", Scope{From: 11, To: 19}, false},
		{"another rule", "misuse", Scope{From: 18, To: 22}, false},
		{"unknown rule", "rcae", Scope{From: 18, To: 22}, false},
		{"method", "", Scope{Symbol: "a.A.sum()I"}, true},
		{"overload", "", Scope{Symbol: "a.A.sum(I)I"}, false},
		{"lambda of a method", "", Scope{Symbol: "a.A$B.fill()V"}, true},
		{"class", "", Scope{Symbol: "a.A"}, true},
		{"class within", "", Scope{Symbol: "a.A$B"}, true},
		{"class of a longer name", "", Scope{Symbol: "a.A$"}, false},
		{"field", "", Scope{Symbol: "a.A.cells"}, true},
		{"field of another class", "", Scope{Symbol: "a.C.cells"}, false},
		{"another field", "", Scope{Symbol: "a.A.ells"}, false},
	} {
		list := finding()
		comments := []Comment{NewScoped(tt.rules, "why", detect.Place{File: "/a/A.java", Line: tt.scope.From}, tt.scope)}
		Suppress(list, comments)
		if got := list[0].Suppression != nil; got != tt.want || got != comments[0].Used {
			t.Errorf("%s: suppressed %t, want %t", tt.name, got, tt.want)
		}
	}
}
