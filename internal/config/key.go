package config

// A Key is one setting of the file.
type Key struct {
	Name    string   // with that of the mapping it is in before a dot
	Text    string   // what it is for, one sentence
	Allowed []string // the words it may be; empty means any

	field func(*Config) any // a *string, *bool, *int or *[]string
	files files
	check func(value string) error // may be nil
}

// files says which part of a value is the name of a file.
type files uint8

const (
	noFile files = iota
	allFile
	afterEquals // after the first =, if there is one
	fileOrOff   // the word off is not one
)

// Modes, Confidences, Formats and Layouts are the words that the flags and keys
// of these names take; the first of each is the default.
var (
	Modes       = []string{"auto", "program", "library"}
	Confidences = []string{"medium", "high", "low"}
	Formats     = []string{"text", "json", "jsonl", "sarif", "github"}
	Layouts     = []string{"auto", "lanes", "plain"}
)

// Keys returns all keys in the order of the documentation.
func Keys() []Key {
	return []Key{
		{Name: "version", Text: "Version of the format: 1.",
			field: func(c *Config) any { return &c.Version }},
		{Name: "targets", Text: "Package patterns to analyse where the command line names none, relative to the file's directory.",
			field: func(c *Config) any { return &c.Targets }},
		{Name: "tags", Text: "Build tags.",
			field: func(c *Config) any { return &c.Tags }},
		{Name: "tests", Text: "Whether to analyse tests too.",
			field: func(c *Config) any { return &c.Tests }},
		{Name: "mode", Text: "What a verdict is wanted on.", Allowed: Modes,
			field: func(c *Config) any { return &c.Mode }},
		{Name: "sound", Text: "Whether to turn off every step of the library verdict that may hide a race.",
			field: func(c *Config) any { return &c.Sound }},
		{Name: "origin-depth", Text: "How many starts tell goroutines and handlers apart.", check: positive,
			field: func(c *Config) any { return &c.Depth }},
		{Name: "entry", Text: "Symbols of functions, or paths of packages, to enter besides main and tests.",
			field: func(c *Config) any { return &c.Entry }},
		{Name: "models", Text: "Model files, besides deadheat.models of the project.", files: allFile,
			field: func(c *Config) any { return &c.Models }},
		{Name: "confidence", Text: "Least confidence of findings shown and counted.", Allowed: Confidences,
			field: func(c *Config) any { return &c.Confidence }},
		{Name: "format", Text: "Formats to write, each with an optional =FILE.", files: afterEquals, check: checkFormat,
			field: func(c *Config) any { return &c.Format }},
		{Name: "layout", Text: "Layout of text.", Allowed: Layouts,
			field: func(c *Config) any { return &c.Layout }},
		{Name: "baseline", Text: "File of accepted findings, or off.", files: fileOrOff, check: notEmpty,
			field: func(c *Config) any { return &c.Baseline }},
		{Name: "exclude.paths", Text: "Patterns of files and directories; a finding with both accesses in them is left out.", check: checkPattern,
			field: func(c *Config) any { return &c.Exclude.Paths }},
		{Name: "exclude.rules", Text: "Rules whose findings are left out.", Allowed: ruleIDs(),
			field: func(c *Config) any { return &c.Exclude.Rules }},
	}
}
