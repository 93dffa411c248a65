package backends

import (
	_ "embed"
	"strings"
)

//go:embed testdata/bodies.txt
var bodyLines string

// baseBodies are the bodies that scripts change: "NAME JSON" a line.
var baseBodies = func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(bodyLines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(name, "#") {
			all[name] = value
		}
	}
	return all
}()
