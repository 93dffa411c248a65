// Package golden says whether tests rewrite the expectations in their testdata
// in place of comparing with them.
package golden

import "os"

// Update reports whether UPDATE_GOLDEN is set. UPDATE_GOLDEN=1 go test ./... makes
// the current results the expected ones; git diff then shows what changed.
func Update() bool { return os.Getenv("UPDATE_GOLDEN") != "" }
