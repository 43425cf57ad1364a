// Package revision finds out which findings another revision of a repository
// has.
//
// # The question it answers
//
// Which races did the program have at a given commit, with the settings of
// today?
//
// # How
//
// The commit is checked out into a working tree of its own beside the user's,
// which is never touched, analysed there, and removed again, also after an
// interrupt. What was found is kept in the cache under the hash of the commit's
// tree, the settings and the program's version, so that it is analysed once. A
// clean working tree is kept in the same way: it is the base of a later
// comparison.
//
// # What it does not distinguish
//
// Where in the repository a file is from: findings hold paths relative to its
// root, and get those of the user's working tree.
//
// # Assumptions
//
// What a commit's findings depend on is in its tree, in the settings, in the
// module cache or in the Go toolchain. Files that git does not know (generated
// and ignored ones, modules replaced by directories outside of the repository,
// submodules) are missing from the other working tree; packages that need them
// are then not analysed, and said so.
//
// # Invariants
//
//   - Git is run without the environment of a hook that may be running, without
//     hooks and without taking optional locks.
//   - Only complete results are kept.
package revision
