package jvm

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Suppression is something in a source or class file that takes findings out
// of those that count: a comment, which governs lines, or an annotation, which
// governs a class, method or field.
type Suppression struct {
	Comment string // the text of a comment that begins with deadheat:, without its marks; "" for annotations
	Reason  string // of an annotation
	Rules   string // of an annotation: a list with commas, or "" for all

	Line, Col int    // where it is; 0 if it comes from a class file
	EndLine   int    // of an annotation in source: the last line of what it governs
	Symbol    string // of an annotation: the class, method or field it governs, where lines do not say it
	Foreign   bool   // meant for other tools as well: not being needed is no news
}

// ownWord is how annotations name deadheat: @SuppressWarnings("deadheat"), or
// "deadheat:race" for one rule.
const ownWord = "deadheat"

// raceWords are names by which other tools call unsynchronised access: bug
// patterns and the category of SpotBugs, and checks of Error Prone and Infer.
var raceWords = []string{
	"MT_CORRECTNESS", "IS", "IS2_INCONSISTENT_SYNC", "IS_INCONSISTENT_SYNC", "IS_FIELD_NOT_GUARDED", "UG_SYNC_SET_UNSYNC_GET",
	"VO_VOLATILE_INCREMENT", "LI_LAZY_INIT_STATIC", "LI_LAZY_INIT_UPDATE_STATIC", "LI_LAZY_INIT_INSTANCE", "DC_DOUBLECHECK", "DC_PARTIALLY_CONSTRUCTED",
	"MSF_MUTABLE_SERVLET_FIELD", "SSD_DO_NOT_USE_INSTANCE_LOCK_ON_SHARED_STATIC_DATA", "STCAL_STATIC_CALENDAR_INSTANCE",
	"STCAL_STATIC_SIMPLE_DATE_FORMAT_INSTANCE", "STCAL_INVOKE_ON_STATIC_CALENDAR_INSTANCE", "STCAL_INVOKE_ON_STATIC_DATE_FORMAT_INSTANCE",
	"AT_OPERATION_SEQUENCE_ON_CONCURRENT_ABSTRACTION", "AT_NONATOMIC_OPERATIONS_ON_SHARED_VARIABLE", "AT_NONATOMIC_64BIT_PRIMITIVE",
	"AT_STALE_THREAD_WRITE_OF_PRIMITIVE", "AT_UNSAFE_RESOURCE_ACCESS_IN_THREAD",
	"GuardedBy", "NonAtomicVolatileUpdate", "DoubleCheckedLocking", "THREAD_SAFETY_VIOLATION", "GUARDEDBY_VIOLATION",
}

// meant finds out whether words of an annotation speak of races, and of which
// rules; foreign is false if they name deadheat.
func meant(words []string) (rules string, foreign, ok bool) {
	var list []string
	for _, w := range words {
		switch rule, own := strings.CutPrefix(w, ownWord+":"); {
		case w == ownWord:
			return "", false, true
		case own:
			list = append(list, strings.TrimSpace(rule))
		case slices.Contains(raceWords, w):
			foreign = true
		}
	}
	if len(list) > 0 {
		return strings.Join(list, ","), false, true
	}
	return "", foreign, foreign
}

// ClassSuppressions returns what the annotations in a class file say:
// @SuppressFBWarnings is kept there, @SuppressWarnings is not.
func ClassSuppressions(u *ir.Unit) []Suppression {
	var list []Suppression
	for _, a := range u.Annotations {
		args, ok := strings.CutPrefix(a.Text, "SuppressFBWarnings")
		if !ok || args != "" && args[0] != '(' {
			continue
		}
		words, reason := annotationWords(args)
		rules, foreign, ok := meant(words)
		if !ok && len(words) > 0 {
			continue // about something else; without any word it is about everything
		}
		if reason == "" {
			reason = "@" + a.Text
		}
		list = append(list, Suppression{Rules: rules, Reason: reason, Symbol: a.Target, Foreign: foreign || !ok})
	}
	return list
}

// annotationWords takes apart what annotationText wrote: the strings of
// SuppressFBWarnings, but for the justification.
func annotationWords(args string) (words []string, reason string) {
	for args != "" {
		i := strings.IndexByte(args, '"')
		if i < 0 {
			break
		}
		before := args[:i]
		quoted, err := strconv.QuotedPrefix(args[i:])
		if err != nil {
			break
		}
		args = args[i+len(quoted):]
		word, err := strconv.Unquote(quoted)
		if err != nil {
			continue
		}
		if strings.HasSuffix(before, "justification=") {
			reason = word
		} else {
			words = append(words, word)
		}
	}
	return words, reason
}
