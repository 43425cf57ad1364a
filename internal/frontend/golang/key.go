package golang

import (
	"runtime"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/store"
)

// frontendVersion must change whenever the same source could give another
// unit: with loading, with lowering, and with the version of x/tools.
const frontendVersion = "3"

// key returns the name of the work of making n's unit and export data, and
// false if it has none because what an import exports cannot be told.
//
// Build tags are not in it: they choose files, whose names and contents are.
// Neither is the place of the source, which units do not know. Imports come in
// by the digest of their export data, which has no positions: so a changed
// body, even one that moves what follows it, changes no key but its own
// package's.
func (l *loader) key(n *node, texts []text) (store.Key, bool) {
	k := store.NewKey("go unit " + frontendVersion)
	k.Int(ir.EncodingVersion)
	k.Text(runtime.Version()) // of the type checker, which is linked in
	k.Text(l.toolchain.OS)
	k.Text(l.toolchain.Arch)
	k.Text(n.pkg.Language)
	k.Text(n.pkg.Path)
	k.Text(n.pkg.Variant)
	k.Text(n.pkg.Name)
	k.Int(int64(n.pkg.Kind))
	k.Int(int64(len(texts)))
	for i := range texts {
		k.Text(texts[i].name)
		k.Digest(store.Sum(texts[i].data))
	}
	k.Bool(n.list.usesCgo())
	if n.list.usesCgo() {
		// As for go build, system headers are not looked at.
		k.Text(l.toolchain.cc)
		k.Text(l.toolchain.cflags)
		k.Text(l.toolchain.cppflags)
	}
	k.Int(int64(len(n.list.ImportMap)))
	for _, path := range sortedKeys(n.list.ImportMap) {
		k.Text(path)
		k.Text(n.list.ImportMap[path])
	}
	// By path, since IDs depend on what else is loaded.
	imports := slices.Clone(n.imports)
	slices.SortFunc(imports, func(a, b *node) int { return compareNames(a.pkg, b.pkg) })
	k.Int(int64(len(imports)))
	for _, m := range imports {
		if m.pkg.API == (store.Digest{}) {
			return store.Key{}, false
		}
		k.Text(m.pkg.String())
		k.Digest(m.pkg.API)
	}
	return k.Sum(), true
}
