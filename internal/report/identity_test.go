package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

// id makes an identity of "fingerprint what function function"; functions
// whose name begins with ! are written, others read.
func id(s string) Identity {
	w := strings.Fields(s)
	f := detect.Finding{Rule: "race", Fingerprint: w[0], What: w[1], Type: "int"}
	for i, a := range []*detect.Access{&f.First, &f.Second} {
		name, writes := strings.CutPrefix(w[2+i], "!")
		a.Symbol = name
		if writes {
			a.Kind = detect.Write
		}
	}
	return IdentityOf(&f)
}

func functions(list string) Functions {
	if list == "-" {
		return nil
	}
	out := Functions{}
	for f := range strings.FieldsSeq(list) {
		out[f] = true
	}
	return out
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		name          string
		old, now      string
		before, after string
		want          bool
	}{
		{"fingerprint", "1 n !p.f p.g", "1 other !p.x p.y", "", "", true},
		{"allocated elsewhere", "1 n !p.f p.g", "2 n !p.f p.g", "p.f p.g", "p.f p.g", true},
		{"closure renumbered", "1 n !p.f$1 p.f", "2 n !p.f$2 p.f", "p.f", "p.f", true},
		{"first renamed", "1 n !p.f p.g", "2 n !p.z p.g", "p.f p.g", "p.z p.g", true},
		{"renamed with its closure", "1 n !p.f$1 p.f", "2 n !p.h$1 p.h", "p.f", "p.h", true},
		{"renamed, before unknown", "1 n !p.f p.g", "2 n !p.h p.g", "-", "p.h p.g", true},
		{"old function still there", "1 n !p.f p.g", "2 n !p.h p.g", "p.f p.g", "p.f p.h p.g", false},
		{"new function was there", "1 n !p.f p.g", "2 n !p.h p.g", "p.f p.h p.g", "p.h p.g", false},
		{"not a function of ours", "1 n !p.f p.g", "2 n !lib.h p.g", "p.f p.g", "p.g", false},
		{"both renamed", "1 n !p.f p.g", "2 n !p.h p.i", "p.f p.g", "p.h p.i", false},
		{"another memory", "1 n !p.f p.g", "2 m !p.h p.g", "p.f p.g", "p.h p.g", false},
		{"another access", "1 n !p.f p.g", "2 n !p.h !p.g", "p.f p.g", "p.h p.g", false},
		{"package moved", "1 a.n !x/a.f (*x/a.T).g", "2 b.n !x/b.f (*x/b.T).g", "x/a.f (*x/a.T).g", "x/b.f (*x/b.T).g", true},
		{"package copied", "1 a.n !x/a.f x/a.g", "2 b.n !x/b.f x/b.g", "x/a.f x/a.g", "x/a.f x/a.g x/b.f x/b.g", false},
	} {
		got := Match([]Identity{id(tt.old)}, []Identity{id(tt.now)}, functions(tt.before), functions(tt.after))
		if (got[0] == 0) != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// One finding of the past stands for one of the present.
func TestMatchOnce(t *testing.T) {
	old := []Identity{id("1 n !p.f p.g")}
	now := []Identity{id("2 n !p.f p.g"), id("1 n !p.f p.g"), id("3 n !p.f p.g")}
	if got, want := Match(old, now, nil, nil), []int{-1, 0, -1}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBaselineRoundTrip(t *testing.T) {
	list := Identities(fixture().Findings)
	var b bytes.Buffer
	if err := WriteBaseline(&b, list); err != nil {
		t.Fatal(err)
	}
	golden(t, "baseline.txt", b.Bytes())
	got, err := ParseBaseline("f", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if m := Match(got, list, nil, nil); slices.Contains(m, -1) || len(got) != len(list) {
		t.Errorf("read back %d of %d: %v", len(got), len(list), m)
	}
	for i := range got {
		if !slices.Contains(list, got[i]) {
			t.Errorf("%+v was not written", got[i])
		}
	}
}

func TestParseBaseline(t *testing.T) {
	line := "0123\trace\tn\tint\twrite p.f\tatomic read p.g\n"
	for _, tt := range []struct {
		name, data, want string
	}{
		{"empty", baselineMagic + "\n", ""},
		{"repeated, as after a merge", baselineMagic + "\n" + line + line, ""},
		{"other line ends", baselineMagic + "\r\n" + strings.ReplaceAll(line, "\n", "\r\n"), ""},
		{"no head", line, "f:1: not a baseline file"},
		{"conflict", baselineMagic + "\n<<<<<<< HEAD\n" + line, "f:2: left by an unfinished merge"},
		{"columns", baselineMagic + "\n0123\trace\n", "f:2: want 6 columns"},
		{"access", baselineMagic + "\n0\tr\tn\tint\tgrab p.f\tread p.g\n", "f:2: column 5: want an access"},
	} {
		list, err := ParseBaseline("f", []byte(tt.data))
		if err == nil && tt.want != "" || err != nil && (tt.want == "" || !strings.HasPrefix(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if err == nil && len(list) > 1 {
			t.Errorf("%s: %d entries", tt.name, len(list))
		}
	}
}

func TestCompare(t *testing.T) {
	finding := func(fp string, c detect.Confidence, suppressed bool) detect.Finding {
		f := detect.Finding{Rule: "race", Fingerprint: fp, What: fp, Confidence: c}
		if suppressed {
			f.Suppression = &detect.Suppression{Reason: "r"}
		}
		return f
	}
	old := []detect.Finding{
		finding("same", detect.High, false), finding("gone", detect.High, false), finding("doubt", detect.Low, false),
		finding("uncommented", detect.High, true), finding("commented", detect.High, false), finding("gone-low", detect.Low, false),
	}
	now := []detect.Finding{
		finding("same", detect.High, false), finding("new", detect.Medium, false), finding("doubt", detect.High, false),
		finding("uncommented", detect.High, false), finding("commented", detect.High, true),
	}
	var got []string
	for _, f := range Compare(now, old, detect.Medium, nil, nil) {
		got = append(got, f.Fingerprint+" "+f.State.String())
	}
	want := []string{"same preexisting", "new introduced", "doubt introduced", "uncommented introduced", "commented preexisting", "gone fixed"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
