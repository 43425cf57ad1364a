package model

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Word describes one word of the vocabulary: what the reader allows, what its
// errors list, and what docs/models.md explains.
type Word struct {
	Text    string
	Kind    WordKind
	Form    string // how it is written, with what may be left out in brackets
	Meaning string
	Example string // a row that parses
}

// WordKind groups the vocabulary.
type WordKind uint8

const (
	WordHeader WordKind = iota // begins a line that is not a row
	WordEffect                 // begins an effect
	WordWhole                  // says something of the row as a whole
	WordValue                  // begins a value
	WordFlag                   // follows an effect
)

func (k WordKind) String() string {
	return [...]string{"header", "effect", "whole row", "value", "modifier"}[k]
}

// Vocabulary returns all words in the order of the reference.
func Vocabulary() []Word { return slices.Clone(words[:]) }

var words = [...]Word{
	{"lang", WordHeader, "lang go|java|c", "The language of the symbols that follow.", "lang go"},
	{"package", WordHeader, "package PATH", "The rows below name functions of this Go package, or methods of all classes of this Java package; a path that ends in /... stands for all packages below it.", "package sync"},
	{"class", WordHeader, "class NAME [extends NAME, …]", "The rows below name methods of this Java class or interface, and those of the classes below it that have no code of their own. With extends, models make the class up: its last name begins with $, and rows may make objects of it.", "class java.lang.Thread"},
	{"iface", WordHeader, "iface NAME", "The rows below name methods of this interface; in Go, calls through it do what they say, whoever implements it; in Java it is another word for class.", "iface sync.Locker"},
	{"extends", WordFlag, "class NAME extends NAME, …", "See class.", "class java.util.$SynchronizedList extends java.util.List"},
	{"function", WordHeader, "function NAME METHOD(TYPES) RESULT", "Objects of this Java interface or class are function values: to call one is to call this method of it.", "function java.util.function.Function apply(Object) Object"},
	{"value", WordHeader, "value NAME, …", "Objects of this class or type never change once they are made, and it does not matter which of them one has: nothing races on them, and the analysis does not tell them apart.", "value java.lang.String"},
	{"annotated", WordHeader, "annotated NAME, …", "The rows below are about the methods of a Java program that carry an annotation of this simple name.", "annotated Scheduled"},
	{"define", WordHeader, "define NAME EFFECTS", "Gives a list of effects a name, which later rows of the file may use as an effect.", "define writes  write &recv.$state"},

	{"lock", WordEffect, "lock X [excl|shared] [try] [reentrant] [maybe]", "Takes the lock at address X. With try the result of the call says whether it was taken.", "(*Mutex).TryLock  lock recv excl try"},
	{"unlock", WordEffect, "unlock X [excl|shared] [reentrant] [maybe]", "Gives it back.", "(*RWMutex).RUnlock  unlock recv shared"},
	{"spawn", WordEffect, "spawn F(ARGS) [thread|event|timer|signal|cleanup|test] [many] [maybe] [group X|serial X]", "Starts an origin that runs F. The end of an origin with a group counts as one done of it, and a join of it waits for the origin; origins of one serial group exclude each other.", "AfterFunc  spawn arg2() timer"},
	{"call", WordEffect, "call F(ARGS) [RESULT] [many] [maybe]", "Calls a function value now, in the origin of the caller. The arguments (...) are whatever F takes, fresh.", "Walk  call arg2(string, io/fs.FileInfo, error) error many"},
	{"invoke", WordEffect, "invoke X.M(ARGS) [RESULT] [many] [maybe]", "Calls a method of X now, found by the dynamic type. With maybe, types without the method are skipped; the method * is every exported one. Also after spawn.", "Sort  invoke arg1.Less(int, int) bool many"},
	{"read", WordEffect, "read X [elems] [deep] [maybe]", "Reads what X points to: with elems its elements, with deep all that is reachable.", "Marshal  read arg1 deep"},
	{"write", WordEffect, "write X [elems] [deep] [maybe]", "Writes it.", "ReadFull  write arg2 elems"},
	{"atomic", WordEffect, "atomic load|store|swap|cas|add|and|or X [V [V]] [relaxed|acquire|release|acqrel|seqcst]", "An atomic operation on the cell at address X; its value is the result of the call.", "AddInt32  atomic add arg1 arg2"},
	{"fence", WordEffect, "fence [relaxed|acquire|release|acqrel|seqcst]", "A memory fence.", "barrier  fence seqcst"},
	{"send", WordEffect, "send X V", "Sends V on channel X.", "(*PipeWriter).Write  send recv.$data arg1"},
	{"receive", WordEffect, "receive X", "Receives from channel X; its value is the result of the call.", "(*Queue).Take  receive recv.$items"},
	{"close", WordEffect, "close X", "Closes channel X. Unlike a program's close it may be done again.", "(*Conn).Close  close recv.$done"},
	{"post", WordEffect, "post X", "Signals through X: happens before an await of X that it lets pass.", "(*Latch).Open  post recv"},
	{"await", WordEffect, "await X [maybe] [all]", "Waits for a signal through X; with all, for one through each object that X may be.", "(*Latch).Wait  await recv"},
	{"group", WordEffect, "group add|done|wait X [N]", "Counts work to wait for; add with a number or argument.", "(*WaitGroup).Add  group add recv arg1"},
	{"once", WordEffect, "once X F [RESULT]", "Calls F unless once X has been used; complete when it returns.", "(*Once).Do  once recv arg1"},
	{"join", WordEffect, "join X [maybe]", "Waits for the origins that have X as their group.", "(*Cmd).Wait  join recv"},
	{"condwait", WordEffect, "condwait X [L]", "Waits on condition variable X, whose lock is L: releases L and takes it again.", "(*Cond).Wait  condwait recv recv.L"},
	{"callback", WordEffect, "callback X", "Of Java: calls now the methods that classes of the program override of the type that X, the receiver or an argument, is declared with.", "parse  callback args"},
	{"notify", WordEffect, "notify X [all]", "Wakes one that waits on X, or all.", "(*Cond).Broadcast  notify recv all"},
	{"copy", WordEffect, "copy X Y", "Copies the elements of Y to those of X.", "Copy  copy arg1 arg2"},
	{"return", WordEffect, "return V, V, …", "The results of the call. Without it they are fresh memory of their types.", "NewReader  b = new bufio.Reader; b.rd = arg1; return b"},
	{"if", WordEffect, "if F calls SYMBOL|X is N { EFFECTS } else { EFFECTS }", "Chooses by whether the body of function value F, where it is known, calls SYMBOL itself, or by whether X is a constant.", "(*T).Run  t = new testing.T; if arg2 calls (*testing.T).Parallel { spawn arg2(t) test } else { call arg2(t) }"},
	{"exit", WordEffect, "exit", "Ends the program; deferred calls do not run. Comes last.", "Exit  exit"},
	{"throw", WordEffect, "throw", "Panics, throws or ends the goroutine: deferred calls run, the caller does not go on. Comes last.", "Goexit  throw"},
	{"is", WordFlag, "if X is N { … }", "Chooses by whether argument X is the constant N at the call.", "NewSemaphore  s = new p.S; if arg1 is 1 { s.$lane = s }; return s"},
	{"else", WordFlag, "if … { … } else { … }", "See if.", "(*T).Run  t = new testing.T; if arg2 calls (*testing.T).Parallel { spawn arg2(t) test } else { call arg2(t) }"},
	{"calls", WordFlag, "if F calls SYMBOL { … }", "See if.", "(*T).Run  if arg2 calls (*testing.T).Parallel { spawn arg2(new testing.T) test }"},

	{"opaque", WordWhole, "opaque", "Has no effect but that of the rest of the row; results are fresh memory.", "Sprintf  opaque"},
	{"ignore", WordWhole, "ignore", "Has no effect, and its results point to nothing.", "Background  ignore"},
	{"analyse", WordWhole, "analyse", "Is no model: the function's own code is analysed. Undoes earlier rows.", "HandlerFunc.ServeHTTP  analyse"},
	{"entry", WordWhole, "entry [thread|event|timer|signal|cleanup|test] [many] [serial GLOBAL]", "Of Java: a framework calls the methods of the program that override this one, or carry the annotation: on one object of each class, with many any number at the same time, with serial in one thread. Tests are called one after the other.", "doGet  entry event many"},
	{"threadsafe", WordWhole, "threadsafe", "May be called on one receiver by several origins: effects of the row that read or write the receiver's memory are dropped.", "(*Logger).Printf  write recv; threadsafe"},

	{"recv", WordValue, "recv", "The receiver.", "(*Mutex).Lock  lock recv"},
	{"args", WordValue, "args", "Every argument in turn, the receiver not among them; those that cannot be meant are skipped. In read, write and call only.", "*  read args elems"},
	{"last", WordValue, "last", "The last argument; last[] are the elements of a variadic one.", "Sprint  invoke last[].String() string maybe"},
	{"caller", WordValue, "if caller calls SYMBOL { … }", "The function that makes the call; after if only.", "(*Lock).Try  if caller calls (*Lock).Check { lock recv shared }"},
	{"global", WordValue, "global SYMBOL", "The value of a global variable, which may be made up: $name. Its address is &global SYMBOL.", "Handle  global net/http.$handlers = arg2"},
	{"new", WordValue, "new TYPE [N]", "New memory: the address of a TYPE, or a slice, map or channel (of capacity N).", "After  c = new chan time.Time 1; send c time.Time; return c"},
	{"fresh", WordValue, "fresh", "New memory of the type that is wanted; unknown if the type holds none.", "Clone  return arg1 | fresh"},
	{"alike", WordValue, "alike", "Of Java: the receiver and those arguments that are declared with the type of the result, or new memory of that type.", "append  return alike"},
	{"nil", WordValue, "nil", "Nil.", "Unwrap  return nil"},
	{"box", WordValue, "box V", "V as an interface value.", "WithValue  c = new context.valueCtx; c.Context = arg1; return box c"},
	{"as", WordValue, "V as TYPE", "V, known to be of the type.", "HandleFunc  global net/http.$handlers = box arg2 as net/http.HandlerFunc"},
	{"at", WordValue, "at X", "The value at address X.", "Deref  return at arg1"},
	{"func", WordValue, "func(NAME TYPE, …) RESULT { EFFECTS }", "A function value with these effects.", "OnceFunc  o = new sync.Once; return func() { once o arg1 }"},

	{"excl", WordFlag, "lock X excl", "One holder at a time; the default.", "(*Mutex).Lock  lock recv excl"},
	{"shared", WordFlag, "lock X shared", "Readers share, writers are kept out.", "(*RWMutex).RLock  lock recv shared"},
	{"try", WordFlag, "lock X try", "Does not wait; the result says whether it happened.", "(*Mutex).TryLock  lock recv try"},
	{"reentrant", WordFlag, "lock X reentrant", "The holder may take it again.", "(*Monitor).Enter  lock recv reentrant"},
	{"maybe", WordFlag, "… maybe", "May happen or not: never taken as certain.", "(*Map).Load  await recv maybe; return recv.$value, bool"},
	{"many", WordFlag, "… many", "Happens any number of times; of a spawn: the origin has many instances.", "Map  call arg1(int32) int32 many"},
	{"elems", WordFlag, "read X elems", "The elements of a slice, array, map or container.", "Ints  write arg1 elems"},
	{"deep", WordFlag, "read X deep", "Everything reachable.", "Unmarshal  write arg2 deep"},
	{"all", WordFlag, "notify X all", "All of them; also after await.", "(*Cond).Broadcast  notify recv all"},
	{"serial", WordFlag, "spawn … serial X", "The origin belongs to group X, whose origins exclude each other.", "(*Loop).Post  spawn arg1() event many serial recv"},
	{"thread", WordFlag, "spawn … thread", "A goroutine or thread; the default.", "(*WaitGroup).Go  group add recv 1; spawn arg1() thread group recv"},
	{"event", WordFlag, "spawn … event", "A handler that a framework calls.", "(*Bus).On  spawn arg1() event many"},
	{"timer", WordFlag, "spawn … timer", "Runs when time has passed.", "AfterFunc  spawn arg2() timer"},
	{"signal", WordFlag, "spawn … signal", "Runs when the system says so.", "signal  spawn arg2(int) signal many"},
	{"cleanup", WordFlag, "spawn … cleanup", "A finaliser or the like.", "AddCleanup  spawn arg2(arg3) cleanup"},
	{"test", WordFlag, "spawn … test", "Started by a test framework.", "(*B).RunParallel  g = new sync.WaitGroup; spawn arg1(new testing.PB) test many group g; group wait g"},
}

