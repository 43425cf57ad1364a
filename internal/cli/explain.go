package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/report"
)

func (a *app) explainCommand() *cobra.Command {
	var load loadFlags
	var color, progress choice
	var baseline string
	cmd := &cobra.Command{
		Use:   "explain FINGERPRINT|RULE [flags] [packages]",
		Short: "Print everything known about one finding, or the text of a rule",
		Long: `Explain analyses the packages again (from the cache, as far as possible) and
prints the findings whose fingerprint begins with the argument, with whole stacks
and every reason, also those that do not count: below the confidence shown,
suppressed by a comment, or in the baseline. Given the ID of a rule it prints the text of the rule.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("explain: want a fingerprint, as the report prints it after \"id\", or one of the rules %s", ruleIDs())
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return strings.Split(ruleIDs(), ", "), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if r, ok := detect.RuleByID(args[0]); ok && len(args) == 1 {
				return report.WriteRule(a.Stdout, &r, a.useColor(color.value, a.Stdout))
			}
			return a.explain(cmd.Context(), &load, baseline, color.value, progress.value, args[0], args[1:])
		},
	}
	load.add(cmd)
	addBaseline(cmd.Flags(), &baseline)
	addChoice(cmd, &color, "color", "colours on standard output", "auto", "always", "never")
	addChoice(cmd, &progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
	return cmd
}

func ruleIDs() string {
	var ids []string
	for _, r := range detect.Rules() {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, ", ")
}

func (a *app) explain(ctx context.Context, load *loadFlags, baseline, color, progress, id string, targets []string) error {
	cfg, err := a.config(load, targets)
	if err != nil {
		return err
	}
	j := &job{cfg: cfg}
	if j.baseline, err = readBaseline(cfg.Dir, baseline); err != nil {
		return err
	}
	res, err := a.analyse(ctx, cfg, progress)
	if err != nil {
		return err
	}
	doc := res.Document
	j.accept(&doc, res.Functions)
	all := doc.Findings
	doc.Findings = nil
	for _, f := range all {
		if strings.HasPrefix(f.Fingerprint, id) {
			doc.Findings = append(doc.Findings, f)
		}
	}
	if len(doc.Findings) == 0 {
		return usagef("no finding of these packages has a fingerprint that begins with %q, and no rule is called so (rules: %s)", id, ruleIDs())
	}
	t := report.Text{Paths: pathsIn(cfg.Dir), Sources: sourcesOf(res), Color: a.useColor(color, a.Stdout), Full: true}
	return t.Write(a.Stdout, &doc)
}
