package model

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// inContext makes a model file of a line that a reference shows alone.
func inContext(line string, kind WordKind) string {
	switch {
	case kind != WordHeader:
		return "lang go\npackage p\n\t" + line + "\n"
	case strings.HasPrefix(line, "class"):
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

// TestGuide demands that docs/models.md explains every word with its form and
// its example, and that its listings can be read.
func TestGuide(t *testing.T) {
	data, err := os.ReadFile("../../docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(data)
	for _, w := range Vocabulary() {
		for _, part := range []string{"`" + w.Form + "`", "`" + w.Example + "`", w.Meaning} {
			if !strings.Contains(guide, strings.ReplaceAll(part, "|", `\|`)) {
				t.Errorf("docs/models.md lacks of the word %s: %s", w.Text, part)
			}
		}
	}
	listings := regexp.MustCompile("(?s)```models\n(.*?)```").FindAllStringSubmatch(guide, -1)
	if len(listings) < 5 {
		t.Errorf("docs/models.md has %d listings", len(listings))
	}
	for _, l := range listings {
		if _, err := Read("docs/models.md", l[1]); err != nil {
			t.Errorf("%v\nin\n%s", err, l[1])
		}
	}
}
