package cli

import (
	"bufio"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
)

func (a *app) irCommand() *cobra.Command {
	var load loadFlags
	var after choice
	var fn string
	cmd := &cobra.Command{
		Use:   "ir [flags] package",
		Short: "Print the intermediate code of a package",
		Long: `Ir prints packages, or one function of theirs, as the engines see them: after the
front end (lower), or after one of the passes that follow it.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("ir: want a package")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := a.config(&load, args)
			if err != nil {
				return err
			}
			w := bufio.NewWriter(a.Stdout)
			if err := driver.WriteIR(cmd.Context(), w, cfg, driver.IRConfig{Func: fn, After: after.value}); err != nil {
				return err
			}
			return w.Flush()
		},
	}
	load.addPackages(cmd)
	cmd.Flags().StringVar(&fn, "func", "", "print only the function with this `NAME`, such as (*T).M or main.func1, or symbol")
	passes := driver.PassNames()
	addChoice(cmd, &after, "after", "print the code as it is after this pass", passes...)
	after.value = passes[len(passes)-1]
	cmd.Flags().Lookup("after").DefValue = after.value
	return cmd
}
