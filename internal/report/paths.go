package report

import (
	"fmt"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Paths decides how files are shown: relative to Dir where inside it, else as
// they are. Dir is absolute and slash-separated; if empty, nothing changes.
type Paths struct{ Dir string }

// Show returns the path of a file as reports have it.
func (p Paths) Show(file string) string {
	dir := strings.TrimSuffix(p.Dir, "/")
	if p.Dir == "" {
		return file
	}
	if rest, ok := strings.CutPrefix(file, dir+"/"); ok && rest != "" {
		return rest
	}
	return file
}

// At returns file:line:col, or file:line where the column is unknown, or "".
func (p Paths) At(pl detect.Place) string {
	switch {
	case !pl.IsValid():
		return p.Show(pl.File)
	case pl.Col <= 0:
		return fmt.Sprintf("%s:%d", p.Show(pl.File), pl.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.Show(pl.File), pl.Line, pl.Col)
}
