package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Stdout, version())
			return err
		},
	}
}

// version describes the program and what it was built with.
func version() string {
	return fmt.Sprintf("deadheat %s %s %s/%s", programVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// programVersion is the version of the module, or the revision it was built
// from, or "devel".
func programVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "+changes"
		}
	}
	if revision == "" {
		return "devel"
	}
	return "devel-" + revision + modified
}
