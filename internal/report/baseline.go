package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// A baseline file lists accepted findings, one on a line, sorted, in columns
// separated by tabs:
//
//	fingerprint  rule  what  type  access function  access function
//
// It holds no line numbers and no file names, so that it changes only when
// findings do, and lines of two branches can be merged by taking both.
const (
	baselineMagic   = "# deadheat baseline 1"
	baselineComment = "# Accepted findings, one on a line: fingerprint, rule, memory, type and the two accesses.\n" +
		"# \"deadheat baseline write\" rewrites it; a line that is removed makes its finding count again.\n"
	baselineColumns = 6
)

// WriteBaseline writes identities as a baseline file.
func WriteBaseline(w io.Writer, list []Identity) error {
	var lines []string
	for i := range list {
		id := &list[i]
		columns := []string{id.Fingerprint, id.Rule, id.What, id.Type}
		for _, s := range id.Sides {
			columns = append(columns, s.Access+" "+s.Symbol)
		}
		for i, c := range columns {
			columns[i] = strings.Map(oneLine, c)
		}
		lines = append(lines, strings.Join(columns, "\t")+"\n")
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	_, err := io.WriteString(w, baselineMagic+"\n"+baselineComment+strings.Join(lines, ""))
	return err
}

// oneLine keeps names from breaking the columns.
func oneLine(r rune) rune {
	if r < ' ' {
		return ' '
	}
	return r
}

// ParseBaseline reads a baseline file. Lines may be in any order and repeated,
// as a merge leaves them. name is for errors.
func ParseBaseline(name string, data []byte) ([]Identity, error) {
	lines := strings.Split(string(data), "\n")
	if strings.TrimRight(lines[0], "\r") != baselineMagic {
		return nil, fmt.Errorf("%s:1: not a baseline file of this version: want %q (deadheat baseline write makes one)", name, baselineMagic)
	}
	var out []Identity
	seen := map[Identity]bool{}
	for i, l := range lines {
		l = strings.TrimRight(l, "\r")
		if l == "" || l[0] == '#' {
			continue
		}
		id, err := parseBaselineLine(l)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out, nil
}

func parseBaselineLine(l string) (Identity, error) {
	for _, marker := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if strings.HasPrefix(l, marker) {
			return Identity{}, fmt.Errorf("left by an unfinished merge: keep the lines of both sides and remove this one")
		}
	}
	c := strings.Split(l, "\t")
	if len(c) != baselineColumns {
		return Identity{}, fmt.Errorf("want %d columns separated by tabs, got %d", baselineColumns, len(c))
	}
	id := Identity{Fingerprint: c[0], Rule: c[1], What: c[2], Type: c[3]}
	for i, side := range c[4:] {
		access, symbol, ok := cutLast(side)
		if !ok {
			return Identity{}, fmt.Errorf("column %d: want an access and a function, as in \"write example.com/p.F\"", 5+i)
		}
		id.Sides[i] = IdentitySide{access, symbol}
	}
	return id, nil
}

// cutLast cuts an access such as "atomic read" from the symbol behind it.
func cutLast(side string) (access, symbol string, ok bool) {
	for _, k := range []detect.AccessKind{detect.AtomicRead, detect.AtomicWrite, detect.Read, detect.Write} {
		if symbol, ok := strings.CutPrefix(side, k.String()+" "); ok && symbol != "" {
			return k.String(), symbol, true
		}
	}
	return "", "", false
}

// ApplyBaseline marks the findings that a baseline accepts as preexisting, and
// the others, as far as they are not compared yet, as introduced. It returns how
// many entries were found, and how many were not.
func ApplyBaseline(findings []detect.Finding, accepted []Identity, after Functions) (found, stale int) {
	var present []*detect.Finding
	var ids []Identity
	for i := range findings {
		if f := &findings[i]; f.State != detect.Fixed {
			present, ids = append(present, f), append(ids, IdentityOf(f))
		}
	}
	match := Match(accepted, ids, nil, after)
	for i, f := range present {
		switch {
		case match[i] >= 0:
			found++
			f.State = detect.Preexisting
		case f.State == detect.Uncompared:
			f.State = detect.Introduced
		}
	}
	return found, len(accepted) - found
}
