// Command java measures what both verdicts cost, and find, on real Java programs,
// and what reading a JDK costs.
//
//	go run ./bench/cmd/java [--cpu SECONDS] [--memory GIB] [--modes program,library] [--dir DIR] [PROGRAM...]
//	go run ./bench/cmd/java --jdk-image [--cpu SECONDS] [--memory GIB]
//
// DIR is where scripts/fetch-java-corpus puts its jars, by default
// deadheat-bench/java in the user's cache directory. Programs whose jars are not
// there are left out, and that is said. Each line is a process of its own that
// begins without cached units. It is stopped when it has taken more processor
// time, user and system together, or more memory than the bar of the program
// allows, and the line says so; how long it takes by the clock does not matter. A
// line is printed as soon as it is known: to go on after an interruption, name the
// programs that are missing.
//
// The program verdict starts every main method of the jars; origins and shared
// cells are those of the program that has most. The library verdict takes all
// classes for themselves.
//
// With --jdk-image all classes of the JDK that JAVA_HOME or the java command leads
// to are read, lowered, encoded and decoded.
package main
