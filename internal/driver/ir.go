package driver

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/model"
)

// views are the forms in which code can be printed: as the front end made it,
// with deferred calls where they happen, and with calls of modelled functions
// replaced, which is what the engines get.
var views = [...]struct {
	name   string
	passes func(*model.Set, []*ir.Unit) []link.Pass
}{
	{"lower", func(*model.Set, []*ir.Unit) []link.Pass { return nil }},
	{"defers", func(*model.Set, []*ir.Unit) []link.Pass {
		return []link.Pass{{Name: "defers", Body: func(_ *ir.Unit, _ ir.FuncID, body *ir.Body) *ir.Body {
			if body == nil {
				return nil
			}
			return model.ExpandDefers(body)
		}}}
	}},
	{"models", modelPasses},
}

// PassNames returns what IRConfig.After may be, in order.
func PassNames() []string {
	var names []string
	for _, v := range views {
		names = append(names, v.name)
	}
	return names
}

// IRConfig says what of the targets to print.
type IRConfig struct {
	Func  string // name or symbol of a function; empty means whole units
	After string // one of PassNames; empty means the last
}

// WriteIR writes the code of the targets as text.
func WriteIR(ctx context.Context, w io.Writer, cfg Config, sel IRConfig) error {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return &UsageError{err}
	}
	r := &run{ctx: ctx, cfg: &cfg, dir: dir, res: new(Result), own: map[string]bool{}, near: map[string]bool{}}
	if err := r.readModels(); err != nil {
		return err
	}
	if err := r.load(); err != nil {
		return err
	}
	passes, err := r.viewAfter(sel.After)
	if err != nil {
		return err
	}
	written := 0
	for _, targets := range []bool{true, false} {
		for i, p := range r.parts {
			if p.target != targets || r.units[i] == nil || p.kind == partTestMain || r.shadowed(i) {
				continue
			}
			n, err := writeUnit(w, r.units[i], passes, sel.Func, written > 0)
			if err != nil {
				return err
			}
			written += n
		}
		if sel.Func == "" || written > 0 {
			break // a function that no target has may be one of what they depend on
		}
	}
	switch {
	case written > 0:
		return nil
	case len(r.res.NotAnalysed) > 0:
		s := r.res.NotAnalysed[0]
		return fmt.Errorf("%s: %s", s.Path, s.Reason)
	}
	return &UsageError{fmt.Errorf("no function %q in %s: name one as in a report, such as (*T).M or main.func1, or by its symbol", sel.Func, strings.Join(cfg.Targets, " "))}
}

// shadowed tells whether the same package was also compiled with its tests: that
// variant holds all of it.
func (r *run) shadowed(i int) bool {
	p := r.parts[i]
	for k, q := range r.parts {
		if p.variant == "" && q.path == p.path && q.variant == p.path+".test" && r.units[k] != nil {
			return true
		}
	}
	return false
}

func (r *run) viewAfter(name string) ([]link.Pass, error) {
	if name == "" {
		name = views[len(views)-1].name
	}
	for _, v := range views {
		if v.name == name {
			return v.passes(r.models, r.units), nil
		}
	}
	return nil, &UsageError{fmt.Errorf("no pass %q: want one of %s", name, strings.Join(PassNames(), ", "))}
}

// writeUnit writes a unit, or the functions of it with the given name, and
// returns how many pieces it wrote.
func writeUnit(w io.Writer, u *ir.Unit, passes []link.Pass, name string, more bool) (int, error) {
	b := ir.EditUnit(u)
	for _, p := range passes {
		if p.Unit != nil {
			b = ir.EditUnit(p.Unit(b.Unit()))
		}
	}
	out := b.Unit()
	written := 0
	separate := func() {
		if more || written > 0 {
			fmt.Fprintln(w)
		}
		written++
	}
	for i := range out.Funcs {
		f := &out.Funcs[i]
		if name != "" && f.Name != name && f.Symbol != name {
			continue
		}
		body, err := out.Body(ir.FuncID(i))
		if err != nil {
			return written, fmt.Errorf("%s: %w", f.Symbol, err)
		}
		for _, p := range passes {
			if p.Body != nil {
				body = p.Body(out, ir.FuncID(i), body)
			}
		}
		if name == "" {
			f.SetBody(body)
			continue
		}
		separate()
		if err := ir.PrintFunc(w, out, ir.FuncID(i), body); err != nil {
			return written, err
		}
	}
	if name != "" {
		return written, nil
	}
	separate()
	return written, ir.Print(w, out)
}
