package bug

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A Report is a broken invariant met at least once.
type Report struct {
	// Site is the place of the call of Reportf: import path, file and line. It
	// does not depend on where the program was built.
	Site    string
	Message string // of the first time
	Stack   string // of the first time, one "function site" a line, innermost first
	Count   int
}

// Reportf reports a broken invariant. It panics in a test binary; otherwise it
// returns, and the caller carries on.
func Reportf(format string, args ...any) {
	message := fmt.Sprintf(format, args...)
	if testing.Testing() {
		panic("bug: " + message)
	}
	recorded.add(message)
}

// Reports returns the bugs met so far, sorted by site.
func Reports() []Report { return recorded.list() }

// recorded is read and written under its own lock; the package doc says why it
// is here.
var recorded recorder

type recorder struct {
	mu     sync.Mutex
	bySite map[string]*Report // guarded by mu
}

// maxFrames is deep enough to see who called, and keeps a runaway recursion
// from filling the report.
const maxFrames = 32

// add notes a report on behalf of the caller of its caller.
func (r *recorder) add(message string) {
	var pcs [maxFrames]uintptr
	n := runtime.Callers(3, pcs[:])
	frames := runtime.CallersFrames(pcs[:n])
	frame, more := frames.Next()
	at := site(frame)

	r.mu.Lock()
	defer r.mu.Unlock()
	if old := r.bySite[at]; old != nil {
		old.Count++
		return
	}
	var stack strings.Builder
	for {
		fmt.Fprintf(&stack, "%s %s\n", frame.Function, site(frame))
		if !more {
			break
		}
		frame, more = frames.Next()
	}
	if r.bySite == nil {
		r.bySite = map[string]*Report{}
	}
	r.bySite[at] = &Report{Site: at, Message: message, Stack: stack.String(), Count: 1}
}

func (r *recorder) list() []Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Report
	for _, rep := range r.bySite {
		list = append(list, *rep)
	}
	slices.SortFunc(list, func(a, b Report) int { return cmp.Compare(a.Site, b.Site) })
	return list
}

// site names a place by import path, since the directory in which the program
// was built means nothing to others. The import path is the function's name up
// to the first dot after the last slash.
func site(f runtime.Frame) string {
	dir, name := path.Split(f.Function)
	pkg, _, _ := strings.Cut(name, ".")
	return fmt.Sprintf("%s%s/%s:%d", dir, pkg, filepath.Base(f.File), f.Line)
}
