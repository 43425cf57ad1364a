// Package classfile reads Java class files.
//
// It answers two questions: "what does this class declare?" ([Parse]) and
// "which instructions does this method have, with every operand resolved?"
// ([Decoder.Decode]). Names are those of the file: internal names with slashes
// ("java/lang/Object") and descriptors ("(I)V").
//
// # Rule
//
// The format is that of The Java Virtual Machine Specification, chapter 4; the
// instructions are those of chapter 6. The version of a file is read and never
// judged: attributes and access flags that are not known are passed over, so
// that classes of compilers newer than this package are read as far as they are
// understood. An unknown tag in the constant pool or an unknown opcode is an
// error, because nothing after it can be found.
//
// # What it does not distinguish
//
// Short and wide forms of one instruction: iload_1, iload 1 and wide iload 1
// have the same Op and Local, and every instruction that pushes a constant is
// OpLdc. Insn.Raw has the opcode that was written. Lone surrogates of a string
// are all the replacement character, since the strings of Go are UTF-8.
//
// # Assumptions
//
// Bytes are not trusted: every read is checked against the end, every count
// against the bytes that are left before memory is taken for it, every index
// against the constant pool. Types are trusted: nothing here verifies that the
// operand stack has what an instruction needs. StackMapTable is not read. The
// instructions jsr and ret, which compilers have not made since 2006, make
// Decode fail for the method that has them.
//
// # Invariants
//
//   - Parse either returns a Class or an *Error that names the class and the
//     offset. It takes time linear in the bytes.
//   - Targets of jumps, cases and handlers are indexes of instructions: a jump
//     into the middle of an instruction is an error.
//   - What Parse returns keeps the bytes it was given and never changes them.
//   - The fields of a Class never change after Parse, so any number of
//     goroutines may read them. Decode fills caches of the class and needs it
//     alone.
package classfile
