package cli

import (
	"fmt"

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
		Short: "Print what is known about libraries, or about one function",
		Long: `Models prints the rows of the model tables in force, those of deadheat.models
and --models included, in the syntax of model files. Given the symbol of a
function, such as (*sync.Mutex).Lock, it prints the rows that match it, the one
in force first.`,
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
			return model.Print(a.Stdout, set)
		},
	}
	addDir(cmd.Flags(), &dir)
	addModels(cmd.Flags(), &files)
	return cmd
}

func (a *app) printModel(set *model.Set, symbol string) error {
	rows := append(set.Matches(ir.LangGo, symbol), set.Matches(ir.LangJava, symbol)...)
	if len(rows) == 0 {
		return usagef("no model for %s: its own code is analysed if there is any", symbol)
	}
	for i, row := range rows {
		note := ""
		if i > 0 {
			note = " (overridden)"
		}
		if _, err := fmt.Fprintf(a.Stdout, "%s: %s: %s%s\n", row.At, row.Scope, row, note); err != nil {
			return err
		}
	}
	return nil
}
