package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/model"
)

func (a *app) modelsCommand() *cobra.Command {
	var dir string
	var files []string
	cmd := &cobra.Command{
		Use:   "models [SYMBOL]",
		Short: "List what is known about libraries, or what is known about one function",
		Long: `Models lists the rows of the model tables, those of deadheat.models and --models
included. Given the symbol of a function, such as (*sync.Mutex).Lock, it prints
the row in force for it.`,
		Args: atMost(1, "at most one symbol"),
		RunE: func(_ *cobra.Command, args []string) error {
			work, err := workDir(dir)
			if err != nil {
				return err
			}
			for i := range files {
				files[i] = inDir(work, files[i])
			}
			set, err := driver.LoadModels(work, files)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return a.printModel(set, args[0])
			}
			return a.listModels(set)
		},
	}
	addDir(cmd.Flags(), &dir)
	addModels(cmd.Flags(), &files)
	return cmd
}

func (a *app) printModel(set *model.Set, symbol string) error {
	row := set.Find(ir.LangGo, symbol)
	if row == nil {
		return usagef("no model for %s: its own code is analysed if there is any", symbol)
	}
	_, err := fmt.Fprintf(a.Stdout, "%s:%d:%d: %s %s\n", row.At.File, row.At.Line, row.At.Col, row.Scope, row.Pattern)
	return err
}

func (a *app) listModels(set *model.Set) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	for _, row := range set.Rows() {
		fmt.Fprintf(w, "%s:%d\t%s\t%s\n", row.At.File, row.At.Line, row.Scope, row.Pattern)
	}
	return w.Flush()
}
