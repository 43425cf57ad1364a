package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/report"
)

// output is one use of --format.
type output struct {
	format string
	file   string // "" is standard output
}

var formats = []string{"text", "json", "jsonl"}

// parseFormats reads the values of --format. Files are relative to dir.
func parseFormats(values []string, dir string) ([]output, error) {
	if len(values) == 0 {
		values = []string{"text"}
	}
	var outs []output
	for _, v := range values {
		name, file, hasFile := strings.Cut(v, "=")
		if !slices.Contains(formats, name) {
			return nil, usagef("--format %s: want one of %s, each with an optional =FILE", v, strings.Join(formats, ", "))
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
func (a *app) write(outs []output, doc *report.Document, paths report.Paths, color string) error {
	for _, o := range outs {
		if o.file == "" {
			if err := encode(a.Stdout, o.format, doc, paths, a.useColor(color, a.Stdout)); err != nil {
				return err
			}
			continue
		}
		var b bytes.Buffer
		if err := encode(&b, o.format, doc, paths, color == "always"); err != nil {
			return err
		}
		if err := os.WriteFile(o.file, b.Bytes(), 0o666); err != nil {
			return usagef("cannot write the report: %v", err)
		}
	}
	return nil
}

func encode(w io.Writer, format string, doc *report.Document, paths report.Paths, color bool) error {
	switch format {
	case "json":
		return report.WriteJSON(w, doc, paths)
	case "jsonl":
		return report.WriteJSONL(w, doc, paths)
	}
	t := report.Text{Paths: paths, Sources: os.ReadFile, Color: color}
	return t.Write(w, doc)
}
