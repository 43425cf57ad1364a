package detect

// Confidence says how sure the analysis is that a finding is a race.
type Confidence uint8

const (
	Low    Confidence = iota
	Medium            // shown by default; some step is a likely guess, and said
	High              // a person would fix it today
)

func (c Confidence) String() string { return [...]string{"low", "medium", "high"}[c] }

// Finding is one race: two accesses to the same memory, at least one of them a
// write, that no lock excludes and no order separates. It is plain data:
// everything a report prints is here.
type Finding struct {
	Rule        string // an ID of the rule catalogue
	Confidence  Confidence
	Fingerprint string // of symbols and paths, never of lines
	What        string // the memory in the program's own words: "counter", "(*Server).conns", "elements of buf"
	Type        string // its type, where known
	Object      Object
	First       Access // the side to look at first: a write if there is one
	Second      Access
	Reasons     []Reason
	Fix         string       // what would mend it, where that is clear
	Suppression *Suppression // why it does not count, or nil
	State       State        // by comparison with earlier findings
	Programs    []string     // of programs that are analysed as one: those that come to both sides
}

// Suppression is a comment in the source that takes a finding out of those
// that count.
type Suppression struct {
	Reason string
	Place  Place // of the comment
}

// State says how a finding compares with those of a baseline or of another
// revision.
type State uint8

const (
	Uncompared  State = iota
	Introduced        // not among the earlier ones
	Preexisting       // among them
	Fixed             // among them, and no longer found
)

func (s State) String() string {
	return [...]string{"", "introduced", "preexisting", "fixed"}[s]
}

// Counts tells whether someone has to act on the finding: it is there now, was
// not there before, and nobody said to ignore it.
func (f *Finding) Counts() bool {
	return f.Suppression == nil && f.State != Preexisting && f.State != Fixed
}

// Object says which memory it is and where it comes from.
type Object struct {
	Kind  string // "global", "heap", "local", "map", "channel", …
	Name  string // the variable, where there is one
	Place Place  // of the declaration or allocation
}

// Access is one side of a Finding.
type Access struct {
	Kind     AccessKind
	Op       string // what it does with a channel, lock or group that is itself accessed, such as "close"; "" for data
	Place    Place
	Function string // as a person writes it, e.g. "(*Server).Serve"
	Symbol   string // its symbol
	Locks    []HeldLock
	Origin   OriginRef
	Trace    []Frame // from the origin's entry to the access; the last frame is the access
}

// Word says what the access does.
func (a *Access) Word() string {
	if a.Op != "" {
		return a.Op
	}
	return a.Kind.String()
}

// Act says what the access does, so that the memory can follow.
func (a *Access) Act() string {
	switch a.Op {
	case "send", "wait":
		return a.Op + " on"
	case "add":
		return a.Op + " to"
	}
	return a.Word() + " of"
}

// Clash says what the two sides do to each other, so that the second can follow.
func (f *Finding) Clash() string {
	if f.Rule == RuleMisuse {
		return "may run at the same time as"
	}
	return "races with"
}

// AccessKind is what an access does.
type AccessKind uint8

const (
	Read AccessKind = iota
	Write
	AtomicRead
	AtomicWrite
)

func (k AccessKind) String() string {
	return [...]string{"read", "write", "atomic read", "atomic write"}[k]
}

// Writes tells whether the access may change memory.
func (k AccessKind) Writes() bool { return k == Write || k == AtomicWrite }

// Atomic tells whether the access is indivisible.
func (k AccessKind) Atomic() bool { return k >= AtomicRead }

// HeldLock is a lock surely held at an access.
type HeldLock struct {
	Name     string // "s.mu"
	Shared   bool   // held for reading only
	Apart    string // which one it is, if the other side holds another lock of the same name
	Place    Place  // where it was taken
	Function string // in which, as a Frame names it; "" if not known
}

// OriginRef names the origin an access runs in.
type OriginRef struct {
	Kind  string // "main", "init", "goroutine", "timer", …
	Name  string // the entry function
	Start Place  // of the spawn, or of the entry function where nothing spawns it
	Many  bool   // several instances may run at once
}

// Frame is one step of a trace: in Function, at Place, the next frame's
// function is called or, in the last frame, the access is made.
type Frame struct {
	Function string
	Place    Place
}

// Place is a range in a source file. File is as the front end recorded it.
type Place struct {
	File    string
	Line    int
	Col     int
	EndLine int
	EndCol  int
}

// IsValid tells whether p names a place.
func (p Place) IsValid() bool { return p.Line > 0 }

// Reason is one link of the argument for a finding. Kind is a stable word,
// Text the sentence shown.
type Reason struct {
	Kind  string // "concurrent", "same-memory", "no-common-lock", "lowers", …
	Text  string
	Place Place
}
