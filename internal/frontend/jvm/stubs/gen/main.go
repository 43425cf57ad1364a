// Gen writes jdk.bin, the declarations of the class library of the JDK that
// JAVA_HOME or the java command is of.
package main

import (
	"fmt"
	"os"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/stubs"
)

func main() {
	if err := write("jdk.bin"); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func write(file string) error {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		return err
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		return err
	}
	defer jdk.Path.Close()
	classes, err := stubs.Collect(jdk)
	if err != nil {
		return err
	}
	data, err := stubs.Encode(classes)
	if err != nil {
		return err
	}
	fmt.Printf("%d classes of Java %d, %d bytes\n", len(classes), jdk.Release, len(data))
	return os.WriteFile(file, data, 0o644)
}
