// Package revision reads files of a Git revision, named as Git names them: main:openapi.yaml, HEAD~2:api/openapi.yaml,
// v1.2.0:./openapi.yaml. It runs git without a shell, and git runs nothing else.
package revision

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"strings"
)

// Files are the files of a commit.
type Files struct {
	// Prefix is what precedes a path in messages: "main:".
	Prefix string

	commit string // its hash
	root   string // the top directory of the working tree
}

// Cut returns the revision and the path of a name such as main:openapi.yaml. It returns false for other names: URLs,
// files that exist, and paths of Windows.
func Cut(name string) (revision, file string, ok bool) {
	revision, file, ok = strings.Cut(name, ":")
	if !ok || len(revision) < 2 || file == "" || strings.HasPrefix(file, "//") {
		return "", "", false
	}
	if _, err := os.Lstat(name); err == nil {
		return "", "", false
	}
	return revision, file, true
}

// Open returns the files of a revision in the repository of the working directory, and the path of a file in it from
// its top. As in Git, a path that begins with ./ or ../ is one from the working directory.
func Open(ctx context.Context, revision, file string) (*Files, string, error) {
	// The result is a hash, which no later command can mistake for an option.
	commit, err := git(ctx, ".", "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if _, missing := errors.AsType[*exec.ExitError](err); missing {
		top, errTop := git(ctx, ".", "rev-parse", "--show-toplevel")
		if errTop != nil || top == "" {
			return nil, "", fmt.Errorf("%q: the working directory is in no Git repository", revision+":"+file)
		}
		return nil, "", fmt.Errorf("%q: the repository has no revision %q", revision+":"+file, revision)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%q: git: %w", revision+":"+file, err)
	}
	root, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, "", fmt.Errorf("%q: %w", revision+":"+file, err)
	}
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		below, err := git(ctx, ".", "rev-parse", "--show-prefix")
		if err != nil {
			return nil, "", fmt.Errorf("%q: %w", revision+":"+file, err)
		}
		file = path.Join(below, file)
	}
	return &Files{Prefix: revision + ":", commit: commit, root: root}, path.Clean(file), nil
}

// Name returns the name of a file in messages: main:openapi.yaml.
func (f *Files) Name(file string) string { return f.Prefix + file }

// Read returns the content of a file, of at most the given number of bytes and one.
func (f *Files) Read(ctx context.Context, file string, most int) (string, error) {
	text, err := output(ctx, f.root, most+1, "cat-file", "blob", f.commit+":"+file)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		if strings.Contains(string(failed.Stderr), "bad file") {
			return "", errors.New("the revision has a directory of that name")
		}
		return "", errors.New("the revision has no such file")
	}
	return text, err
}

// git returns the line that a git command prints.
func git(ctx context.Context, folder string, args ...string) (string, error) {
	const most = 64 << 10
	text, err := output(ctx, folder, most, args...)
	return strings.TrimSuffix(text, "\n"), err
}

// output returns the beginning of what a git command prints. It must not fetch objects, ask or wait for locks.
func output(ctx context.Context, folder string, most int, args ...string) (string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--literal-pathspecs"}, args...)...)
	c.Dir = folder
	c.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0")
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(out, int64(most)))
	if len(text) == most { // there may be more
		cancel()
		c.Wait()
		return string(text), nil
	}
	if failed := c.Wait(); failed != nil {
		if exit, ok := errors.AsType[*exec.ExitError](failed); ok {
			exit.Stderr = complaint.Bytes()
		}
		return "", failed
	}
	return string(text), err
}
