package racetest

import (
	"fmt"
	"strings"
)

// Floor returns the figures that must not get worse, in the form that
// CheckFloor reads.
func (s *Score) Floor() string {
	return fmt.Sprintf("all found %d alarms %d\nplain found %d alarms %d\n",
		s.All.Found, s.All.Alarms, s.Plain.Found, s.Plain.Alarms)
}

// CheckFloor compares with figures recorded before. The error says what got
// worse.
func (s *Score) CheckFloor(text string) error {
	var worse []string
	seen := 0
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var name string
		var found, alarms int
		if _, err := fmt.Sscanf(line, "%s found %d alarms %d", &name, &found, &alarms); err != nil {
			return fmt.Errorf("line %d: want NAME found N alarms N: %w", n+1, err)
		}
		t, ok := map[string]Tally{"all": s.All, "plain": s.Plain}[name]
		if !ok {
			return fmt.Errorf("line %d: no figures for %q: want all or plain", n+1, name)
		}
		seen++
		if t.Found < found {
			worse = append(worse, fmt.Sprintf("%s: %d races found, were %d", name, t.Found, found))
		}
		if t.Alarms > alarms {
			worse = append(worse, fmt.Sprintf("%s: %d false alarms, were %d", name, t.Alarms, alarms))
		}
	}
	if seen == 0 {
		return fmt.Errorf("there are no figures in it")
	}
	if len(worse) > 0 {
		return fmt.Errorf("worse than recorded: %s", strings.Join(worse, "; "))
	}
	return nil
}
