// Package store keeps the results of work on disk so that it is not done
// twice.
//
// It answers two questions: "has this work been done, and what came out of
// it?" ([Store.GetAction]) and "what are the bytes with this digest?"
// ([Store.Get]). Work is named by a [Key], the hash of everything its result
// depends on (see [KeyBuilder]). What came out is a [Record], which names blobs
// by [Digest], the SHA-256 of their bytes. The store knows nothing of what the
// bytes mean: Units, export data and Summaries look the same to it.
//
// # What it does not distinguish
//
// A miss has one meaning: do the work. Never stored, trimmed, damaged and
// unreadable all look alike to [Store.Get] and [Store.GetAction]; the
// difference is counted in [Counters] for whoever wants to tell the user. The
// last use of an entry is known to the day only, so entries used on the same
// day may be trimmed in any order.
//
// # Assumptions
//
// Equal keys mean equal work: whoever builds a key must put into it every
// input, setting and version that can change the result. Those who can write
// to the directory are trusted. Digests are checked to find accidents (a full
// disk, a crash, a bad medium), not forgery: a forged record can name any blob.
//
// # Invariants
//
//   - Get returns bytes whose SHA-256 is the digest asked for, or nothing.
//     GetAction returns a record written for that very key, or nothing.
//   - An entry appears whole or not at all: it is written to a temporary file
//     and renamed. There are no locks. Any number of processes and goroutines
//     may read, write, trim and verify one directory at the same time; the worst
//     that can come of it is a miss.
//   - Blobs are put before the record that names them, so that a record found
//     right after it was written finds its blobs. Later a blob may have been
//     trimmed; a caller then treats the whole record as a miss.
//   - A failing write loses nothing but the saving: callers go on with the
//     result in hand, and the first error is kept in Counters.
//   - Nothing outside the version directory is created, read or removed, and
//     inside it only files whose names have the form of an entry.
//
// # Layout
//
//	DIR/v1/action/ab/abcdef…   record of the key abcdef…
//	DIR/v1/blob/12/123456…     bytes whose SHA-256 is 123456…
//	DIR/v1/trimmed             its time of change is that of the last daily trim
//
// A blob's file holds its bytes and nothing else, so sha256sum checks it. The
// first byte of the name fans entries out over 256 directories for each kind,
// made when first needed.
package store

// Design
//
// Figures are from one core of a 2.8 GHz Xeon with SHA instructions that other
// work was using too, files in the page cache. Each is the best of five; a range
// is over three rounds, in each of which the variants ran one after the other,
// and shows how far to trust the difference. The payload is 741 blobs, 52 MB in
// all, median 12 kB, holding the syntax trees of the standard library's packages
// as kind bytes, varints and string tables. It stands in for Units; real ones may
// compress differently.
//
// Compression was left out, because the time of a warm run counts for more than
// disk and none of the candidates makes it shorter. To read and check
// everything, and decode it:
//
//	raw              74 to 80 ms
//	zstd, fastest    94 to 131 ms, 1.2 to 1.8 times raw, 3.6 times smaller
//	S2               75 to 85 ms, 1.0 to 1.2 times raw, 2.6 times smaller
//
// Writing varied too much to rank raw (570 to 940 ms) and S2 (630 to 850 ms);
// zstd was slower than raw in each round (680 to 1,430 ms). Files not in the
// page cache were not measured; there the smaller ones may win. So if disk or
// slow disks become a concern, S2 is the one to try, at the price of a dependency.
// Until then disk is bounded by the cap of Trim.
//
// Small blobs are not inlined into the records by themselves. Opening, reading
// and hashing a file of 200 bytes took 5.5 µs on the idle machine and 8.7 on the
// loaded one, so that inlining 1,000 blobs would save less than 10 ms and cost a
// second place to look a digest up. What is small, and always wanted together
// with the record, goes into Record.Note.
//
// BenchmarkWarm, 1,000 records and as many blobs, 51 MB in all, took 77 to 81 ms.
//
// One level of fan-out below the kind, not two: 100,000 entries (10 GiB of
// 100 kB blobs) make about 400 files in a directory, which every file system in
// use indexes; with two levels most directories would hold a single file.
//
// Databases (one file, an index, transactions) were not taken because they let
// one process in at a time or need a lock, and a killed process must never leave
// something to repair.
