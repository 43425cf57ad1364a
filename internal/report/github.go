package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// maxAnnotations is how many findings become annotations: the service shows
// ten of a step and drops the rest without a word.
const maxAnnotations = 10

// GitHub writes findings as commands of GitHub Actions, which become
// annotations of the lines in a pull request. Paths must be relative to the root
// of the repository.
type GitHub struct{ Paths Paths }

// Write writes an annotation for each of the first findings that count, surest
// first, and a line that says how many there are.
func (g *GitHub) Write(w io.Writer, doc *Document) error {
	var b strings.Builder
	left := 0
	shown := 0
	for _, c := range []detect.Confidence{detect.High, detect.Medium, detect.Low} {
		for i := range doc.Findings {
			f := &doc.Findings[i]
			if f.Confidence != c || !f.Counts() {
				continue
			}
			if shown == maxAnnotations {
				left++
				continue
			}
			shown++
			b.WriteString(g.annotation(f))
		}
	}
	summary := "no race found"
	if doc.Base != nil {
		summary = "no race introduced"
	}
	if n := shown + left; n > 0 {
		summary = fmt.Sprintf("%d findings", n)
		if n == 1 {
			summary = "1 finding"
		}
	}
	if left > 0 {
		summary += fmt.Sprintf(", %d of them not annotated: see the log or another format for all", left)
	}
	if n := countState(doc, detect.Fixed); n > 0 {
		summary += fmt.Sprintf("; %d fixed", n)
	}
	if n := len(doc.NotAnalysed); n > 0 {
		summary += fmt.Sprintf("; %d not analysed", n)
	}
	fmt.Fprintf(&b, "::notice title=deadheat::%s\n", escapeData(summary))
	_, err := io.WriteString(w, b.String())
	return err
}

func countState(doc *Document, s detect.State) int {
	n := 0
	for i := range doc.Findings {
		if doc.Findings[i].State == s {
			n++
		}
	}
	return n
}

func (g *GitHub) annotation(f *detect.Finding) string {
	command := "warning"
	if f.Confidence == detect.High {
		command = "error"
	}
	a, o := &f.First, &f.Second
	var props []string
	prop := func(name, value string) { props = append(props, name+"="+escapeProperty(value)) }
	// An absolute path would not be found in the repository.
	if file := g.Paths.Show(a.Place.File); file != "" && file[0] != '/' {
		prop("file", file)
		prop("line", fmt.Sprint(a.Place.Line))
		// Columns are allowed on one line only.
		if a.Place.EndLine == a.Place.Line && a.Place.EndCol > a.Place.Col {
			prop("col", fmt.Sprint(a.Place.Col))
			prop("endColumn", fmt.Sprint(a.Place.EndCol))
		}
	}
	prop("title", fmt.Sprintf("%s: %s", f.Rule, f.What))
	side := func(a *detect.Access) string {
		return fmt.Sprintf("%s at %s in %s, %s, by %s", a.Word(), g.Paths.At(a.Place), a.Function, heldLocks(a.Locks), originName(&a.Origin))
	}
	lines := []string{
		fmt.Sprintf("%s %s %s %s at %s (%s)", capital(a.Act()), f.What, f.Clash(), o.Word(), g.Paths.At(o.Place), f.Confidence),
		side(a), side(o),
	}
	for _, r := range f.Reasons {
		if r.Kind == "lowers" {
			lines = append(lines, "doubt: "+r.Text)
		}
	}
	if f.Fix != "" {
		lines = append(lines, "fix: "+f.Fix)
	}
	lines = append(lines, "deadheat explain "+f.Fingerprint)
	return fmt.Sprintf("::%s %s::%s\n", command, strings.Join(props, ","), escapeData(strings.Join(lines, "\n")))
}

// escapeData keeps the text of a command on one line.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty does so for a property, which must not hold separators
// either.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
