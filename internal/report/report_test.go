package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

func TestGolden(t *testing.T) {
	doc := fixture()
	short := &Text{Paths: appPaths, Sources: sources}
	full := &Text{Paths: appPaths, Sources: sources, Full: true}
	color := &Text{Paths: appPaths, Sources: sources, Color: true}
	lanes := &Text{Paths: appPaths, Sources: sources, Lanes: 120}
	alone := *doc
	alone.Base = nil
	sarif := &SARIF{Paths: appPaths, Sources: sources}
	github := &GitHub{Paths: appPaths}
	rule, ok := detect.RuleByID(detect.RuleRaceAtomic)
	if !ok {
		t.Fatal("no such rule")
	}
	for _, tt := range []struct {
		file  string
		write func(*bytes.Buffer) error
	}{
		{"short.txt", func(b *bytes.Buffer) error { return short.Write(b, &alone) }},
		{"diff.txt", func(b *bytes.Buffer) error { return short.Write(b, doc) }},
		{"lanes.txt", func(b *bytes.Buffer) error { return lanes.Write(b, &alone) }},
		{"full.txt", func(b *bytes.Buffer) error { return full.Write(b, doc) }},
		{"color.txt", func(b *bytes.Buffer) error { return color.Write(b, &alone) }},
		{"doc.json", func(b *bytes.Buffer) error { return WriteJSON(b, doc, appPaths) }},
		{"doc.jsonl", func(b *bytes.Buffer) error { return WriteJSONL(b, doc, appPaths) }},
		{"doc.sarif", func(b *bytes.Buffer) error { return sarif.Write(b, doc) }},
		{"github.txt", func(b *bytes.Buffer) error { return github.Write(b, doc) }},
		{"rule.txt", func(b *bytes.Buffer) error { return WriteRule(b, &rule, false) }},
	} {
		var b bytes.Buffer
		if err := tt.write(&b); err != nil {
			t.Fatal(err)
		}
		golden(t, tt.file, b.Bytes())
	}
}

func TestTextWithoutSources(t *testing.T) {
	var b bytes.Buffer
	if err := (&Text{Paths: appPaths}).Write(&b, fixture()); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); strings.Contains(s, "|") || !strings.Contains(s, "srv/server.go:9:2") {
		t.Errorf("want places but no source lines:\n%s", s)
	}
}

func TestSortIsByShownPath(t *testing.T) {
	in := func(file string, line int, fp string) detect.Finding {
		return detect.Finding{Fingerprint: fp, First: detect.Access{Place: at(file, line, 1, 2)}}
	}
	fs := []detect.Finding{in("/home/me/app/b.go", 1, "e"), in("/go/x.go", 1, "a"), in("/home/me/app/a.go", 9, "d"), in("/home/me/app/a.go", 9, "c"), in("/home/me/app/a.go", 2, "z")}
	Sort(fs, appPaths)
	var got string
	for _, f := range fs {
		got += f.Fingerprint
	}
	if got != "azcde" {
		t.Errorf("order %q", got)
	}
}

func TestPaths(t *testing.T) {
	for _, tt := range []struct{ dir, file, want string }{
		{"/a/b", "/a/b/c.go", "c.go"},
		{"/a/b", "/a/bc/c.go", "/a/bc/c.go"},
		{"/a/b/", "/a/b/c/d.go", "c/d.go"},
		{"/a/b", "/a/b", "/a/b"},
		{"", "/a/b/c.go", "/a/b/c.go"},
		{"/", "/c.go", "c.go"},
	} {
		if got := (Paths{tt.dir}).Show(tt.file); got != tt.want {
			t.Errorf("%q in %q is shown as %q, want %q", tt.file, tt.dir, got, tt.want)
		}
	}
}

func TestShortIDs(t *testing.T) {
	fs := []detect.Finding{{Fingerprint: "0123456789ab"}, {Fingerprint: "01234567zzzz"}, {Fingerprint: "0123456789ab"}, {Fingerprint: "short"}}
	got := strings.Join(ShortIDs(fs), " ")
	if want := "012345678 01234567z 012345678 short"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestExcerpt(t *testing.T) {
	src := []byte("a\n\tx.y = z\r\n\n\tsum += f(\"日本\", t)\n" + strings.Repeat("x", 300))
	for _, tt := range []struct {
		name string
		pl   detect.Place
		want string
	}{
		{"tab", at("", 2, 2, 5), "2 | x.y = z\n  | ^^^\n"},
		{"no end", at("", 2, 8, 0), "2 | x.y = z\n  |       ^\n"},
		{"several lines", detect.Place{Line: 2, Col: 4, EndLine: 4, EndCol: 2}, "2 | x.y = z\n  |   ^^^^^\n"},
		{"wide", at("", 4, 21, 22), "4 | sum += f(\"日本\", t)\n  |                  ^\n"},
		{"empty line", at("", 3, 1, 1), ""},
		{"past the end", at("", 9, 1, 1), ""},
		{"column past the end", at("", 1, 7, 8), ""},
		{"long", at("", 5, 1, 300), "5 | " + strings.Repeat("x", 159) + "…\n  | " + strings.Repeat("^", 160) + "\n"},
		{"far right", at("", 5, 200, 300), ""},
		{"zero", detect.Place{}, ""},
	} {
		var b strings.Builder
		if err := excerpt(src, tt.pl).write(&b, false); err != nil {
			t.Fatal(err)
		}
		if b.String() != tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, b.String(), tt.want)
		}
	}
}

// Whatever place a finding names, the report must not fail.
func FuzzExcerpt(f *testing.F) {
	f.Add([]byte("a\tb\n"), 1, 1, 1, 3)
	f.Add([]byte(strings.Repeat("日本", 30)+"x\n"), 1, 181, 1, 182)
	f.Fuzz(func(t *testing.T, src []byte, line, col, endLine, endCol int) {
		place := detect.Place{Line: line, Col: col, EndLine: endLine, EndCol: endCol}
		excerpt(src, place)
		for _, l := range laneExcerpt(src, place, 50) {
			if l.width() > 50 {
				t.Errorf("%d columns: %q", l.width(), l)
			}
		}
	})
}
