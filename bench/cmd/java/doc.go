// Command java measures what both verdicts cost, and find, on real Java programs.
//
//	go run ./bench/cmd/java [--timeout D] [--memory GIB] [--modes program,library] [--dir DIR] [PROGRAM...]
//
// DIR is where scripts/fetch-java-corpus puts its jars, by default
// deadheat-bench/java in the user's cache directory. Programs whose jars are not
// there are left out, and that is said. Each line is a process of its own that
// begins without cached units; it is stopped when it takes longer or more memory
// than allowed, and the line says so.
//
// The program verdict starts every main method of the jars; origins and shared
// cells are those of the program that has most. The library verdict takes all
// classes for themselves.
package main
