package report

import (
	"io"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteRule writes the text of a rule with its examples.
func WriteRule(w io.Writer, r *detect.Rule, color bool) error {
	var b block
	b.add(span{r.ID, alarm}, text(": "), span{r.Title, strong})
	b.add(span{"severity: ", dim}, text(r.Severity))
	b.add()
	for _, l := range strings.Split(r.Text, "\n") {
		b.add(text(l))
	}
	for _, ex := range []struct {
		head, src string
		style     style
	}{{"Racy:", r.Racy, alarm}, {"Fixed:", r.Fixed, good}} {
		b.add()
		b.add(span{ex.head, ex.style})
		b.add()
		var src block
		for _, l := range strings.Split(strings.TrimSuffix(ex.src, "\n"), "\n") {
			src.add(text(expand(l)))
		}
		b = append(b, src.indent(4)...)
	}
	return b.write(w, color)
}
