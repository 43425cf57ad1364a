// Package config reads the configuration file of a project, .deadheat.yml.
//
// # The question it answers
//
// What does the project want by default, and where does its file say so?
//
// # Rules
//
// The file is YAML with the keys of [Keys] and no others; version must be there
// and be 1. Relative paths and patterns in it are relative to its directory. The
// file is found in the working directory or the nearest one above it, up to the
// root of the repository.
//
// # What it does not do
//
// Anchors, aliases, tags and several documents in a file are refused: a
// configuration is read by people first. Which of flags, environment and file
// wins is decided by the command line.
//
// # Invariants
//
//   - Every problem is reported with line and column, all of them at once.
//   - docs/deadheat.schema.json describes the same keys; a test holds it to
//     [Keys].
package config
