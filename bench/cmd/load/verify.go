package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/deadheat/deadheat/internal/frontend/golang"
	"github.com/deadheat/deadheat/internal/ir"
)

// counters say how much there is in a corpus. They do not depend on the
// machine.
type counters struct {
	units, functions, instructions, bytes int
}

func (c *counters) String() string {
	return fmt.Sprintf("%d units, %d functions, %d instructions, %d bytes", c.units, c.functions, c.instructions, c.bytes)
}

func (c *counters) add(d counters) {
	c.units += d.units
	c.functions += d.functions
	c.instructions += d.instructions
	c.bytes += d.bytes
}

// countUnit counts one unit. Functions are those with code.
func countUnit(u *ir.Unit, size int) (counters, error) {
	c := counters{units: 1, bytes: size}
	for id := range u.Funcs {
		body, err := u.Body(ir.FuncID(id))
		if err != nil {
			return c, err
		}
		if body != nil {
			c.functions++
			c.instructions += len(body.Instrs)
		}
	}
	return c, nil
}

// count prints the counters of a program.
func count(ctx context.Context, dir, pkg, cache string) error {
	return eachUnit(ctx, dir, pkg, cache, nil)
}

// verify checks every function of a program, and that its text means the
// same.
func verify(ctx context.Context, dir, pkg, cache string) error {
	return eachUnit(ctx, dir, pkg, cache, verifyUnit)
}

// verifyUnit checks a unit and compares it with what its text says.
func verifyUnit(u *ir.Unit, encoded []byte) error {
	if err := ir.Check(u); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := ir.Print(&text, u); err != nil {
		return err
	}
	parsed, err := ir.Parse(u.Path, text.String())
	if err != nil {
		return fmt.Errorf("its text cannot be read: %w", err)
	}
	if bytes.Equal(ir.Encode(parsed), encoded) {
		return nil
	}
	var again bytes.Buffer
	if err := ir.Print(&again, parsed); err != nil {
		return err
	}
	return fmt.Errorf("its text means something else: %s", firstDifference(text.String(), again.String()))
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d: %q, not %q", i+1, as[i], bs[i])
		}
	}
	return "one text is longer, or they are the same and the encodings differ"
}

// unitFailure is what is wrong with a unit.
type unitFailure struct {
	path string
	err  error
}

// eachUnit loads a program and prints its counters. If f is not nil, it is
// called for each unit, several at a time, and what it found wrong is printed
// too.
func eachUnit(ctx context.Context, dir, pkg, cache string, f func(*ir.Unit, []byte) error) error {
	res, err := loadUnits(ctx, dir, pkg, cache)
	if err != nil {
		return err
	}
	var (
		mu       sync.Mutex
		sum      counters      // guarded by mu
		failures []unitFailure // guarded by mu
		wg       sync.WaitGroup
	)
	next := make(chan *golang.Package)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for p := range next {
				c, err := oneUnit(p.Encoded(), f)
				mu.Lock()
				sum.add(c)
				if err != nil {
					failures = append(failures, unitFailure{p.String(), err})
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range res.Packages {
		if p.Encoded() != nil {
			next <- p
		}
	}
	close(next)
	wg.Wait()
	if f == nil && len(failures) == 0 {
		fmt.Println(&sum)
		return nil
	}
	fmt.Printf("%s, %d failures\n", &sum, len(failures))
	slices.SortFunc(failures, func(a, b unitFailure) int { return cmp.Compare(a.path, b.path) })
	for _, x := range failures {
		fmt.Printf("%s: %v\n", x.path, x.err)
	}
	if len(failures) > 0 {
		return fmt.Errorf("%d units are not as they should be", len(failures))
	}
	return nil
}

// oneUnit decodes, counts and checks a unit.
func oneUnit(encoded []byte, f func(*ir.Unit, []byte) error) (counters, error) {
	u, err := ir.Decode(encoded)
	if err != nil {
		return counters{}, err
	}
	c, err := countUnit(u, len(encoded))
	if err != nil || f == nil {
		return c, err
	}
	return c, f(u, encoded)
}
