package driver

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/model"
)

// projectModels is the name of the model file that a project may have in the
// working directory or at the root of its module.
const projectModels = "deadheat.models"

// LoadModels returns the embedded models, those of the project that dir is in,
// and those of the given files; later ones win.
func LoadModels(dir string, files []string) (*model.Set, error) {
	var texts []model.File
	if name, ok := findProjectModels(dir); ok {
		files = append([]string{name}, files...)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, &UsageError{err}
		}
		shown := name
		if rel, err := filepath.Rel(dir, name); err == nil && filepath.IsLocal(rel) {
			shown = rel
		}
		texts = append(texts, model.File{Name: shown, Text: string(text)})
	}
	set, err := model.Load(texts...)
	if err != nil {
		return nil, &UsageError{err}
	}
	return set, nil
}

// findProjectModels looks for the project's model file in dir, and else in the
// nearest directory above that holds a go.mod.
func findProjectModels(dir string) (string, bool) {
	for d := dir; ; d = filepath.Dir(d) {
		isRoot := exists(filepath.Join(d, "go.mod"))
		if d == dir || isRoot {
			if name := filepath.Join(d, projectModels); exists(name) {
				return name, true
			}
		}
		if isRoot || filepath.Dir(d) == d {
			return "", false
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// readModels loads the models of the run.
func (r *run) readModels() (err error) {
	r.models, err = LoadModels(r.dir, r.cfg.Models)
	return err
}

// passes rewrite the functions of one program, which consists of the units,
// between linking and analysis.
func (r *run) passes(p *program, units []*ir.Unit) []link.Pass {
	if !p.lazy {
		return modelPasses(r.models, units)
	}
	r.share.Do(func() { r.common = r.models.Share(p.units) })
	pass := r.common.NewPass()
	return []link.Pass{{Name: "models", Unit: pass.Unit, Body: pass.Body}}
}

func modelPasses(set *model.Set, units []*ir.Unit) []link.Pass {
	p := set.NewPass()
	p.Classes = set.Hierarchy(units)
	return []link.Pass{{Name: "models", Unit: p.Unit, Body: p.Body}}
}
