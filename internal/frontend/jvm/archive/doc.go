// Package archive finds Java classes: in directories, jars, wars, jars within
// these, jmods and the run-time image of a JDK.
//
// It answers "which classes does this class path have, and what are their
// bytes?". [Open] opens one place, [OpenPath] a class path, [OpenJDK] the class
// library of a JDK.
//
// # Rule
//
// What a name means is what the Java launcher makes of it: the first place of
// the path that has a class is the one that counts; the Class-Path of a jar's
// manifest comes right after the jar; of several entries with one name in a jar
// the last one counts; with Multi-Release in the manifest the entry for the
// newest version up to Config.Release replaces the plain one (JEP 238). Beyond
// the launcher, the classes and jars that servlet containers and Spring Boot
// find in an archive are found (WEB-INF/classes, WEB-INF/lib, BOOT-INF/classes,
// BOOT-INF/lib, the jars of an ear). Images have the layout that the JDK's
// jimage library reads; compressed ones ("zip" and "compact-cp") too.
//
// # What it does not distinguish
//
// Modules: the classes of all modules of an image or directory of jmods are in
// one name space, which is sound because no two modules of one layer may have a
// package in common. Class loaders: a war in an ear sees what is beside it.
//
// # Assumptions
//
// Bytes are not trusted. Memory taken for one entry is bounded by its size in
// the directory, that by maxEntry, nested jars by maxNested for one place, and
// nesting by maxDepth; entries that share bytes are refused, so that reading all
// takes time in proportion to the file. Names of entries are never used as names of files.
// Symbolic links to directories within a directory are not followed.
//
// # Invariants
//
//   - Classes are sorted, without repetition, and can be read unless the place
//     is damaged or changes.
//   - Whatever is wrong with one entry is a [Problem] or an error of reading
//     that entry; it does not hide the others.
//   - Any number of goroutines may use an Archive or Path.
package archive
