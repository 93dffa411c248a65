//go:build unix

package outfile_test

import (
	"bytes"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/coldframe/coldframe/internal/outfile"
)

// TestFullDisk holds a write that fails midway to leaving the old file, and nothing beside it. A limit on the
// size of files stands for the disk.
func TestFullDisk(t *testing.T) {
	const room = 4096
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "report.json")
	if err := outfile.Write(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	full := before
	full.Cur = room
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &full); err != nil {
		t.Fatal(err)
	}
	err := outfile.Write(name, bytes.Repeat([]byte("x"), 2*room))
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(err, syscall.EFBIG) {
		t.Error(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
		t.Errorf("%q, %v", text, err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	file, link, protected := filepath.Join(folder, "file"), filepath.Join(folder, "link"), filepath.Join(folder, "protected")
	if err := os.WriteFile(file, []byte("longer than the new text"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	info, _ := os.Lstat(file)
	if err != nil || string(text) != "new" || info.Mode() != 0o640 {
		t.Errorf("%q, %v, %v", text, info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Error("the link is one no more", err)
	}
	if err := outfile.Write(filepath.Join(folder, "none", "file"), nil); !os.IsNotExist(err) {
		t.Error(err)
	}
	if err := outfile.Write(folder, nil); !errors.Is(err, syscall.EISDIR) {
		t.Error(err)
	}
	if err := outfile.Write("/dev/null", []byte("new")); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(protected, []byte("old"), 0o444); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(protected, []byte("new")); os.Getuid() != 0 && !os.IsPermission(err) {
		t.Error(err)
	}
}

// TestPipe holds that a named pipe is written to, not replaced.
func TestPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- string(text)
	}()
	if err := outfile.Write(pipe, []byte("report")); err != nil {
		t.Error(err)
	}
	if text := <-read; text != "report" {
		t.Errorf("%q", text)
	}
}
