package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/deadheat/deadheat/internal/driver"
)

const (
	livePeriod  = 100 * time.Millisecond
	plainPeriod = 10 * time.Second
)

// progress shows how far a run has come: on a terminal one line that overwrites
// itself, elsewhere a line every ten seconds.
type progress struct {
	w     io.Writer
	live  bool
	width int
	start time.Time
	stop  chan struct{}
	done  chan struct{}

	mu    sync.Mutex
	event driver.Event // guarded by mu
}

// startProgress begins to show progress in the way that the flag says. It
// returns nil for none; a nil progress can be used.
func (a *app) startProgress(flag string) *progress {
	live := a.interactive(a.Stderr)
	switch flag {
	case "none":
		return nil
	case "plain":
		live = false
	}
	p := &progress{
		w: a.Stderr, live: live, width: terminalWidth(a.Stderr), start: time.Now(),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	period := plainPeriod
	if live {
		period = livePeriod
	}
	go p.run(period)
	return p
}

// note takes an event of the driver.
func (p *progress) note(e driver.Event) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.event = e
}

// end stops the display and clears the line.
func (p *progress) end() {
	if p == nil {
		return
	}
	close(p.stop)
	<-p.done
}

func (p *progress) run(period time.Duration) {
	defer close(p.done)
	tick := time.NewTicker(period)
	defer tick.Stop()
	shown := ""
	for {
		select {
		case <-p.stop:
			if shown != "" && p.live {
				//deadheat:ignore race end waits for the goroutine; its nil check hides that
				fmt.Fprint(p.w, "\r\x1b[K")
			}
			return
		case now := <-tick.C:
			if s := p.line(now.Sub(p.start)); s != shown {
				p.show(s)
				shown = s
			}
		}
	}
}

// line says where the run is, or nothing if it has not begun.
func (p *progress) line(elapsed time.Duration) string {
	p.mu.Lock()
	e := p.event
	p.mu.Unlock()
	if e.Stage == "" {
		return ""
	}
	s := fmt.Sprintf("deadheat: %s %s", elapsed.Truncate(time.Second), e.Stage)
	if e.Total > 0 {
		s += fmt.Sprintf(" %d/%d", e.Done, e.Total)
	}
	return s
}

func (p *progress) show(s string) {
	if !p.live {
		fmt.Fprintln(p.w, s)
		return
	}
	if len(s) >= p.width {
		s = s[:max(0, p.width-1)]
	}
	fmt.Fprint(p.w, "\r\x1b[K"+s)
}