// orders, atomicKinds and groupKinds are words that only mean something after
// atomic, fence or group.
var (
	orders      = []string{"", "relaxed", "acquire", "release", "acqrel", "seqcst"}
	atomicKinds = []string{"load", "store", "swap", "cas", "add", "and", "or"}
	groupKinds  = []string{"add", "done", "wait"}
	originKinds = []string{"thread", "event", "timer", "signal", "cleanup", "test"}
	languages   = []string{"", "go", "java", "c"} // by ir.Lang
)

// atomicOperands is how many values follow the address, by ir.AtomicKind.
var atomicOperands = [...]int{ir.AtomicLoad: 0, ir.AtomicStore: 1, ir.AtomicSwap: 1, ir.AtomicCAS: 2, ir.AtomicAdd: 1, ir.AtomicAnd: 1, ir.AtomicOr: 1}

var flagWords = map[string]ir.Flags{
	"try":       ir.FlagTry,
	"reentrant": ir.FlagReentrant,
	"maybe":     ir.FlagMaybe,
	"many":      ir.FlagMany,
	"elems":     ir.FlagElems,
	"deep":      ir.FlagDeep,
	"all":       ir.FlagAll,
}

// wordsOf returns the words of one kind, for messages.
func wordsOf(kinds ...WordKind) string {
	var list []string
	for i := range words {
		if slices.Contains(kinds, words[i].Kind) {
			list = append(list, words[i].Text)
		}
	}
	return strings.Join(list, ", ")
}

// isReserved tells whether a word of the vocabulary may not name a value.
func isReserved(s string) bool {
	return slices.ContainsFunc(words[:], func(w Word) bool { return w.Text == s }) ||
		slices.Contains(orders[1:], s) || basicTypes[s] || s == "any" || s == "error" ||
		s == "map" || s == "chan" || s == "struct"
}
