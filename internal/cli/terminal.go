package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/deadheat/deadheat/internal/report"
)

// isTerminal tells whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth returns the number of columns of w, or a usual one.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}

// laneWidth returns how many columns there are for text in lanes on w, or 0 for
// the plain layout. Lanes that were asked for get the width of the terminal, or
// else the least that they need.
func (a *app) laneWidth(flag string, w io.Writer) int {
	switch {
	case flag == "plain", flag == "auto" && !a.interactive(w):
		return 0
	}
	width := terminalWidth(w)
	if width < report.MinLanes {
		if flag == "auto" {
			return 0
		}
		width = report.MinLanes
	}
	return width
}

// useColor decides whether output to w is coloured. The flag wins, then
// NO_COLOR, then FORCE_COLOR; by default a terminal that can has colours.
func (a *app) useColor(flag string, w io.Writer) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	if a.Env("NO_COLOR") != "" {
		return false
	}
	if f := a.Env("FORCE_COLOR"); f != "" {
		return f != "0" && f != "false"
	}
	return a.interactive(w)
}

// interactive tells whether a person looks at w as it is written, on something
// that understands control sequences.
func (a *app) interactive(w io.Writer) bool {
	return isTerminal(w) && a.Env("CI") == "" && a.Env("TERM") != "dumb"
}
