// Command deadheat finds data races without running the program.
package main

import (
	"os"

	"github.com/deadheat/deadheat/internal/cli"
)

func main() { os.Exit(cli.Main()) }
