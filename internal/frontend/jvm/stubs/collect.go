package stubs

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// Collect returns the classes of a JDK that programs can name and those above
// them, sorted by name, with the members that programs see.
func Collect(jdk *archive.JDK) ([]*classfile.Class, error) {
	exported, err := exports(jdk.Path)
	if err != nil {
		return nil, err
	}
	kept := map[string]*classfile.Class{}
	add := func(name string, always bool) error {
		for list := []string{name}; len(list) > 0; list = list[1:] {
			if kept[list[0]] != nil {
				continue
			}
			c, err := jdk.Path.Class(list[0])
			if err != nil {
				return err
			}
			if !always && (!c.Access.Has(classfile.AccPublic) || c.Access.Has(classfile.AccSynthetic)) {
				return nil
			}
			always = true // what is above counts whatever its access
			kept[c.Name] = visible(c)
			if c.Super != "" {
				list = append(list, c.Super)
			}
			list = append(list, c.Interfaces...)
		}
		return nil
	}
	for _, name := range jdk.Path.Classes() {
		if i := strings.LastIndexByte(name, '/'); i < 0 || !exported[name[:i]] {
			continue
		}
		if err := add(name, false); err != nil {
			return nil, err
		}
	}
	list := make([]*classfile.Class, 0, len(kept))
	for _, c := range kept {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *classfile.Class) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}

// exports returns the packages that modules export to all.
func exports(p *archive.Path) (map[string]bool, error) {
	all := map[string]bool{}
	for _, a := range p.Archives {
		for _, name := range a.Modules() {
			data, err := a.Resource(name)
			if err != nil {
				return nil, err
			}
			c, err := classfile.Parse(data)
			if err != nil {
				return nil, err
			}
			for _, pkg := range c.Module.Exports {
				all[pkg] = true
			}
		}
	}
	return all, nil
}

// visible returns what programs see of a class.
func visible(c *classfile.Class) *classfile.Class {
	const seen = classfile.AccPublic | classfile.AccProtected
	v := &classfile.Class{Access: c.Access, Name: c.Name, Super: c.Super, Interfaces: c.Interfaces}
	for i := range c.Fields {
		if f := &c.Fields[i]; f.Access&seen != 0 && f.Const == nil {
			v.Fields = append(v.Fields, classfile.Field{Access: f.Access, Name: f.Name, Desc: f.Desc})
		}
	}
	for i := range c.Methods {
		if m := &c.Methods[i]; m.Access&seen != 0 && m.Name != "<clinit>" {
			v.Methods = append(v.Methods, classfile.Method{Access: m.Access, Name: m.Name, Desc: m.Desc})
		}
	}
	return v
}
