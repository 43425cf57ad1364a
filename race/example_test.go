package race_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/deadheat/deadheat/race"
)

const counter = `package main

var hits int

func main() {
	done := make(chan bool)
	go func() {
		hits = 1
		done <- true
	}()
	println(hits)
	<-done
}
`

func ExampleAnalyze() {
	dir, err := os.MkdirTemp("", "race")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"go.mod": "module example.com/counter\n\ngo 1.26\n", "main.go": counter} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}

	res, err := race.Analyze(context.Background(), race.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range res.Findings {
		if f.Confidence == "low" {
			continue
		}
		fmt.Printf("%s of %s in %s, line %d\n", f.First.Kind, f.What, f.First.Function, f.First.Position.Line)
		fmt.Printf("%s in %s, line %d\n", f.Second.Kind, f.Second.Function, f.Second.Position.Line)
	}
	// Output:
	// write of counter.hits in main.func1, line 8
	// read in main, line 11
}
