// Package cli is the command line: it turns arguments and the environment into
// a driver.Config, and a driver.Result into output and an exit code.
//
// # The question it answers
//
// What does the user want, and how is the answer shown on this terminal?
//
// # Exit codes
//
//	0  everything was analysed, nothing found
//	1  findings that count
//	2  usage, configuration or model file
//	3  something was not analysed, with or without findings
//
// The output format never changes the code.
//
// # Settings
//
// A flag wins over a variable of the environment, which wins over the
// configuration file (package config): see settings.go. What counts is settled in
// this order: the configuration excludes, the confidence hides, comments suppress,
// another revision and the baseline tell old from new.
//
// # What it does not do
//
// It computes nothing about programs. It is the only package, with lsp, that
// knows flags, terminals, environment variables and the standard streams.
//
// # Invariants
//
//   - Findings and answers go to standard output, everything else to standard
//     error.
//   - What is written to standard output does not depend on the clock, the
//     number of jobs or the state of the cache. (cache stat describes the cache;
//     it is the exception.)
//   - A panic below becomes a message that asks for a report, and code 3.
package cli
