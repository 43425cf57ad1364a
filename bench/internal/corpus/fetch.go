package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// recipe names the way a corpus directory is made. Directories made in
// another way are made anew.
const recipe = "1"

const (
	stampFile = "stamp" // written last
	copyDir   = "edit"  // holds the copied module
)

// Tree is a corpus on disk.
type Tree struct {
	Corpus
	Dir string // of the module that requires the program
}

// Prepare makes the module of a corpus in a directory below root, or finds
// the one made before. It says what it does on log.
func Prepare(ctx context.Context, root string, c Corpus, log func(string)) (*Tree, error) {
	t := &Tree{Corpus: c, Dir: filepath.Join(root, c.Name)}
	stamp := fmt.Sprintf("%s %+v\n", recipe, c)
	if have, err := os.ReadFile(filepath.Join(t.Dir, stampFile)); err == nil && string(have) == stamp {
		return t, nil
	}
	log("fetching " + c.Module.String())
	if err := t.make(ctx); err != nil {
		return nil, fmt.Errorf("corpus %s: %w", c.Name, err)
	}
	if err := os.WriteFile(filepath.Join(t.Dir, stampFile), []byte(stamp), 0o666); err != nil {
		return nil, err
	}
	return t, nil
}

func (t *Tree) make(ctx context.Context) error {
	if err := t.clear(); err != nil {
		return err
	}
	version, err := t.command(ctx, "env", "GOVERSION")
	if err != nil {
		return err
	}
	language := strings.TrimPrefix(strings.Fields(string(version))[0], "go")
	mod := fmt.Sprintf("module deadheat.bench/%s\n\ngo %s\n", t.Name, language)
	if err := os.WriteFile(filepath.Join(t.Dir, "go.mod"), []byte(mod), 0o666); err != nil {
		return err
	}
	edits, err := t.replacements(ctx)
	if err != nil {
		return err
	}
	source, err := t.download(ctx, t.Edit.Module)
	if err != nil {
		return err
	}
	if err := copyTree(filepath.Join(t.Dir, copyDir), source.Dir); err != nil {
		return err
	}
	edits = append(edits, "-replace="+t.Edit.Module.Path+"=./"+copyDir)
	if _, err := t.command(ctx, append([]string{"mod", "edit"}, edits...)...); err != nil {
		return err
	}
	if _, err := t.command(ctx, "get", t.Package+"@"+t.Module.Version); err != nil {
		return err
	}
	_, err = t.command(ctx, "list", "-deps", t.Package)
	return err
}

// clear empties the directory of the corpus, which must look like one: a
// wrong --dir must not cost anyone files.
func (t *Tree) clear() error {
	entries, err := os.ReadDir(t.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	ours := map[string]bool{"go.mod": true, "go.sum": true, stampFile: true, copyDir: true}
	for _, e := range entries {
		if !ours[e.Name()] {
			return fmt.Errorf("%s has a file %s that was not made here: choose another --dir", t.Dir, e.Name())
		}
	}
	if err := os.RemoveAll(t.Dir); err != nil {
		return err
	}
	return os.MkdirAll(t.Dir, 0o777)
}

// replacements returns arguments of go mod edit that repeat the replace
// directives of the program's module, which count only where it is the main
// module. A directory of its repository stands for the published module.
func (t *Tree) replacements(ctx context.Context) ([]string, error) {
	d, err := t.download(ctx, t.Module)
	if err != nil {
		return nil, err
	}
	out, err := t.command(ctx, "mod", "edit", "-json", d.GoMod)
	if err != nil {
		return nil, err
	}
	var mod struct{ Replace []struct{ Old, New Version } }
	if err := json.Unmarshal(out, &mod); err != nil {
		return nil, fmt.Errorf("go mod edit -json %s: %w", d.GoMod, err)
	}
	var args []string
	for _, r := range mod.Replace {
		old := r.Old.Path
		if r.Old.Version != "" {
			old = r.Old.String()
		}
		switch {
		case r.New.Version != "":
			args = append(args, "-replace="+old+"="+r.New.String())
		case t.Locals != "":
			args = append(args, "-replace="+old+"="+r.Old.Path+"@"+t.Locals)
		}
	}
	return args, nil
}

// downloaded is where the go command put a module.
type downloaded struct{ Dir, GoMod string }

func (t *Tree) download(ctx context.Context, v Version) (*downloaded, error) {
	out, err := t.command(ctx, "mod", "download", "-json", v.String())
	if err != nil {
		return nil, err
	}
	d := new(downloaded)
	if err := json.Unmarshal(out, d); err != nil {
		return nil, fmt.Errorf("go mod download %s: %w", v, err)
	}
	return d, nil
}

// command runs the go command in the directory of the corpus.
func (t *Tree) command(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = t.Dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// copyTree copies a directory, with all of it writable.
func copyTree(dst, src string) error {
	return filepath.WalkDir(src, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, name)
		if err != nil {
			return err
		}
		to := filepath.Join(dst, rel)
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
}
