package checks

import (
	"regexp"
	"sync"
)

// pattern compiles a regular expression when it is first used. Those of this package took a twenty-fifth of the CPU
// time until the Plant Store is served, which uses none.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
