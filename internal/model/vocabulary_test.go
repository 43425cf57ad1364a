package model

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// inContext makes a model file of a line that a reference shows alone.
func inContext(line string, kind WordKind) string {
	switch {
	case strings.HasPrefix(line, "class "):
		return "lang java\n" + line + "\n"
	case kind != WordHeader && (strings.HasSuffix(line, "alike") || strings.Contains(line, "entry")):
		return "lang java\nclass p.C\n\t" + line + "\n"
	case kind != WordHeader:
		return "lang go\npackage p\n\t" + line + "\n"
	case strings.HasPrefix(line, "function"), strings.HasPrefix(line, "annotated"):
		return "lang java\n" + line + "\n"
	case strings.HasPrefix(line, "lang"):
		return line + "\n"
	}
	return "lang go\n" + line + "\n"
}

// TestVocabulary demands an example of each word that parses and contains it.
func TestVocabulary(t *testing.T) {
	seen := make(map[string]bool)
	for _, w := range Vocabulary() {
		if seen[w.Text] {
			t.Errorf("%s is listed twice", w.Text)
		}
		seen[w.Text] = true
		if !regexp.MustCompile(`\b` + w.Text + `\b`).MatchString(w.Example) {
			t.Errorf("the example of %s does not show it: %s", w.Text, w.Example)
		}
		if _, err := Read("example of "+w.Text, inContext(w.Example, w.Kind)); err != nil {
			t.Error(err)
		}
	}
	for word := range flagWords {
		if !seen[word] {
			t.Errorf("the modifier %s is not in the vocabulary", word)
		}
	}
}

// TestGuide demands that docs/models.md has the vocabulary as reference, and that
// its listings can be read.
func TestGuide(t *testing.T) {
	const name = "../../docs/models.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(data), "-update -->\n")
	_, tail, ok2 := strings.Cut(rest, "<!-- end vocabulary")
	if !ok1 || !ok2 {
		t.Fatal("docs/models.md has no marks for the vocabulary")
	}
	want := head + "-update -->\n" + reference() + "<!-- end vocabulary" + tail
	if want != string(data) {
		if !*update {
			t.Error("the vocabulary in docs/models.md is out of date: run the test with -update")
		} else if err := os.WriteFile(name, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	listings := regexp.MustCompile("(?s)```models\n(.*?)```").FindAllStringSubmatch(want, -1)
	if len(listings) < 5 {
		t.Errorf("docs/models.md has %d listings", len(listings))
	}
	for _, l := range listings {
		if _, err := Read("docs/models.md", l[1]); err != nil {
			t.Errorf("%v\nin\n%s", err, l[1])
		}
	}
}

// reference returns the vocabulary as tables.
func reference() string {
	titles := [...]string{
		WordHeader: "Lines that are not rows",
		WordEffect: "Effects",
		WordWhole:  "The row as a whole",
		WordValue:  "Values",
		WordFlag:   "Modifiers",
	}
	cell := func(s string) string { return strings.ReplaceAll(s, "|", `\|`) }
	var b strings.Builder
	for kind, title := range titles {
		fmt.Fprintf(&b, "\n### %s\n\n| form | meaning | example |\n|---|---|---|\n", title)
		for _, w := range Vocabulary() {
			if int(w.Kind) == kind {
				fmt.Fprintf(&b, "| `%s` | %s | `%s` |\n", cell(w.Form), cell(w.Meaning), cell(w.Example))
			}
		}
	}
	return b.String() + "\n"
}
