package jvm

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

// ServiceLoader.load(X.class) finds the classes that files META-INF/services/X
// and module descriptors name. Which those are depends on the class path, and a
// unit on its class alone: so the call is lowered to one of a function of a class
// that is made up for X, and the loader makes that class once it knows X.

// servicePrefix begins the names of these classes: they are of no package of a
// library, of which models speak.
const servicePrefix = "$$services."

const (
	serviceMethod = "all"
	serviceDesc   = "()[Ljava/lang/Object;"
	loaderClass   = "java/util/ServiceLoader"
	loaderDesc    = "Ljava/util/ServiceLoader;"
)

// services lowers ServiceLoader.load of a known class: models say what a loader
// that is made of an array of objects does.
func (x *method) services(class string) ir.Value {
	arrayDesc := "[" + objectDesc
	all := x.def(arrayDesc, ir.Instr{Op: ir.OpCall, Aux: int32(x.b.FuncRef(methodSymbol(servicePrefix+class, serviceMethod, serviceDesc)))})
	return x.def(loaderDesc, ir.Instr{Op: ir.OpCall, Aux: int32(x.b.FuncRef(methodSymbol(dotted(loaderClass), "$of", "("+arrayDesc+")"+loaderDesc)))}, all)
}

// serviceOf returns the service that a function of a made-up class is about, or
// "".
func serviceOf(symbol string) string {
	class, ok := strings.CutPrefix(symbol, servicePrefix)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(class, "."+serviceMethod+serviceDesc)
}

// makeServices makes the class of a service, given by its dotted name: its
// function makes an object of each provider.
func (l *loader) makeServices(service string) *Class {
	c := &Class{Name: servicePrefix + service, Place: "META-INF/services"}
	providers := l.providers(service)
	low := newLowerer(&classfile.Class{Name: internalName(c.Name), Super: "java/lang/Object", Access: classfile.AccFinal}, new(buffers))
	low.declare(true)
	symbol := methodSymbol(c.Name, serviceMethod, serviceDesc)
	id := low.b.AddFunc(ir.Func{Symbol: symbol, Name: "ServiceLoader.load", Sig: low.types.sig(serviceDesc, &classfile.MethodDesc{Result: "[" + objectDesc}),
		Parent: ir.None, Flags: ir.FuncSynthetic})
	low.body.Reset()
	x := &method{lowerer: low, symbol: symbol, m: new(classfile.Method), initial: map[string]bool{}, needed: map[string]bool{}}
	low.body.SetBlock(low.body.NewBlock())
	number := func(n int) ir.Value { return ir.ConstValue(low.b.IntConst(low.types.of("I"), int64(n))) }
	array := word{x.newArray("["+objectDesc, number(len(providers))), "[" + objectDesc}
	for i, p := range providers {
		at := x.element(array, objectDesc, number(i))
		x.emit(ir.Instr{Op: ir.OpStore, Type: low.types.of(objectDesc)}, at, x.instantiate(p))
	}
	low.body.Return(ir.Pos{}, array.v)
	low.b.SetBody(id, low.body.Finish())
	if len(providers) == 0 {
		low.b.AddLimit(ir.Limit{Kind: "reflection", Text: "no place of the class path names a provider of " + service + ": ServiceLoader is taken to find none"})
	}
	encoded := ir.Encode(low.b.Finish())
	c.Digest = store.Sum(encoded)
	var err error
	if c.Unit, err = ir.Decode(encoded); err != nil {
		c.Errors = append(c.Errors, err)
	}
	return c
}

// maxProviders bounds the classes that are taken for one service.
const maxProviders = 1000

// providers returns the dotted names of the classes that provide a service, as
// the class path says. Those that are nowhere are left out, and so are services
// of the JDK that it provides itself.
func (l *loader) providers(service string) []string {
	var list []string
	add := func(class string) {
		if len(list) < maxProviders && !slices.Contains(list, class) && l.find(internalName(class)) != nil {
			list = append(list, class)
		}
	}
	for _, p := range []*archive.Path{l.targets, l.libs} {
		for _, a := range p.Archives {
			// A file that cannot be read names nobody.
			if text, err := a.Resource("META-INF/services/" + service); err == nil {
				for line := range strings.Lines(string(text)) {
					name, _, _ := strings.Cut(line, "#")
					add(strings.TrimSpace(name))
				}
			}
			for _, m := range a.Modules() {
				for _, p := range moduleProvides(a, m) {
					if dotted(p.Service) == service {
						for _, class := range p.With {
							add(dotted(class))
						}
					}
				}
			}
		}
	}
	return list
}

// moduleProvides returns what a module descriptor provides.
func moduleProvides(a *archive.Archive, name string) []classfile.Provide {
	data, err := a.Resource(name)
	if err != nil {
		return nil
	}
	c, err := classfile.Parse(data)
	if err != nil || c.Module == nil {
		return nil
	}
	return c.Module.Provides
}
