// Package outfile writes output files completely or not at all: after a full disk or a crash the old file is
// unchanged.
package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Write writes a file through a temporary one beside it, which then takes its name and mode. A symbolic link is kept.
// Write writes directly to irregular files (devices, pipes), to files below /dev, and to files whose folder cannot
// hold another file or in which they are mounted.
func Write(name string, text []byte) error {
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		target = name
	} else if err != nil {
		return err
	}
	info, err := os.Lstat(target)
	exists := err == nil
	if strings.HasPrefix(filepath.ToSlash(name), "/dev/") || exists && !info.Mode().IsRegular() {
		return write(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, text)
	}
	if exists { // rename would replace a file that its owner has protected
		if err := write(target, os.O_WRONLY, nil); err != nil {
			return err
		}
	}
	temporary := filepath.Join(filepath.Dir(target), fmt.Sprintf(".coldframe-%016x.tmp", rand.Uint64()))
	err = write(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, text)
	if err == nil && exists {
		err = os.Chmod(temporary, info.Mode().Perm())
	}
	if err == nil && os.Rename(temporary, target) == nil {
		return nil
	}
	os.Remove(temporary)
	if err == nil || exists && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
		return write(target, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, text)
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		failed.Path = name
	}
	return err
}

// write writes to a file opened with flags. A regular file is on the disk when it returns.
func write(name string, flags int, text []byte) error {
	file, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if info, failed := file.Stat(); err == nil && failed == nil && info.Mode().IsRegular() && len(text) > 0 {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
