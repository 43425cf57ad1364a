// Package race finds data races in Go programs without running them.
//
// It is the programming interface of the deadheat command: [Analyze] takes a
// plain [Config] and returns a plain [Result], which holds copies of everything
// and shares nothing with the analysis.
//
// The interface is unstable until version 1: fields may be renamed or removed
// between minor versions.
//
// # What a finding promises
//
// Two accesses to the same memory, at least one a write, that may happen at the
// same time as far as the analysis can tell, with both stacks, the locks held
// and the reasons. Confidence says how far to trust it; nothing is left out below
// a level, so most callers want to skip Low. What was not modelled is in
// [Result.Limits], and what was not looked at in [Result.NotAnalysed]: the
// absence of findings means something only if the latter is empty.
//
// # Invariants
//
// The Result depends on the source and the Config alone, not on Jobs or the
// state of the cache. Findings are sorted by file, line, column and fingerprint.
package race
