package golang

import (
	"cmp"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Error is a problem with a package, and where it is if that is known.
type Error struct {
	File string // relative to Config.Dir where inside it
	Line int    // from 1; 0 if not known
	Col  int    // in bytes, from 1; 0 if not known
	Msg  string

	Stack string // of a fault in this program, for a bug report; else empty
}

func (e Error) Error() string {
	switch {
	case e.File == "":
		return e.Msg
	case e.Line == 0:
		return e.File + ": " + e.Msg
	case e.Col == 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// maxErrors bounds the errors kept of a package: the first ones tell what is
// wrong, the others mostly follow from them.
const maxErrors = 10

// errorList collects the errors of one package.
type errorList struct {
	dir  string // that file names are made relative to
	base string // that relative file names are relative to
	list []Error
	hard bool // one of them makes the types unusable
}

func (l *errorList) add(pos token.Position, msg string) {
	if len(l.list) >= maxErrors {
		return
	}
	e := Error{Line: pos.Line, Col: pos.Column, Msg: oneLine(msg)}
	if pos.Filename != "" {
		e.File = displayPath(l.dir, l.base, pos.Filename)
	}
	l.list = append(l.list, e)
}

// addSyntax adds what the parser found.
func (l *errorList) addSyntax(err error) {
	l.hard = true
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		l.add(token.Position{}, err.Error())
		return
	}
	for _, e := range list {
		l.add(e.Pos, e.Msg)
	}
}

// addType adds what the type checker found.
func (l *errorList) addType(err error) {
	var e types.Error
	if !errors.As(err, &e) {
		l.hard = true
		l.add(token.Position{}, err.Error())
		return
	}
	l.hard = l.hard || !e.Soft
	l.add(e.Fset.Position(e.Pos), e.Msg)
}

// sortErrors puts the errors of a package in the order of the source.
func sortErrors(list []Error) {
	slices.SortStableFunc(list, func(a, b Error) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
}

// listError converts an error of go list, whose positions are relative to the
// directory it ran in.
func listError(e *listedError, dir string) Error {
	r := Error{Msg: oneLine(e.Err)}
	file, rest, ok := cutPosition(e.Pos)
	if !ok {
		return r
	}
	r.File = displayPath(dir, dir, file)
	line, col, _ := strings.Cut(rest, ":")
	r.Line, _ = strconv.Atoi(line)
	r.Col, _ = strconv.Atoi(col)
	return r
}

// cgoError converts what go list -compiled says when cgo fails: the package in
// a line that begins with "#", then what the C compiler or cgo wrote.
func cgoError(e *listedError, dir string) Error {
	msg := e.Err
	if strings.HasPrefix(msg, "# ") {
		_, msg, _ = strings.Cut(msg, "\n")
	}
	line, _, _ := strings.Cut(msg, "\n")
	if pos, text, ok := strings.Cut(line, ": "); ok && strings.Contains(pos, ".go:") {
		return listError(&listedError{Pos: pos, Err: "cgo: " + text}, dir)
	}
	return listError(&listedError{Pos: e.Pos, Err: "cgo: " + msg}, dir)
}

// cutPosition splits file:line:col or file:line after the file, which may hold
// a colon itself.
func cutPosition(pos string) (file, rest string, ok bool) {
	i := strings.LastIndexByte(pos, ':')
	if i < 0 {
		return "", "", false
	}
	if j := strings.LastIndexByte(pos[:i], ':'); j >= 0 {
		if _, err := strconv.Atoi(pos[j+1 : i]); err == nil {
			i = j
		}
	}
	return pos[:i], pos[i+1:], true
}

// displayPath returns the file name as the user should see it: relative to dir
// if it lies inside, else absolute.
func displayPath(dir, base, name string) string {
	if !filepath.IsAbs(name) {
		name = filepath.Join(base, name)
	}
	return filepath.FromSlash(relativeTo(dir, name))
}

// relativeTo returns name, slash-separated, and relative to dir if it lies
// inside.
func relativeTo(dir, name string) string {
	if rest, ok := strings.CutPrefix(name, dir); ok && len(rest) > 1 && rest[0] == filepath.Separator {
		name = rest[1:]
	}
	return filepath.ToSlash(name)
}

// oneLine joins the lines of a message of the go command or the type checker,
// which indent all but the first.
func oneLine(msg string) string {
	lines := strings.Split(strings.TrimSpace(msg), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, " ")
}

// goError is a failure of the go command as a whole.
type goError struct {
	dir    string
	args   []string
	stderr string
	err    error
}

func (e *goError) Error() string {
	msg := oneLine(e.stderr)
	switch {
	case strings.Contains(msg, "go.mod file not found"):
		return fmt.Sprintf("no go.mod in %s or above it: run inside a Go module, or make one with go mod init", e.dir)
	case msg == "":
		return fmt.Sprintf("go %s failed in %s: %v", e.args[0], e.dir, e.err)
	default:
		return fmt.Sprintf("go %s failed in %s: %s", e.args[0], e.dir, strings.TrimPrefix(msg, "go: "))
	}
}

func (e *goError) Unwrap() error { return e.err }

// nothingMatched explains a listing without anything to analyse.
func nothingMatched(cfg *Config, dir string, l *listing) error {
	patterns := strings.Join(cfg.patterns(), " ")
	var why []string
	for _, p := range l.packages {
		if !p.DepOnly && p.Error != nil {
			why = append(why, listError(p.Error, dir).Error())
		}
	}
	msg := strings.Join(why, "; ")
	switch {
	case strings.Contains(msg, "go.mod file not found"), strings.Contains(msg, "does not contain main module"):
		return fmt.Errorf("%s: no Go module in %s (%s): run inside a module, or make one with go mod init", patterns, dir, msg)
	case msg != "":
		return fmt.Errorf("no Go packages to analyse: %s", msg)
	case len(cfg.Tags) > 0:
		return fmt.Errorf("no Go packages match %s in %s with tags %s", patterns, dir, strings.Join(cfg.Tags, ","))
	default:
		return fmt.Errorf("no Go packages match %s in %s: give other patterns, such as ./... for all", patterns, dir)
	}
}
