package revision

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

// Config says how a revision is analysed.
type Config struct {
	Driver  driver.Config // for the user's working tree
	Program string        // names the program and everything in it that can change a result
	// Analyse is driver.Check, or shows progress around it.
	Analyse func(context.Context, driver.Config) (*driver.Result, error)
}

// Outcome says how a snapshot came about.
type Outcome struct {
	Cached bool
	Note   string // what was taken for granted, or ""
}

// Findings returns the findings of a revision.
func (r *Repo) Findings(ctx context.Context, rev Revision, cfg Config) (*Snapshot, Outcome, error) {
	key, err := r.key(ctx, rev.Tree, cfg)
	if err != nil {
		return nil, Outcome{}, err
	}
	if s := r.load(cfg.Driver.Store, key); s != nil {
		return s, Outcome{Cached: true}, nil
	}
	s, note, err := r.analyse(ctx, rev, cfg, key)
	return s, Outcome{Note: note}, err
}

// Keep remembers the result of the user's working tree, which must be that of
// rev, for the time when it is the base of a comparison.
func (r *Repo) Keep(ctx context.Context, rev Revision, cfg Config, res *driver.Result) error {
	if !res.Complete() {
		return nil
	}
	key, err := r.key(ctx, rev.Tree, cfg)
	if err != nil {
		return err
	}
	data, err := r.encode(res, r.root)
	if err != nil {
		return err
	}
	return save(cfg.Driver.Store, key, data)
}

func (r *Repo) load(s *store.Store, key store.Key) *Snapshot {
	rec, ok := s.GetAction(key)
	if !ok || len(rec.Blobs) != 1 {
		return nil
	}
	data, ok := s.Get(rec.Blobs[0])
	if !ok {
		return nil
	}
	snap, err := r.decode(data)
	if err != nil {
		return nil
	}
	return snap
}

func save(s *store.Store, key store.Key, data []byte) error {
	digest, err := s.Put(data)
	if err != nil {
		return err
	}
	return s.PutAction(key, store.Record{Blobs: []store.Digest{digest}})
}

// analyse analyses a revision in a working tree of its own.
func (r *Repo) analyse(ctx context.Context, rev Revision, cfg Config, key store.Key) (snap *Snapshot, note string, err error) {
	tree, remove, err := r.checkOut(ctx, rev.Commit)
	if err != nil {
		return nil, "", err
	}
	defer func() {
		if rerr := remove(); err == nil {
			err = rerr
		}
	}()
	there := cfg.Driver
	there.Dir = filepath.Join(tree, filepath.FromSlash(r.prefix))
	there.Targets = nil
	for _, t := range cfg.Driver.Targets {
		if rel, ok := r.relative(r.root, t); ok && filepath.IsAbs(t) {
			t = filepath.Join(tree, filepath.FromSlash(rel))
		}
		there.Targets = append(there.Targets, t)
	}
	if _, err := os.Stat(there.Dir); err != nil {
		return &Snapshot{}, r.prefix + " is not in it, so it is taken to have no findings", nil
	}
	res, err := cfg.Analyse(ctx, there)
	var usage *driver.UsageError
	switch {
	case errors.As(err, &usage):
		// The packages named, or the module, are newer than the revision.
		return &Snapshot{}, "it is taken to have no findings: " + strings.ReplaceAll(err.Error(), tree, r.root), nil
	case err != nil:
		return nil, "", err
	}
	data, err := r.encode(res, tree)
	if err != nil {
		return nil, "", err
	}
	if res.Complete() {
		if err := save(cfg.Driver.Store, key, data); err != nil {
			note = err.Error()
		}
	}
	snap, err = r.decode(data)
	if err != nil {
		return nil, "", err
	}
	for _, s := range res.NotAnalysed {
		if rel, ok := r.relative(tree, s.Place.File); ok && s.Place.File != "" {
			s.Place.File = filepath.ToSlash(filepath.Join(r.root, rel))
		}
		s.Reason = strings.ReplaceAll(s.Reason, tree, r.root)
		snap.NotAnalysed = append(snap.NotAnalysed, s)
	}
	return snap, note, nil
}

// key names the work of analysing a tree with the given settings.
func (r *Repo) key(ctx context.Context, tree string, cfg Config) (store.Key, error) {
	b := store.NewKey(snapshotVersion)
	b.Text(cfg.Program)
	b.Text(tree)
	b.Text(r.prefix)
	d := &cfg.Driver
	b.Texts(d.Targets)
	b.Texts(d.Tags)
	b.Bool(d.NoTests)
	b.Int(int64(d.Mode))
	b.Bool(d.Sound)
	b.Int(int64(d.Depth))
	b.Texts(d.Entries)
	b.Int(int64(len(d.Models)))
	for _, name := range d.Models {
		data, err := os.ReadFile(name)
		if err != nil {
			return store.Key{}, &driver.UsageError{Err: err}
		}
		b.Digest(store.Sum(data))
	}
	toolchain, err := goEnv(ctx, d.Dir)
	if err != nil {
		return store.Key{}, err
	}
	b.Text(toolchain)
	return b.Sum(), nil
}

// goEnv returns what of the Go toolchain and its settings chooses files and
// modules.
func goEnv(ctx context.Context, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "CGO_ENABLED", "GOEXPERIMENT", "GOAMD64", "GOARM64")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return "", &driver.UsageError{Err: errors.New("go env: " + strings.TrimSpace(string(exit.Stderr)))}
		}
		return "", &driver.UsageError{Err: err}
	}
	return string(out) + os.Getenv("GOWORK"), nil
}
