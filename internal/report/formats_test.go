package report

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The reference documents exactly the fields that are emitted.
func TestFormatsDocumented(t *testing.T) {
	md, err := os.ReadFile("../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := fixture()
	var nested, lines bytes.Buffer
	if err := WriteJSON(&nested, doc, appPaths); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSONL(&lines, doc, appPaths); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		heading string
		out     *bytes.Buffer
	}{{"## json", &nested}, {"## jsonl", &lines}} {
		emitted := map[string]bool{}
		for dec := json.NewDecoder(tt.out); dec.More(); {
			var v any
			if err := dec.Decode(&v); err != nil {
				t.Fatal(err)
			}
			fields(v, "", emitted)
		}
		documented := documentedFields(t, string(md), tt.heading)
		for _, f := range sortedKeys(emitted) {
			if !slices.Contains(documented, f) {
				t.Errorf("%s: %s is emitted and not documented", tt.heading, f)
			}
		}
		for _, f := range documented {
			if !emitted[f] {
				t.Errorf("%s: %s is documented and not emitted", tt.heading, f)
			}
		}
	}
}

// fields collects the paths of all fields of v, except that a place is a type
// of its own: its fields are collected under "place" once.
func fields(v any, at string, out map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if _, isPlace := v["endCol"]; isPlace {
			at = "PLACE"
		}
		if _, isAccess := v["trace"]; isAccess && at != "" {
			at = "ACCESS"
		}
		for k, e := range v {
			p := strings.TrimPrefix(at+"."+k, ".")
			out[p] = true
			fields(e, p, out)
		}
	case []any:
		for _, e := range v {
			fields(e, at+"[]", out)
		}
	}
}

var fieldRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

func documentedFields(t *testing.T, md, heading string) []string {
	_, section, ok := strings.Cut(md, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("docs/formats.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var out []string
	for _, m := range fieldRow.FindAllStringSubmatch(section, -1) {
		if slices.Contains(out, m[1]) {
			t.Errorf("%s: %s is documented twice", heading, m[1])
		}
		out = append(out, m[1])
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
