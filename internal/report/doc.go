// Package report turns the outcome of a run into bytes: text for people, JSON
// and SARIF for programs. It also decides which findings count: suppression
// comments, baselines and the comparison with another revision.
//
// # The question it answers
//
// How is a [Document] said in a given format? What goes into the document is
// the driver's business; what a finding is, that of package detect.
//
// # Formats
//
// Text puts file:line:col first, so that editors find the place, then both
// accesses with their source, locks and stacks, then the reasons. JSON is the
// whole document, nested. JSON lines is one flat object per finding. SARIF is
// what code scanning services and editors read, GitHub the annotations of a
// workflow. docs/formats.md is the reference of all, and a test holds it to the
// JSON that is emitted.
//
// # Identity
//
// A finding is recognised in another revision by its fingerprint, and after a
// rename by the parts of it that remain: see [Match]. A match that is not by
// fingerprint needs a function that is gone for one that is new, so that one
// race never hides behind another.
//
// # What it does not distinguish
//
// Languages: a finding of Go looks like one of Java. Terminals: whether to use
// colours is decided by the caller.
//
// # Invariants
//
//   - The bytes are a function of the document, the paths and the options;
//     nothing here reads files, the environment or the clock. Source lines come
//     through a function the caller gives.
//   - Findings are written in the order of the document; [Sort] makes it
//     canonical.
//   - Every field of JSON is always there; what is missing is null, "" or [].
package report

// Design
//
// Text is built as blocks of styled lines before it is written, one block for
// each access, so that a layout can set two of them side by side as well as one
// under the other.
