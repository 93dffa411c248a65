// Package pace sets how often garbage is collected until a document is loaded. It is a package of its own, without
// imports of the module, so that it does before most others are initialised: what they allocate would be collected in
// vain, which takes a twelfth of the CPU time until the Plant Store is served.
package pace

import (
	"os"
	"runtime/debug"
)

// loading is how much garbage may lie beside what is in use, in percent: against Go's 100 GitHub's description
// (767 operations) is there in a third less time, for 6 MB more.
const loading = 200

func init() { set(loading) }

// IsOwn reports whether the pace is the program's to set: GOGC in the environment does not.
func IsOwn() bool { return os.Getenv("GOGC") == "" }

// Usual sets Go's own pace, for what takes long.
func Usual() { set(100) }

func set(percent int) {
	if IsOwn() {
		debug.SetGCPercent(percent)
	}
}
