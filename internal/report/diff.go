package report

import (
	"github.com/deadheat/deadheat/internal/detect"
)

// Compare marks the findings of a revision as introduced or preexisting by
// those of an earlier one, and appends those that were fixed.
//
// Findings below the confidence least are not seen in the earlier revision: a
// change that turns a doubt into a certainty introduces a finding. One that was
// suppressed before and is not any more was introduced by removing the comment.
func Compare(now, old []detect.Finding, least detect.Confidence, before, after Functions) []detect.Finding {
	match := Match(Identities(old), Identities(now), before, after)
	still := make([]bool, len(old))
	for i := range now {
		f := &now[i]
		f.State = detect.Introduced
		if k := match[i]; k >= 0 {
			still[k] = true
			if was := &old[k]; was.Confidence >= least && (was.Suppression == nil || f.Suppression != nil) {
				f.State = detect.Preexisting
			}
		}
	}
	out := now
	for k := range old {
		if f := old[k]; !still[k] && f.Confidence >= least && f.Suppression == nil {
			f.State = detect.Fixed
			out = append(out, f)
		}
	}
	return out
}
