package corpus

import (
	"fmt"
	"strings"
)

// Corpus is one program to measure on.
type Corpus struct {
	Name    string
	Module  Version
	Locals  string // version of the modules its go.mod takes from directories; "" if it has none that count
	Package string // the main package
	Licence string
	Edit    Edit
}

// Version is a module at a version.
type Version struct {
	Path    string
	Version string
}

func (v Version) String() string { return v.Path + "@" + v.Version }

// Edit says which function body is changed, in which module.
type Edit struct {
	Module Version
	File   string // slash-separated, relative to the module
	Func   string // NAME or TYPE.METHOD
}

// Parse reads the text of corpus.txt.
func Parse(text string) ([]Corpus, error) {
	var all []Corpus
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		key, args := fields[0], fields[1:]
		want, known := map[string]int{"corpus": 1, "module": 2, "locals": 1, "package": 1, "licence": 1, "edit": 4}[key]
		switch {
		case !known:
			return nil, fmt.Errorf("corpus.txt:%d: unknown word %q", n+1, key)
		case len(args) != want:
			return nil, fmt.Errorf("corpus.txt:%d: %s takes %d words, not %d", n+1, key, want, len(args))
		case key == "corpus":
			all = append(all, Corpus{Name: args[0]})
			continue
		case len(all) == 0:
			return nil, fmt.Errorf("corpus.txt:%d: %s before the first corpus", n+1, key)
		}
		all[len(all)-1].set(key, args)
	}
	for i := range all {
		if err := all[i].complete(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (c *Corpus) set(key string, args []string) {
	switch key {
	case "module":
		c.Module = Version{args[0], args[1]}
	case "locals":
		c.Locals = args[0]
	case "package":
		c.Package = args[0]
	case "licence":
		c.Licence = args[0]
	case "edit":
		c.Edit = Edit{Version{args[0], args[1]}, args[2], args[3]}
	}
}

func (c *Corpus) complete() error {
	for _, word := range []struct{ key, value string }{
		{"module", c.Module.Path}, {"package", c.Package}, {"licence", c.Licence}, {"edit", c.Edit.Func},
	} {
		if word.value == "" {
			return fmt.Errorf("corpus.txt: corpus %s has no %s", c.Name, word.key)
		}
	}
	return nil
}

// Select returns the corpora with the given names in their order, or all if
// there are no names.
func Select(all []Corpus, names []string) ([]Corpus, error) {
	if len(names) == 0 {
		return all, nil
	}
	var out []Corpus
next:
	for _, name := range names {
		for _, c := range all {
			if c.Name == name {
				out = append(out, c)
				continue next
			}
		}
		var known []string
		for _, c := range all {
			known = append(known, c.Name)
		}
		return nil, fmt.Errorf("no corpus %q: corpus.txt has %s", name, strings.Join(known, ", "))
	}
	return out, nil
}
