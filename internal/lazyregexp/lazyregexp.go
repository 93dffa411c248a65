// Package lazyregexp compiles regular expressions when they are first used. At start those of package variables take
// 3 % of the CPU time until the Plant Store is served, which uses hardly any.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New gives a regular expression that is compiled when it is first asked for. It panics then where it is none.
func New(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
