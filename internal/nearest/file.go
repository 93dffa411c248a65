package nearest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File returns the end of a message about a missing file, "" if its folder has none with a similar name. A difference
// in the extension counts less than one in the name.
func File(path string) string {
	folder, name := filepath.Split(path)
	entries, err := os.ReadDir(filepath.Clean(folder))
	if err != nil {
		return ""
	}
	stem := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	var stems, names []string
	for _, entry := range entries {
		stems = append(stems, stem(entry.Name()))
	}
	meant := Word(stem(name), stems, len(stem(name))/3)
	for i, entry := range entries {
		if stems[i] == meant && meant != "" {
			names = append(names, entry.Name())
		}
	}
	if best := Word(name, names, maxBytes); best != "" {
		return "; did you mean " + strconv.Quote(folder+best) + "?"
	}
	return ""
}
