package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deadheat/deadheat/internal/config"
)

func (a *app) configCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Look at the configuration",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("config: unknown command %q; want show or verify", args[0])
			}
			return usagef("config: want one of show, verify")
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(a.configShowCommand(), a.configVerifyCommand())
	return cmd
}

func (a *app) configVerifyCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "verify [FILE]",
		Short: "Say what is wrong with the configuration file",
		Args:  atMost(1, "at most one file"),
		RunE: func(_ *cobra.Command, args []string) error {
			work, err := workDir(dir)
			if err != nil {
				return err
			}
			file := ""
			if len(args) == 1 {
				file = args[0]
			}
			conf, err := a.findConfig(work, file)
			if err != nil {
				return err
			}
			if conf == nil {
				return asUsage(fmt.Errorf("there is no %s in %s or above it", config.FileName, work))
			}
			_, err = fmt.Fprintf(a.Stdout, "%s: ok\n", showIn(work, conf.File))
			return err
		},
	}
	addDir(cmd.Flags(), &dir)
	return cmd
}

func (a *app) configShowCommand() *cobra.Command {
	f := new(checkFlags)
	cmd := &cobra.Command{
		Use:   "show [flags]",
		Short: "Print every setting in force, and where it is from",
		Long: `Show prints what the flags given to it, the environment and the configuration
file come to together, and for each setting where it is from: a flag, else a
variable such as DEADHEAT_TAGS, else the file, else nothing, which is the default.`,
		Args: exactly(0, "no argument"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := workDir(f.load.dir)
			if err != nil {
				return err
			}
			s, err := a.settle(cmd.Flags(), dir, f.load.config)
			if err != nil {
				return err
			}
			return a.showSettings(s, cmd.Flags())
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) showSettings(s settings, fs *pflag.FlagSet) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	for _, k := range config.Keys() {
		if k.Name == "version" {
			continue
		}
		var values []string
		if f := fs.Lookup(k.Name); f != nil {
			values = []string{f.Value.String()}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
			}
		} else if s.conf != nil {
			values = s.conf.Values(k.Name)
		}
		value := strings.Join(values, ", ")
		if value == "" {
			value = "-"
		}
		from := s.from[k.Name]
		if from == "" {
			from = "default"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", k.Name, value, from)
	}
	return w.Flush()
}
