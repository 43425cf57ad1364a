package config

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

var update = flag.Bool("update", false, "rewrite docs/deadheat.schema.json")

const whole = `# Every key.
version: 1
targets: [./cmd/..., ./internal/...]
tags: [integration]
tests: false
mode: program
sound: true
origin-depth: 3
entry:
  - example.com/p.Serve
models: [lib.models]
confidence: high
format:
  - text
  - sarif=out/races.sarif
layout: plain
baseline: ci/baseline
exclude:
  paths: [gen/**, "**/*_string.go"]
  rules: [misuse]
`

func TestParse(t *testing.T) {
	c, err := Parse("/p/.deadheat.yml", []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string][]string{
		"version":       {"1"},
		"targets":       {"./cmd/...", "./internal/..."},
		"tags":          {"integration"},
		"tests":         {"false"},
		"mode":          {"program"},
		"sound":         {"true"},
		"origin-depth":  {"3"},
		"entry":         {"example.com/p.Serve"},
		"models":        {"/p/lib.models"},
		"confidence":    {"high"},
		"format":        {"text", "sarif=/p/out/races.sarif"},
		"layout":        {"plain"},
		"baseline":      {"/p/ci/baseline"},
		"exclude.paths": {"gen/**", "**/*_string.go"},
		"exclude.rules": {"misuse"},
	} {
		if got := c.Values(key); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	// The example is of every key.
	for _, k := range Keys() {
		if _, ok := c.Has(k.Name); !ok {
			t.Errorf("%s is not set", k.Name)
		}
		// Every key has a field, and an empty file leaves it alone.
		if f := reflect.ValueOf(k.field(new(Config))).Elem(); !f.IsZero() {
			t.Errorf("%s: the zero Config has %v", k.Name, f)
		}
	}
	if at, _ := c.Has("exclude.rules"); at != (Position{20, 3}) {
		t.Errorf("exclude.rules is at %v", at)
	}
}

func TestProblems(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "f:1:1: the file is empty: want at least version: 1"},
		{"comment only", "# nothing\n", "f:1:1: the file is empty: want at least version: 1"},
		{"no version", "tests: true\n", "f:1:1: no version: want version: 1"},
		{"other version", "version: 2\n", "f:1:1: version 2 of the format is not known: this program reads version 1"},
		{"version as text", "version: one\n", "f:1:10: version: want a number, got text"},
		{"unknown key", "version: 1\nmodel: [x]\n", "f:2:1: unknown key model: want one of version, targets, tags"},
		{"unknown key inside", "version: 1\nexclude:\n  path: [x]\n", "f:3:3: unknown key exclude.path: want one of paths, rules"},
		{"word", "version: 1\nmode: everything\n", `f:2:7: mode: "everything" is not one of auto, program, library`},
		{"word of a list", "version: 1\nexclude:\n  rules:\n    - race\n    - rase\n", `f:5:7: exclude.rules: "rase" is not one of`},
		{"list", "version: 1\ntags: integration\n", "f:2:7: tags: want a list, got text"},
		{"truth", "version: 1\ntests: 1\n", "f:2:8: tests: want true or false, got a number"},
		{"nothing", "version: 1\nbaseline:\n", "f:2:11: baseline: want text, got nothing"},
		{"format", "version: 1\nformat: [xml]\n", "f:2:10: format: xml: want one of text, json"},
		{"pattern", "version: 1\nexclude: {paths: ['a/[']}\n", "f:2:19: exclude.paths: a/[: \"[\" is not a pattern"},
		{"pattern above", "version: 1\nexclude: {paths: [../a]}\n", "f:2:19: exclude.paths: ../a: want a path below"},
		{"not a mapping", "- version\n", "f:1:1: want keys with values, got a list"},
		{"group", "version: 1\nexclude: all\n", "f:2:10: want keys with values, got text"},
		{"twice", "version: 1\ntests: true\ntests: false\n", "f:3:1:"},
		{"two documents", "version: 1\n---\nversion: 1\n", "f:3:"},
		{"alias", "version: 1\nmode: &m auto\n", "f:2:7: mode: want text, got an anchor"},
		{"syntax", "version: 1\ntags: [a\n", "f:2:7:"},
		{"all at once", "version: 1\nmode: x\nlayout: y\n", "f:2:7: mode: \"x\" is not one of auto, program, library\nf:3:9: layout: \"y\""},
	} {
		_, err := Parse("f", []byte(tt.text))
		if err == nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte("version: 1\nexclude:\n  paths:\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Parse("f", data); err != nil && err.Error() == "" {
			t.Error("an error without words")
		}
	})
}

