package cli

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

func (a *app) cacheCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Look after the cache",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("cache: unknown command %q; want dir, stat, trim or verify", args[0])
			}
			return usagef("cache: want one of dir, stat, trim, verify")
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(a.cacheDirCommand(), a.cacheStatCommand(), a.cacheTrimCommand(), a.cacheVerifyCommand())
	return cmd
}

// cacheSub makes a command that works on an open cache.
func (a *app) cacheSub(name, short string, run func(*store.Store) error) *cobra.Command {
	var cache, dir string
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			work, err := workDir(dir)
			if err != nil {
				return err
			}
			where, _, err := a.cacheDir(work, cache)
			if err == nil && where == "" {
				err = fmt.Errorf("cache %s: the cache is off", name)
			}
			var s *store.Store
			if err == nil {
				s, err = store.Open(where)
			}
			if err != nil {
				return &driver.UsageError{Err: err}
			}
			return run(s)
		},
	}
	addCache(cmd.Flags(), &cache)
	addDir(cmd.Flags(), &dir)
	return cmd
}

func (a *app) cacheDirCommand() *cobra.Command {
	return a.cacheSub("dir", "Print the directory of the cache", func(s *store.Store) error {
		_, err := fmt.Fprintln(a.Stdout, s.Dir())
		return err
	})
}

func (a *app) cacheStatCommand() *cobra.Command {
	return a.cacheSub("stat", "Say what the cache holds", func(s *store.Store) error {
		u, err := s.Stat()
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Stdout, "directory  %s\n", s.Dir())
		fmt.Fprintf(a.Stdout, "records    %d (%s)\n", u.Records, byteSize(u.RecordBytes))
		fmt.Fprintf(a.Stdout, "blobs      %d (%s)\n", u.Blobs, byteSize(u.BlobBytes))
		if u.Temps > 0 {
			fmt.Fprintf(a.Stdout, "left over  %d (%s)\n", u.Temps, byteSize(u.TempBytes))
		}
		if !u.Oldest.IsZero() {
			fmt.Fprintf(a.Stdout, "last used  from %s to %s\n", u.Oldest.Format(time.DateOnly), u.Newest.Format(time.DateOnly))
		}
		return nil
	})
}

func (a *app) cacheTrimCommand() *cobra.Command {
	var size string
	var age time.Duration
	cmd := a.cacheSub("trim", "Remove what was not used for long", func(s *store.Store) error {
		limit, err := parseSize(size)
		if err != nil {
			return usagef("--max-size %s: %v", size, err)
		}
		t, err := s.Trim(limit, age)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Stdout, "removed  %d (%s)\n", t.Removed, byteSize(t.RemovedBytes))
		fmt.Fprintf(a.Stdout, "kept     %d (%s)\n", t.Kept, byteSize(t.KeptBytes))
		return nil
	})
	cmd.Flags().StringVar(&size, "max-size", byteSize(store.DefaultMaxBytes), "trim to this `SIZE`; 0 removes everything")
	cmd.Flags().DurationVar(&age, "max-age", store.DefaultMaxAge, "remove what was not used for longer than this `TIME`")
	return cmd
}

func (a *app) cacheVerifyCommand() *cobra.Command {
	return a.cacheSub("verify", "Read everything and remove what is damaged", func(s *store.Store) error {
		v, err := s.Verify()
		if err != nil {
			return err
		}
		for _, p := range v.Problems {
			what := "left alone"
			if p.Removed {
				what = "removed"
			}
			fmt.Fprintf(a.Stdout, "%s: %v (%s)\n", p.Path, p.Err, what)
		}
		fmt.Fprintf(a.Stdout, "read     %d records, %d blobs (%s)\n", v.Records, v.Blobs, byteSize(v.Bytes))
		fmt.Fprintf(a.Stdout, "damaged  %d\n", v.Corrupt)
		if v.Dangling > 0 {
			fmt.Fprintf(a.Stdout, "dangling %d records name a blob that is gone; their work will be done again\n", v.Dangling)
		}
		if n := len(v.Problems); n > 0 {
			a.code = exitFindings
		}
		return nil
	})
}

var sizeUnits = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// byteSize writes a length for people.
func byteSize(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.bytes {
			if n%u.bytes == 0 {
				return fmt.Sprintf("%d%s", n/u.bytes, u.name)
			}
			return fmt.Sprintf("%.1f%s", float64(n)/float64(u.bytes), u.name)
		}
	}
	return "0B"
}

// parseSize reads what byteSize writes, or a plain number of bytes.
func parseSize(s string) (int64, error) {
	number, factor := strings.TrimSpace(s), int64(1)
	for _, u := range sizeUnits {
		if rest, ok := strings.CutSuffix(number, u.name); ok {
			number, factor = rest, u.bytes
			break
		}
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(f >= 0 && f*float64(factor) <= 1<<62) {
		return 0, fmt.Errorf("want a size such as 500MiB or 2GiB")
	}
	return int64(f * float64(factor)), nil
}
