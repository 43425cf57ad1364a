// Package process measures what a child process costs.
//
// It answers: how much processor time, wall-clock time and memory did this
// command take, together with the commands it ran itself?
//
// Processor time is user plus system time as the operating system accounts for
// it, of the process and of the children it waited for. Peak memory is the
// largest resident set of any one of these processes, not their sum. Systems
// that do not tell report 0.
package process
