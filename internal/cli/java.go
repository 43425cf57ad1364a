package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/frontend/jvm"
)

// javaFlags say how targets that are Java classes are loaded and entered.
type javaFlags struct {
	classPath []string
	sources   []string
	jdk       string
	mains     []string
	open      []string
}

func (f *javaFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.classPath, "classpath", nil, "Java: jars and directories (`PATHS`) of the libraries that the targets use, separated as for java; repeatable")
	fs.StringArrayVar(&f.sources, "source", nil, "Java: look for source files below `DIR` or in a jar of sources; repeatable (default: src/main/java, src/test/java, src and the working directory; always x-sources.jar beside x.jar)")
	fs.StringVar(&f.jdk, "jdk", "", "Java: the `DIR` of the JDK, bodies to analyse its code too, or none to use the declarations that deadheat has (default: $JAVA_HOME, else where the java command is)")
}

func (f *javaFlags) addEntries(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringArrayVar(&f.mains, "main", nil, "Java: start `CLASS` only, instead of all classes that have a main method; repeatable")
	fs.StringArrayVar(&f.open, "open", nil, "Java: let several callers at once call what other packages can call of the public classes of `PACKAGE`, or with /... of those below it; repeatable")
}

// config turns the flags into what the driver wants.
func (f *javaFlags) config(a *app, dir string) driver.JavaConfig {
	j := driver.JavaConfig{Sources: f.sources, Mains: f.mains, Open: f.open, JavaHome: a.Env("JAVA_HOME"), PathList: a.Env("PATH")}
	for _, list := range f.classPath {
		j.ClassPath = append(j.ClassPath, filepath.SplitList(list)...)
	}
	switch f.jdk {
	case "":
	case "none":
		j.Library = jvm.LibraryNone
	case "bodies":
		j.Library = jvm.LibraryBodies
	default:
		j.JDK = inDir(dir, f.jdk)
	}
	return j
}
