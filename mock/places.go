package mock

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is the largest number of symbolic links in a path, as in Linux (path_resolution(7)).
const maxLinks = 40

// places are the directory entries that decide where paths lead: each component of the paths, of symbolic links on
// the way, and of the links' targets. If one of them is replaced, a path may lead elsewhere.
type places struct {
	entries     map[string]fs.FileInfo // by absolute name without links before the last component; nil for a missing entry
	directories map[string]bool        // the directories of the entries
	whole       map[string]bool        // directories in which every entry counts
	files       map[string]bool        // the files that the paths lead to
}

// placesOf follows absolute paths. A path to a directory includes all of its entries.
func placesOf(paths []string) *places {
	p := &places{map[string]fs.FileInfo{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, path := range paths {
		p.follow(path)
	}
	return p
}

func (p *places) follow(path string) {
	root, left := split(path)
	at, links := root, 0
	for len(left) > 0 {
		name := left[0]
		left = left[1:]
		if name == ".." { // in the target of a link
			at = filepath.Dir(at)
			continue
		}
		entry := filepath.Join(at, name)
		info, err := os.Lstat(entry)
		p.entries[entry], p.directories[at] = info, true
		if err != nil {
			return // it may be created later
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			at = entry
			continue
		}
		target, err := os.Readlink(entry)
		if links++; err != nil || links > maxLinks {
			return
		}
		inTarget := strings.Split(filepath.ToSlash(target), "/")
		if filepath.IsAbs(target) {
			at, inTarget = split(target)
		}
		left = append(withoutEmpty(inTarget), left...)
	}
	if info, err := os.Stat(at); err == nil && info.IsDir() {
		p.whole[at], p.directories[at] = true, true
	} else {
		p.files[at] = true
	}
}

// split returns the root of an absolute path and its other components.
func split(path string) (root string, names []string) {
	volume := filepath.VolumeName(path)
	return volume + string(filepath.Separator), withoutEmpty(strings.Split(filepath.ToSlash(path[len(volume):]), "/"))
}

func withoutEmpty(names []string) (left []string) {
	for _, name := range names {
		if name != "" && name != "." {
			left = append(left, name)
		}
	}
	return left
}

// has reports whether an entry is one of the places.
func (p *places) has(entry string) bool {
	_, ok := p.entries[entry]
	return ok || p.whole[entry] || p.whole[filepath.Dir(entry)]
}

// equal reports whether paths lead through the same files, directories and links.
func (p *places) equal(q *places) bool {
	return maps.EqualFunc(p.entries, q.entries, func(a, b fs.FileInfo) bool {
		return a == nil && b == nil || a != nil && b != nil && os.SameFile(a, b)
	})
}

// look returns the files at paths now, nil for a path without one.
func look(paths []string) map[string]fs.FileInfo {
	seen := make(map[string]fs.FileInfo, len(paths))
	for _, path := range paths {
		seen[path], _ = os.Stat(path)
	}
	return seen
}

// differ reports whether a path has changed between two calls of look.
func differ(before, after map[string]fs.FileInfo) bool {
	for path, now := range after {
		was, known := before[path]
		switch {
		case !known:
		case was == nil || now == nil:
			if was != nil || now != nil {
				return true
			}
		case !os.SameFile(was, now) || !was.ModTime().Equal(now.ModTime()) || was.Size() != now.Size():
			return true
		}
	}
	return false
}
