package detect

import (
	"fmt"
	"strings"
)

// Sentence is text with places in it. How places are written is up to the
// report.
type Sentence []Phrase

// Phrase is text, followed by a place if that is valid.
type Phrase struct {
	Text  string
	Place Place
}

// Text writes the sentence, given how places are written.
func (s Sentence) Text(show func(Place) string) string {
	var b strings.Builder
	for _, p := range s {
		b.WriteString(p.Text)
		if p.Place.IsValid() {
			b.WriteString(show(p.Place))
		}
	}
	return b.String()
}

// plain is a sentence without places.
func plain(text string) Sentence { return Sentence{{Text: text}} }

// at adds text and a place, if the place is known.
func (s Sentence) at(text string, p Place) Sentence {
	if !p.IsValid() {
		return s
	}
	return append(s, Phrase{text, p})
}

// say adds text.
func (s Sentence) say(text string) Sentence { return append(s, Phrase{Text: text}) }

// placeKey writes a place so that different ones differ.
func placeKey(p Place) string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }
