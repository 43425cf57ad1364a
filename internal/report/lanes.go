package report

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

const (
	// MinLanes is the least number of columns on which two lanes can be read.
	MinLanes = 110

	laneMargin = 2 // before the left lane
	laneGap    = 3 // between the lanes
)

// lanes sets the two sides of a finding beside each other: the origin, the way
// from there with the locks taken on it and the source of each step, and last
// what the access does under which locks. Both accesses are on the same row.
func (t *Text) lanes(f *detect.Finding) block {
	width := (max(t.Lanes, MinLanes) - laneMargin - laneGap) / 2
	var ways, ends [2]block
	for i, a := range []*detect.Access{&f.First, &f.Second} {
		ways[i], ends[i] = t.lane(a, width)
	}
	rows := max(len(ways[0]), len(ways[1]))
	for i := range ways {
		for len(ways[i]) < rows {
			ways[i].add()
		}
		ways[i] = append(ways[i], ends[i]...)
	}
	return ways[0].beside(ways[1], width)
}

// lane is one side: the way to the access, and the access.
func (t *Text) lane(a *detect.Access, width int) (way, end block) {
	way.add(span{originName(&a.Origin), strong})
	if a.Origin.Start.IsValid() {
		word := "started at "
		if isEntry(&a.Origin) {
			word = "entered at "
		}
		way.add(span{"  " + word, dim}, text(cutFront(t.Paths.At(a.Origin.Start), width-2-len(word))))
	}
	steps := stepsOf(a)
	for i := range steps {
		s := &steps[i]
		switch {
		case s.last:
		case s.taken != nil:
			way = append(way, laneRow(span{"  + " + lockName(*s.taken), good}, t.Paths.At(s.place), width))
		case !t.Full && len(steps) > headFrames+tailFrames+1 && i >= headFrames && i < len(steps)-tailFrames:
			if i == headFrames {
				way.add(span{"… " + strconv.Itoa(len(steps)-headFrames-tailFrames) + " more", dim})
			}
		default:
			way = append(way, laneRow(text(s.function), t.Paths.At(s.place), width))
			if src, ok := t.sourceLine(s.place); ok {
				way.add(span{"    " + src, dim})
			}
		}
	}
	end = append(end, laneRow(text(a.Function), t.Paths.At(a.Place), width))
	if t.Sources != nil {
		if src, err := t.Sources(a.Place.File); err == nil {
			end = append(end, laneExcerpt(src, a.Place, width-4).indent(4)...)
		}
	}
	end.add(span{a.Word(), strong}, text(", "+t.locks(a.Locks)))
	return way, end
}

// laneRow is what on the left and a place at the right edge.
func laneRow(what span, place string, width int) line {
	place = cutFront(place, width/2)
	what.text = cut(what.text, width-columns(place)-2)
	gap := width - columns(what.text) - columns(place)
	return line{what, text(strings.Repeat(" ", gap)), {place, dim}}
}

// sourceLine returns a line of source without its indentation.
func (t *Text) sourceLine(pl detect.Place) (string, bool) {
	if t.Sources == nil {
		return "", false
	}
	src, err := t.Sources(pl.File)
	if err != nil {
		return "", false
	}
	raw, ok := lineOf(src, pl.Line)
	return strings.TrimSpace(expand(raw)), ok
}

// laneExcerpt is the source line of an access with marks under it, without the
// line number, which the place says. A line that is too long loses its
// beginning if the marked part would not be seen.
func laneExcerpt(src []byte, pl detect.Place, width int) block {
	ex := excerpt(src, pl)
	if len(ex) != 2 {
		return nil
	}
	shown, lead, carets := ex[0][1].text, ex[1][1].text, ex[1][2].text
	if over := columns(lead) + min(columns(carets), width/2) - width + 1; over > 0 {
		runes := []rune(shown)
		dropped := 0
		for len(runes) > 0 && dropped < over+1 {
			dropped += runeColumns(runes[0])
			runes = runes[1:]
		}
		shown = "…" + string(runes)
		lead = lead[:len(lead)-dropped+1]
	}
	var b block
	b.add(text(cut(shown, width)))
	b.add(text(lead), span{carets[:max(0, min(len(carets), width-len(lead)))], mark})
	return b
}
