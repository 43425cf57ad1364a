package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Repo is a git repository with a working tree.
type Repo struct {
	dir    string // the user's directory in it
	root   string // of the working tree, spelt as dir is
	prefix string // of dir below root, slash-separated, or ""
}

// Revision is a commit.
type Revision struct {
	Name   string // for people
	Commit string
	Tree   string
}

// Open returns the repository that a directory is in.
func Open(ctx context.Context, dir string) (*Repo, error) {
	r := &Repo{dir: dir}
	if _, err := exec.LookPath("git"); err != nil {
		return nil, errors.New("git was not found: comparing revisions needs git in the PATH and the code in a git repository")
	}
	out, err := r.git(ctx, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			return nil, fmt.Errorf("%s is not in a git repository: there is no other revision to compare with (deadheat check analyses what is there; git init begins a repository)", dir)
		}
		return nil, err
	}
	root, prefix, _ := strings.Cut(out, "\n")
	r.prefix = strings.TrimSuffix(prefix, "/")
	r.root = filepath.FromSlash(root)
	// Git resolves symbolic links in the root; findings have the directory as the
	// user names it.
	if up, ok := strings.CutSuffix(filepath.ToSlash(dir), "/"+r.prefix); ok && r.prefix != "" {
		r.root = filepath.FromSlash(up)
	} else if r.prefix == "" {
		r.root = dir
	}
	return r, nil
}

// endTime is how long git may take to end when it is asked to.
const endTime = 5 * time.Second

// git runs git in the user's directory and returns its output without the last
// line end. The error says what git said.
func (r *Repo) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = cleanEnv(os.Environ())
	// Git cleans up after itself when it is asked to end, not when it is killed.
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = endTime
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		said := strings.TrimSpace(stderr.String())
		if said == "" {
			said = err.Error()
		}
		return "", fmt.Errorf("git %s: %s", args[0], said)
	}
	return strings.TrimSuffix(stdout.String(), "\n"), nil
}

// cleanEnv drops what git sets for its hooks: it names the repository and the
// index of the command that runs the hook, and would make ours work on them.
func cleanEnv(env []string) []string {
	var out []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH", "GIT_IMPLICIT_WORK_TREE", "LC_ALL", "LANGUAGE":
			continue
		}
		out = append(out, e)
	}
	return append(out, "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
}

// defaultBranches are where work is usually merged to, most telling first.
var defaultBranches = []string{"origin/HEAD", "origin/main", "origin/master", "main", "master"}

// Base returns the revision to compare with. Without a name it is where the
// present work left the default branch. A name with ... behind it means where
// the present work left that.
func (r *Repo) Base(ctx context.Context, name string) (Revision, error) {
	if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}"); err != nil {
		return Revision{}, fmt.Errorf("the repository has no commit yet: there is nothing to compare with")
	}
	if name == "" {
		for _, b := range defaultBranches {
			if _, err := r.git(ctx, "rev-parse", "--verify", "--quiet", b+"^{commit}"); err == nil {
				return r.mergeBase(ctx, b)
			}
		}
		return Revision{}, fmt.Errorf("cannot tell the default branch: there is none of %s; name the base with --base REV", strings.Join(defaultBranches, ", "))
	}
	if branch, ok := strings.CutSuffix(name, "..."); ok {
		return r.mergeBase(ctx, branch)
	}
	return r.resolve(ctx, name, name)
}

// mergeBase returns the commit at which HEAD and a branch parted.
func (r *Repo) mergeBase(ctx context.Context, branch string) (Revision, error) {
	if _, err := r.resolve(ctx, branch, branch); err != nil {
		return Revision{}, err
	}
	commit, err := r.git(ctx, "merge-base", "HEAD", branch)
	if err != nil || commit == "" {
		if ctx.Err() != nil {
			return Revision{}, ctx.Err()
		}
		return Revision{}, r.missing(ctx, fmt.Sprintf("HEAD and %s have no commit in common", branch))
	}
	return r.resolve(ctx, commit, branch)
}

// resolve finds the commit and tree that a revision stands for. shown is its
// name for people.
func (r *Repo) resolve(ctx context.Context, rev, shown string) (Revision, error) {
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", rev+"^{commit}")
	if err == nil {
		var tree string
		if tree, err = r.git(ctx, "rev-parse", "--verify", "--quiet", commit+"^{tree}"); err == nil {
			return Revision{shown, commit, tree}, nil
		}
	}
	if ctx.Err() != nil {
		return Revision{}, ctx.Err()
	}
	return Revision{}, r.missing(ctx, fmt.Sprintf("the repository has no revision %s", shown))
}

// missing explains why a commit is not there.
func (r *Repo) missing(ctx context.Context, what string) error {
	if shallow, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && shallow == "true" {
		return fmt.Errorf("%s: this is a shallow clone, which lacks history; run git fetch --unshallow, or git fetch --deepen=100, "+
			"and try again (for GitHub's actions/checkout: fetch-depth: 0)", what)
	}
	return fmt.Errorf("%s; git fetch brings what a remote has, and --base REV names another revision", what)
}

// Head returns the commit that is checked out, if the working tree is the same
// as far as an analysis can tell.
func (r *Repo) Head(ctx context.Context) (rev Revision, clean bool) {
	rev, err := r.resolve(ctx, "HEAD", "HEAD")
	if err != nil {
		return rev, false
	}
	if _, err := r.git(ctx, "diff", "--quiet", "HEAD", "--", ":/"); err != nil {
		return rev, false
	}
	// Ignored files count: they are analysed here and would be missing elsewhere.
	others, err := r.git(ctx, "ls-files", "--others", "--", ":/*.go", ":/*.s", ":/*.c", ":/*.h",
		":/*go.mod", ":/*go.work", ":/*vendor/modules.txt", ":/*deadheat.models")
	return rev, err == nil && others == ""
}

// relative returns the path of a file below a root, slash-separated.
func (r *Repo) relative(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, filepath.FromSlash(file))
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// checkOut makes a working tree of a commit in a new directory. remove takes it
// away again, also after ctx was cancelled.
func (r *Repo) checkOut(ctx context.Context, commit string) (dir string, remove func() error, err error) {
	parent, err := os.MkdirTemp("", "deadheat-")
	if err != nil {
		return "", nil, err
	}
	// The go command reports files by their resolved names.
	if resolved, err := filepath.EvalSymlinks(parent); err == nil {
		parent = resolved
	}
	dir = filepath.Join(parent, filepath.Base(r.root))
	after := context.WithoutCancel(ctx)
	remove = func() error {
		// Twice, since one that was not finished is locked.
		_, gitErr := r.git(after, "worktree", "remove", "--force", "--force", dir)
		err := os.RemoveAll(parent)
		if gitErr != nil {
			// Nothing is noted of one that is gone, unless it is locked. That it was
			// not locked, or not even begun, is no error.
			r.git(after, "worktree", "unlock", dir)
			_, gitErr = r.git(after, "worktree", "prune")
		}
		return errors.Join(err, gitErr)
	}
	if _, err := r.git(ctx, "worktree", "add", "--quiet", "--detach", dir, commit); err != nil {
		return "", nil, errors.Join(err, remove())
	}
	return dir, remove, nil
}
