package driver

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

func TestZZWhy(t *testing.T) {
	dir, _ := filepath.Abs("../../testdata/go")
	ents, _ := os.ReadDir(dir)
	kinds := map[string]int{}
	examples := map[string]string{}
	for _, e := range ents {
		if !e.IsDir() {
			continue
		}
		files, _ := filepath.Glob(filepath.Join(dir, e.Name(), "*.go"))
		_, err := inspect(context.Background(), Config{Dir: dir, Targets: []string{"./" + e.Name()}}, question[int]{before: "account",
			ask: func(a *analysis) int {
				for _, file := range files {
					data, _ := os.ReadFile(file)
					sc := bufio.NewScanner(strings.NewReader(string(data)))
					for n := 1; sc.Scan(); n++ {
						ans := detect.Why(a.facts, a.inspection(), []detect.Line{{File: filepath.ToSlash(file), Line: n}}, a.findings)
						for _, p := range ans.Pairs {
							if p.Race && p.Reported == "" {
								kinds["unreported "+p.Finding.Confidence.String()]++
								examples["unreported"] = fmt.Sprintf("%s:%d", file, n)
							}
							for _, v := range p.Verdicts {
								k := v.Kind + " " + v.Rule
								kinds[k]++
								ex := fmt.Sprintf("%s:%d %s", filepath.Base(filepath.Dir(file)), n, v.Text.Text(func(p detect.Place) string { return fmt.Sprintf("%d:%d", p.Line, p.Col) }))
								if kinds[k] <= 6 {
									examples[k] += "\n     " + ex
								}
							}
						}
					}
				}
				return 0
			}})
		if err != nil {
			t.Log(e.Name(), err)
		}
	}
	var keys []string
	for k := range kinds {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Println(kinds[k], k, examples[k])
	}
}
