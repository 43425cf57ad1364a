package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/config"
	"github.com/deadheat/deadheat/internal/report"
)

// output is one use of --format.
type output struct {
	format string
	file   string // "" is standard output
}

// parseFormats reads the values of --format. Files are relative to dir.
func parseFormats(values []string, dir string) ([]output, error) {
	if len(values) == 0 {
		values = []string{"text"}
	}
	var outs []output
	for _, v := range values {
		name, file, hasFile := strings.Cut(v, "=")
		if !slices.Contains(config.Formats, name) {
			return nil, usagef("--format %s: want one of %s, each with an optional =FILE", v, strings.Join(config.Formats, ", "))
		}
		if hasFile && file == "" {
			return nil, usagef("--format %s: no file after =", v)
		}
		if hasFile {
			file = inDir(dir, file)
			// Found out now rather than after the analysis.
			if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
				return nil, usagef("--format %s: no directory %s", v, filepath.Dir(file))
			}
		}
		for _, o := range outs {
			if o.file == file && file == "" {
				return nil, usagef("--format %s: standard output is taken by --format %s; name a file with %s=FILE", v, o.format, name)
			}
			if o.file == file {
				return nil, usagef("--format %s: the file is taken by --format %s", v, o.format)
			}
		}
		outs = append(outs, output{name, file})
	}
	return outs, nil
}

// write writes doc to all outputs.
func (a *app) write(j *job, doc *report.Document) error {
	for _, o := range j.outs {
		if o.file == "" {
			if err := j.encode(a.Stdout, o.format, doc, a.useColor(j.flags.color.value, a.Stdout), a.laneWidth(j.flags.layout.value, a.Stdout)); err != nil {
				return err
			}
			continue
		}
		var b bytes.Buffer
		if err := j.encode(&b, o.format, doc, j.flags.color.value == "always", a.laneWidth(j.flags.layout.value, &b)); err != nil {
			return err
		}
		if err := os.WriteFile(o.file, b.Bytes(), 0o666); err != nil {
			return usagef("cannot write the report: %v", err)
		}
	}
	return nil
}

func (j *job) encode(w io.Writer, format string, doc *report.Document, color bool, lanes int) error {
	paths := pathsIn(j.cfg.Dir)
	switch format {
	case "json":
		return report.WriteJSON(w, doc, paths)
	case "jsonl":
		return report.WriteJSONL(w, doc, paths)
	case "sarif":
		s := report.SARIF{Paths: pathsIn(repoRoot(j.cfg.Dir)), Sources: j.sources, Max: j.flags.sarifMax}
		return s.Write(w, doc)
	case "github":
		g := report.GitHub{Paths: pathsIn(repoRoot(j.cfg.Dir))}
		return g.Write(w, doc)
	}
	t := report.Text{Paths: paths, Sources: j.sources, Color: color, Lanes: lanes}
	return t.Write(w, doc)
}

// repoRoot returns the root of the git repository that a directory is in, or
// the directory itself.
func repoRoot(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return dir
		}
	}
}
