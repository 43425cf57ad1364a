package archive

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// dir is the container of a directory.
type dir struct {
	root  string
	files []string // slash-separated, relative to root
}

func (d *dir) read(entry int, max int64) ([]byte, error) {
	f, err := os.Open(filepath.Join(d.root, filepath.FromSlash(d.files[entry])))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, max+1))
	if err == nil && int64(len(b)) > max {
		err = fmt.Errorf("more than %d bytes", max)
	}
	return b, err
}

// openDir opens a directory of classes. Multi-release entries are not looked
// for, since the launcher only does that in jars.
func openDir(path string) (*Archive, error) {
	root, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	d := &dir{root: root}
	a := &Archive{name: path, src: d, manifest: &Manifest{}, byName: map[string]int{}}
	classes := map[string]int{}
	err = filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			if file == root {
				return err
			}
			a.problems = append(a.problems, Problem{path, file, err})
			return nil
		}
		if e.IsDir() || e.Type()&^fs.ModeSymlink != 0 {
			return nil
		}
		if e.Type() == fs.ModeSymlink {
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				return nil
			}
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		a.byName[name] = len(d.files)
		if isModuleInfo(name) {
			a.modules = append(a.modules, name)
		} else if class, ok := className(name); ok {
			classes[class] = len(d.files)
		}
		d.files = append(d.files, name)
		return nil
	})
	if err != nil {
		return nil, err
	}
	a.setClasses(classes)
	if b, err := a.Resource(manifestName); err == nil {
		a.manifest = parseManifest(b)
	}
	return a, nil
}