func TestMatchPath(t *testing.T) {
	for _, tt := range []struct {
		pattern, file string
		want          bool
	}{
		{"gen", "gen/a.go", true},
		{"gen/", "gen/x/a.go", true},
		{"gen", "regen/a.go", false},
		{"gen", "x/gen/a.go", false},
		{"**/gen", "x/gen/a.go", true},
		{"**/gen", "gen/a.go", true},
		{"*.pb.go", "a.pb.go", true},
		{"*.pb.go", "x/a.pb.go", false},
		{"**/*.pb.go", "x/y/a.pb.go", true},
		{"a/**/z.go", "a/z.go", true},
		{"a/**/z.go", "a/b/c/z.go", true},
		{"a/**/z.go", "b/z.go", false},
		{"**", "anything", true},
	} {
		if got := matchPath(tt.pattern, tt.file); got != tt.want {
			t.Errorf("%s and %s: %t", tt.pattern, tt.file, got)
		}
	}
}

// A finding is left out only if both its accesses are.
func TestExcludes(t *testing.T) {
	c := &Config{File: "/p/.deadheat.yml", Exclude: Exclude{Paths: []string{"gen"}, Rules: []string{"misuse"}}}
	finding := func(rule, a, b string) *detect.Finding {
		f := &detect.Finding{Rule: rule}
		f.First.Place.File, f.Second.Place.File = a, b
		return f
	}
	for _, tt := range []struct {
		f    *detect.Finding
		want bool
	}{
		{finding("race", "/p/gen/a.go", "/p/gen/b.go"), true},
		{finding("race", "/p/gen/a.go", "/p/b.go"), false},
		{finding("race", "/q/gen/a.go", "/q/gen/b.go"), false},
		{finding("misuse", "/p/a.go", "/p/b.go"), true},
	} {
		if got := c.Excludes(tt.f); got != tt.want {
			t.Errorf("%s %s %s: %t", tt.f.Rule, tt.f.First.Place.File, tt.f.Second.Place.File, got)
		}
	}
	if (*Config)(nil).Excludes(finding("race", "/a", "/b")) {
		t.Error("no configuration excludes something")
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "repo", "a", "b")
	for _, d := range []string{deep, filepath.Join(dir, "repo", ".git")} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte("version: 1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write(FileName) // above the repository: not ours
	if got, err := Find(deep); got != "" || err != nil {
		t.Errorf("found %q, %v", got, err)
	}
	for _, name := range []string{"repo/" + FileName, "repo/a/" + FileName} {
		want := write(name)
		if got, err := Find(deep); got != want || err != nil {
			t.Errorf("found %q, %v; want %q", got, err, want)
		}
	}
}

// The published schema has exactly the keys and words of the program.
func TestSchema(t *testing.T) {
	const file = "../../docs/deadheat.schema.json"
	props, groups := map[string]any{}, map[string]map[string]any{}
	for _, k := range Keys() {
		group, name, inside := strings.Cut(k.Name, ".")
		if !inside {
			props[k.Name] = schemaOf(k)
			continue
		}
		if groups[group] == nil {
			groups[group] = map[string]any{}
			props[group] = map[string]any{"type": "object", "additionalProperties": false, "properties": groups[group]}
		}
		groups[group][name] = schemaOf(k)
	}
	var want bytes.Buffer
	enc := json.NewEncoder(&want)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	err := enc.Encode(map[string]any{
		"$schema":              "http://json-schema.org/draft-07/schema#",
		"title":                "Configuration of deadheat, " + FileName,
		"type":                 "object",
		"additionalProperties": false,
		"required":             []string{"version"},
		"properties":           props,
	})
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%s is not what the keys say (go test -update rewrites it); want:\n%s", file, want.Bytes())
	}
}

// The reference has a row for each key, in order, with its words.
func TestDocumented(t *testing.T) {
	md, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	rest := string(md)
	for _, k := range Keys() {
		_, after, ok := strings.Cut(rest, "\n| `"+k.Name+"` |")
		if !ok {
			t.Errorf("docs/config.md: no row for %s, or not in this order", k.Name)
			continue
		}
		row, _, _ := strings.Cut(after, "\n")
		for _, w := range k.Allowed {
			if k.Name != "exclude.rules" && !strings.Contains(row, "`"+w+"`") {
				t.Errorf("docs/config.md: the row of %s does not say %s", k.Name, w)
			}
		}
		rest = after
	}
	if i := strings.Index(string(md), "version: 1"); i < 0 {
		t.Error("docs/config.md has no example")
	} else if example, _, _ := strings.Cut(string(md)[i:], "```"); true {
		if _, err := Parse("example", []byte(example)); err != nil {
			t.Errorf("docs/config.md: %v", err)
		}
	}
}

func schemaOf(k Key) map[string]any {
	word := map[string]any{"type": "string"}
	if len(k.Allowed) > 0 {
		word["enum"] = k.Allowed
	}
	if k.Name == "format" {
		word["pattern"] = "^(" + strings.Join(Formats, "|") + ")(=.+)?$"
	}
	var s map[string]any
	switch k.field(new(Config)).(type) {
	case *[]string:
		s = map[string]any{"type": "array", "items": word}
	case *bool:
		s = map[string]any{"type": "boolean"}
	case *int:
		s = map[string]any{"const": Version}
	default:
		s = word
	}
	s["description"] = k.Text
	return s
}
