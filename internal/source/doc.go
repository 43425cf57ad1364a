// Package source converts between the notations for places in a source text,
// for all languages and for the editor. It answers "which line and column is
// this offset?", "what does the editor call this column?" and "what does this
// line say?".
//
// Three notations are in use:
//
//   - offset: number of bytes before the place, from 0;
//   - line and column: both from 1, the column in bytes, as compilers print
//     them. This is the notation of IR and reports;
//   - UTF-16 column: number of UTF-16 code units before the place in its line,
//     from 0, as the Language Server Protocol has it by default. Its lines
//     count from 0 too; here they count from 1 throughout, and the one who
//     speaks the protocol subtracts.
//
// Everything is a pure function of the bytes given. No file is read here.
//
// # What it does not distinguish
//
// A line ends with "\n" or "\r\n". A lone "\r" is an ordinary character, though
// Java and the protocol take it for the end of a line. A column within a character
// stands for the character's beginning. A byte that is not part of valid UTF-8 is
// a character of its own, one unit long. A byte order mark at the start of the
// text takes three bytes and no UTF-16 units, as editors do not show it.
//
// # Invariants
//
// No argument makes a function panic: places come from debug information and
// editors, and may not fit the text at hand. For every offset within the text,
// Offset(LineCol(offset)) is that offset again.
package source
